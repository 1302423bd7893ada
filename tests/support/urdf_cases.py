"""A small URDF arm, and the same file spoilt in many ways, each with the words of its error."""

from __future__ import annotations

ARM = """<robot name="arm">
  <link name="base"/>
  <link name="upper">
    <inertial>
      <origin xyz="0 0 0.1" rpy="0 0 0"/>
      <mass value="2"/>
      <inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/>
    </inertial>
  </link>
  <link name="lower"/>
  <joint name="shoulder" type="revolute">
    <parent link="base"/>
    <child link="upper"/>
    <origin xyz="0 0 1"/>
    <axis xyz="0 1 0"/>
    <limit lower="-1" upper="1" velocity="2" effort="3"/>
  </joint>
  <joint name="elbow" type="continuous">
    <parent link="upper"/>
    <child link="lower"/>
    <axis xyz="0 1 0"/>
  </joint>
</robot>
"""

CHANGES = {
    "negative mass": (
        'value="2"',
        'value="-2"',
        r"arm\.urdf:6: link 'upper' has mass -2\.0; a mass must be zero or more",
    ),
    "nan mass": (
        'value="2"',
        'value="nan"',
        r"arm\.urdf:6: <mass> of link 'upper' has value=\"nan\"; 'nan' is not a finite number",
    ),
    "infinite mass": ('value="2"', 'value="inf"', r":6: .*'inf' is not a finite number"),
    "overflowing mass": ('value="2"', 'value="1e999"', r":6: .*'1e999' is not a finite number"),
    "mass is a word": ('value="2"', 'value="heavy"', r":6: .*'heavy' is not a finite number"),
    "mass with underscore": ('value="2"', 'value="1_0"', r":6: .*'1_0' is not a finite number"),
    "mass in other digits": ('value="2"', 'value="٢"', r":6: .*'٢' is not a finite number"),
    "empty mass": ('value="2"', 'value=""', r":6: .*value=\"\"; expected one number, found 0"),
    "two masses": ('value="2"', 'value="2 3"', r":6: .*value=\"2 3\"; expected one number, found 2"),
    "no mass value": ('value="2"', "", r":6: <mass> of link 'upper' has no attribute \"value\"; it is required"),
    "no mass": ('<mass value="2"/>', "", r":4: <inertial> has no <mass> element; it is required"),
    "no ixy": (
        'ixy="0"',
        "",
        r":7: <inertia> of link 'upper' has no attribute \"ixy\" \(it has ixx, iyy, .*\); it is required",
    ),
    "no inertia": ("<inertia ixx", "<moment ixx", r":4: <inertial> has no <inertia> element"),
    "two inertials": (
        '</link>\n  <link name="lower"/>',
        '<inertial/></link><link name="lower"/>',
        r":9: <link name=\"upper\"> has 2 <inertial> elements; expected at most one",
    ),
    "origin of two numbers": (
        'xyz="0 0 0.1"',
        'xyz="0 0"',
        r":5: <origin> of link 'upper' has xyz=\"0 0\"; expected three numbers, found 2",
    ),
    "rpy and quaternion": (
        'rpy="0 0 0"',
        'rpy="0 0 0" quat_xyzw="0 0 0 1"',
        r":5: .*both rpy and quat_xyzw; expected one",
    ),
    "zero quaternion": ('rpy="0 0 0"', 'quat_xyzw="0 0 0 0"', r":5: .*which is zero; a quaternion must not be"),
    "nan in joint origin": (
        'xyz="0 0 1"',
        'xyz="0 nan 1"',
        r":14: <origin> of <joint name=\"shoulder\"> has .*'nan' is not a finite",
    ),
    "zero axis": (
        'xyz="0 1 0"/>\n    <limit',
        'xyz="0 0 0"/>\n    <limit',
        r":15: joint 'shoulder' has axis \"0 0 0\", which is zero",
    ),
    "axis of four": (
        'xyz="0 1 0"/>\n    <limit',
        'xyz="0 0 1 0"/>\n    <limit',
        r":15: <axis> of joint 'shoulder' has .*expected three numbers, found 4",
    ),
    "unknown type": (
        'type="revolute"',
        'type="revolut"',
        r":11: joint 'shoulder': unknown joint type 'revolut'\. Did you mean 'revolute'\?",
    ),
    "no type": ('type="revolute"', "", r":11: <joint name=\"shoulder\"> has no attribute \"type\""),
    "no joint name": ('name="elbow" ', "", r":18: <joint> has no attribute \"name\""),
    "no link name": ('<link name="lower"/>', "<link/>", r":10: <link> has no attribute \"name\""),
    "empty link name": ('<link name="lower"/>', '<link name=""/>', r":10: a link has an empty name"),
    "no parent": ('<parent link="base"/>', "", r":11: <joint name=\"shoulder\"> has no <parent> element"),
    "parent without link": (
        '<parent link="base"/>',
        "<parent/>",
        r":12: <parent> of joint 'shoulder' has no attribute \"link\"",
    ),
    "lower above upper": (
        'lower="-1"',
        'lower="2"',
        r":16: joint 'shoulder' has limits lower=2\.0, upper=1\.0; lower must not exceed upper",
    ),
    "nan limit": ('lower="-1"', 'lower="nan"', r":16: <limit> of joint 'shoulder' has lower=\"nan\""),
    "negative effort": (
        'effort="3"',
        'effort="-3"',
        r":11: joint 'shoulder' has effort -3\.0; a limit must be positive: leave it out where there is none",
    ),
    "unknown child": (
        '<child link="lower"/>',
        '<child link="lover"/>',
        r":18: joint 'elbow': unknown child link 'lover'\. Did you mean 'lower'",
    ),
    "unknown parent": (
        '<parent link="upper"/>',
        '<parent link="super"/>',
        r":18: joint 'elbow': unknown parent link 'super'",
    ),
    "duplicate link": (
        '<link name="lower"/>',
        '<link name="upper"/>',
        r":10: duplicate link name 'upper': 2 links have it",
    ),
    "duplicate joint": ('name="elbow"', 'name="shoulder"', r":18: duplicate joint name 'shoulder'"),
    "two roots": (
        '<link name="lower"/>',
        '<link name="lower"/><link name="stray"/>',
        r":10: robot 'arm' has 2 root links, 'base', 'stray'; expected one",
    ),
    "cycle": ('<parent link="base"/>', '<parent link="lower"/>', r"arm\.urdf:3: link 'upper' is part of a cycle"),
    "link on two joints": (
        '<child link="lower"/>',
        '<child link="upper"/>',
        r":18: link 'upper' hangs on two joints, 'shoulder' and 'elbow'",
    ),
    "joint onto itself": (
        '<parent link="upper"/>',
        '<parent link="lower"/>',
        r"arm\.urdf:10: link 'lower' is part of a cycle",
    ),
    "no links": ("link", "lnk", r":1: robot 'arm' has no <link> elements"),
    "helical without pitch": (
        'type="revolute"',
        'type="helical"',
        r":15: joint 'shoulder' is helical; its <axis> needs an attribute \"pitch\"",
    ),
    "parallel universal axes": ('type="revolute"', 'type="universal"', r":11: joint 'shoulder' has parallel axes"),
    "damping of three": (
        "<limit",
        '<dynamics damping="1 2 3"/><limit',
        r":16: <dynamics> of joint 'shoulder' has .*expected one number, found 3",
    ),
    "mimic without joint": ("<limit", "<mimic/><limit", r":16: <mimic> of joint 'shoulder' has no attribute \"joint\""),
    "xacro": (
        '<link name="base"/>',
        '<xacro:include filename="x"/><link name="base"/>',
        r":2: <xacro:include> is xacro.*expand it first: xacro .*arm\.urdf > ",
    ),
    "xacro expression": ('value="2"', 'value="${mass}"', r":6: .*an unexpanded xacro expression; run xacro"),
    "html": ('<robot name="arm">', '<html><robot name="arm">', r"not well-formed|truncated"),
    "not a robot": (
        "robot",
        "html",
        r":1: the root element is <html>; expected <robot> \(URDF\), <sdf> or <mujoco> \(MJCF\)$",
    ),
    "called sdf": (
        "robot",
        "sdf",
        r":1: <sdf> has no attribute \"version\"|:1: <sdf name=\"arm\"> has no attribute \"version\"",
    ),
    "tags crossed": (
        "</inertial>",
        "</inertia>",
        r":8: not well-formed XML, mismatched tag, inside <inertial> opened at line 4",
    ),
    "attribute twice": ('value="2"', 'value="2" value="3"', r":6: not well-formed XML, duplicate attribute"),
    "two documents": (
        "</robot>\n",
        "</robot>\n<robot/>",
        r":24: not well-formed XML, junk after document element, after the end of <robot name=\"arm\">",
    ),
    "doctype": ('<robot name="arm">', '<!DOCTYPE robot><robot name="arm">', r":1: the file has a DOCTYPE.*; remove it"),
}

IMPOSSIBLE = ARM.replace('izz="0.1"', 'izz="0.9"')
