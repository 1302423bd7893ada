"""Small MJCF models that between them use everything the reader knows."""

from __future__ import annotations

MJCF_MODELS = {
    "pendulum": """
<mujoco model="pendulum">
  <worldbody>
    <body name="bob" pos="0.1 0.2 0.3">
      <joint name="swing" type="hinge" axis="0 1 0"/>
      <inertial pos="0 0 -0.5" mass="2" diaginertia="0.1 0.2 0.25"/>
    </body>
  </worldbody>
</mujoco>""",
    "slides": """
<mujoco model="slides">
  <option gravity="1 -2 -3"/>
  <worldbody>
    <body name="cart" pos="0 0 1" euler="10 20 30">
      <joint name="rail" type="slide" axis="1 1 0" pos="0.3 0.2 0.1"/>
      <geom type="box" size="0.2 0.1 0.05"/>
      <body name="pole" pos="0.1 0 0.1">
        <joint name="tip" axis="0 1 1" pos="0.05 -0.02 0.1"/>
        <geom type="capsule" fromto="0 0 0 0 0 0.6" size="0.02"/>
      </body>
    </body>
  </worldbody>
</mujoco>""",
    "ball": """
<mujoco model="ball">
  <worldbody>
    <body name="upper" pos="0 0 1" quat="0.9 0.1 -0.3 0.2">
      <joint name="shoulder" type="ball" pos="0.1 -0.05 0.2" armature="0.03"/>
      <geom type="ellipsoid" size="0.1 0.2 0.3" pos="0.1 0 0"/>
      <body name="lower" pos="0 0.4 0">
        <joint name="elbow" type="ball"/>
        <geom type="sphere" size="0.1" pos="0 0.2 0.1"/>
      </body>
    </body>
  </worldbody>
</mujoco>""",
    "several_joints": """
<mujoco model="several_joints">
  <worldbody>
    <body name="hand" pos="0.1 0.2 0.3" euler="30 -40 50">
      <joint name="x" type="slide" axis="1 0 0" pos="0.1 0.1 0.1"/>
      <joint name="bend" type="hinge" axis="0 1 0.3" pos="0 0.1 0.2" armature="0.1"/>
      <joint name="twist" type="hinge" axis="1 0 1" pos="-0.1 0.1 0"/>
      <joint name="z" type="slide" axis="0 0.5 1"/>
      <geom type="box" size="0.1 0.2 0.3" pos="0.05 0 0"/>
      <body name="finger" pos="0.3 0 0">
        <joint name="first" axis="0 0 1"/>
        <joint name="second" axis="0 1 0" pos="0.01 0.02 0.03"/>
        <geom type="cylinder" size="0.05 0.2"/>
      </body>
    </body>
  </worldbody>
</mujoco>""",
    "hinge_then_ball": """
<mujoco model="hinge_then_ball">
  <worldbody>
    <body name="thing" pos="0 0 0.5" euler="0 30 0">
      <joint name="turn" axis="0 0 1" pos="0.2 0 0"/>
      <joint name="swivel" type="ball" pos="0 0.1 0.3"/>
      <joint name="push" type="slide" axis="0 1 0"/>
      <geom type="box" size="0.1 0.2 0.3"/>
    </body>
  </worldbody>
</mujoco>""",
    "references": """
<mujoco model="references">
  <compiler angle="degree"/>
  <worldbody>
    <body name="arm" pos="0 0 1" euler="20 0 0">
      <joint name="tilt" axis="0 1 0" pos="0 0 0.2" ref="35" range="-60 80" limited="true"/>
      <geom type="box" size="0.1 0.1 0.3"/>
      <body name="slider" pos="0 0 0.3">
        <joint name="reach" type="slide" axis="1 0 1" ref="0.25" range="0 0.5" limited="true" pos="0.1 0 0"/>
        <joint name="roll" type="hinge" axis="1 1 1" ref="-50"/>
        <geom type="sphere" size="0.1"/>
      </body>
    </body>
  </worldbody>
</mujoco>""",
    "springs": """
<mujoco model="springs">
  <compiler angle="radian"/>
  <default>
    <joint damping="0.7" frictionloss="0.2" armature="0.05"/>
  </default>
  <worldbody>
    <body name="plank">
      <joint name="flex" axis="1 0 0" stiffness="30" springref="0.4" actuatorfrcrange="-5 8" actuatorfrclimited="true"/>
      <geom type="box" size="0.5 0.5 0.02" density="300"/>
      <body name="knob" pos="0 0 0.1">
        <joint name="wobble" type="ball" stiffness="4"/>
        <geom type="sphere" size="0.05"/>
      </body>
    </body>
  </worldbody>
</mujoco>""",
    "free_body": """
<mujoco model="free_body">
  <worldbody>
    <geom type="plane" size="5 5 0.1"/>
    <body name="drone" pos="1 2 3" euler="10 20 30">
      <freejoint name="fly"/>
      <geom type="box" size="0.2 0.3 0.05" pos="0.02 0.01 0"/>
      <body name="rotor" pos="0.2 0.2 0.1">
        <joint name="spin" axis="0 0 1" armature="0.001"/>
        <geom type="cylinder" size="0.1 0.01"/>
      </body>
    </body>
    <body name="rock" pos="0 0 1">
      <joint name="roll" type="free" armature="0.2"/>
      <geom type="ellipsoid" size="0.3 0.2 0.1"/>
    </body>
  </worldbody>
</mujoco>""",
    "welded": """
<mujoco model="welded">
  <worldbody>
    <site name="corner" pos="1 1 0"/>
    <body name="table" pos="0 0 0.7" euler="0 0 45">
      <geom type="box" size="0.5 0.5 0.02"/>
      <body name="column" pos="0.1 0 0">
        <joint name="yaw" axis="0 0 1"/>
        <geom type="cylinder" size="0.1 0.3"/>
        <body name="shelf" pos="0.2 0 0.3" euler="0 90 0">
          <geom type="box" size="0.2 0.1 0.01"/>
          <site name="cup" pos="0 0 0.05" euler="0 0 30"/>
          <body name="lamp" pos="0.1 0 0">
            <joint name="nod" axis="0 1 0"/>
            <geom type="sphere" size="0.05" mass="0.3"/>
          </body>
        </body>
      </body>
    </body>
  </worldbody>
</mujoco>""",
    "tree": """
<mujoco model="tree">
  <worldbody>
    <body name="trunk">
      <freejoint/>
      <geom type="capsule" size="0.1 0.3"/>
      <body name="left" pos="0 0.2 0.1">
        <joint axis="1 0 0"/>
        <joint axis="0 1 0"/>
        <geom type="capsule" size="0.04 0.2"/>
        <body pos="0 0 -0.4">
          <joint axis="0 1 0"/>
          <geom type="capsule" size="0.03 0.2"/>
        </body>
      </body>
      <body name="right" pos="0 -0.2 0.1">
        <joint type="ball"/>
        <geom type="capsule" size="0.04 0.2"/>
        <body name="foot" pos="0 0 -0.4">
          <geom type="box" size="0.1 0.05 0.02"/>
        </body>
      </body>
    </body>
  </worldbody>
</mujoco>""",
    "full_inertia": """
<mujoco model="full_inertia">
  <worldbody>
    <body name="lump" pos="0.3 0 0">
      <joint name="turn" axis="0.2 -0.4 1"/>
      <inertial pos="0.1 0.05 -0.02" mass="3" fullinertia="0.2 0.3 0.35 0.02 -0.01 0.03"/>
      <body name="bar" pos="0 0.5 0" xyaxes="0 1 0 -1 0 0.2">
        <joint name="bar_turn" axis="0 0 1" pos="0 0 0.1"/>
        <inertial pos="0 0 0.2" euler="20 30 40" mass="1.5" diaginertia="0.02 0.015 0.01"/>
      </body>
    </body>
  </worldbody>
</mujoco>""",
    "motors": """
<mujoco model="motors">
  <worldbody>
    <body name="link1">
      <joint name="geared" axis="0 0 1" armature="0.02" damping="0.1"/>
      <geom type="box" size="0.2 0.05 0.05" pos="0.2 0 0"/>
      <body name="link2" pos="0.4 0 0">
        <joint name="plain" axis="0 1 0"/>
        <geom type="box" size="0.2 0.05 0.05" pos="0.2 0 0"/>
      </body>
    </body>
  </worldbody>
  <actuator>
    <motor name="motor" joint="geared" gear="50" armature="0.0001" damping="0.002"/>
    <motor name="direct" joint="plain"/>
  </actuator>
</mujoco>""",
    "mesh": """
<mujoco model="mesh">
  <asset>
    <mesh name="wedge" vertex="0 0 0  0.3 0 0  0 0.2 0  0 0 0.4  0.2 0.2 0.3"/>
  </asset>
  <worldbody>
    <body name="solid" pos="0 0 1">
      <joint name="hinge" axis="1 2 3" pos="0.1 0.1 0.1"/>
      <geom type="mesh" mesh="wedge" density="700"/>
      <geom type="box" size="0.05 0.05 0.05" pos="0.3 0.1 0"/>
    </body>
  </worldbody>
</mujoco>""",
}
