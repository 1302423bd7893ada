"""MJCF models of other people's kinds: defaults in defaults, includes, frames, units, odd figures. Files by name; the
first is the model. Each is either read as MuJoCo reads it or refused."""

from __future__ import annotations

GEOM = '<geom type="box" size=".1 .2 .3" pos=".1 0 .2"/>'


def one(body: str, before: str = "", after: str = "") -> dict[str, str]:
    """A model of one file: what stands in a body with a hinge, before and after the bodies."""
    inside = f'<body name="a" pos="0 0 1"><joint name="j" axis="0 1 0"/>{body}</body>'
    return {"model.xml": f'<mujoco model="m">{before}<worldbody>{inside}</worldbody>{after}</mujoco>'}


def whole(text: str, **files: str) -> dict[str, str]:
    """A model with other files beside it; two underscores in a name stand for a slash, one for a dot."""
    others = {name.replace("__", "/").replace("_", "."): content for name, content in files.items()}
    return {"model.xml": text, **others}


CHILD = '<body name="b" pos="0 0 .5"{}><joint name="k"{}/><geom type="capsule" size=".05 .2"/></body>'
OBJ = "v 0 0 0\nv .3 0 0\nv 0 .4 0\nv 0 0 .5\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
PART = '<mujocoinclude><body name="p" pos="1 0 0"><joint name="pj"/><geom size=".2"/></body></mujocoinclude>'

AGREE = {
    "nested defaults": one(
        GEOM + CHILD.format(' childclass="inner"', ""),
        '<default><joint damping=".1"/><default class="outer"><joint axis="1 0 0" armature=".2"/><geom density="300"/>'
        '<default class="inner"><joint armature=".3"/></default></default></default>',
    ),
    "class over childclass": one(
        GEOM + CHILD.format(' childclass="x"', ' class="y"'),
        '<default><default class="x"><joint axis="1 0 0"/></default>'
        '<default class="y"><joint axis="0 1 1" armature=".4"/></default></default>',
    ),
    "the class of a joint alone": one(
        GEOM + CHILD.format("", ' class="y"'), '<default><default class="y"><joint type="slide"/></default></default>'
    ),
    "degrees by default": one(GEOM + CHILD.format(' euler="30 40 50"', ' ref="20"')),
    "radians": one(GEOM + CHILD.format(' euler=".3 .4 .5"', ' ref=".2"'), '<compiler angle="radian"/>'),
    "another order of turns": one(GEOM + CHILD.format(' euler="30 40 50"', ""), '<compiler eulerseq="ZYX"/>'),
    "two compilers": one(
        GEOM + CHILD.format(' euler=".3 .4 .5"', ""), '<compiler angle="degree"/><compiler angle="radian"/>'
    ),
    "a quaternion of another length": one(GEOM + CHILD.format(' quat="3 1 2 -1"', "")),
    # Of much shorter ones (2e-9) the mass matrix that MuJoCo computes is not that of the same, longer quaternion.
    "a tiny quaternion": one(GEOM + CHILD.format(' quat="1e-7 2e-7 0 0"', "")),
    "two axes": one(GEOM + CHILD.format(' xyaxes="1 1 0 -1 1 .5"', "")),
    "a z axis": one(GEOM + CHILD.format(' zaxis="1 1 1"', "")),
    "a z axis upside down": one(GEOM + CHILD.format(' zaxis="0 0 -1"', "")),
    "an axis and an angle": one(GEOM + CHILD.format(' axisangle="1 2 3 40"', "")),
    "fromto": one('<geom type="capsule" fromto="0 0 0 .3 .4 .5" size=".03"/>' + CHILD.format("", "")),
    "fromto upside down": one('<geom type="cylinder" fromto="0 0 0 0 0 -.5" size=".03"/>'),
    "a box by fromto": one('<geom type="box" fromto="0 0 0 .3 .4 .5" size=".03"/>'),
    "an ellipsoid by fromto": one('<geom type="ellipsoid" fromto="0 .1 0 .3 .4 .5" size=".03"/>'),
    "geoms of given mass": one('<geom mass="3" size=".1"/><geom type="box" mass="0" size="1 1 1"/>'),
    "a group that counts alone": one(
        '<geom size=".1" group="1"/><geom size=".3" group="4"/>', '<compiler inertiagrouprange="0 2"/>'
    ),
    "shells": one('<geom type="box" size=".1 .2 .3" shellinertia="true"/>'),
    "a full inertia": one('<inertial pos=".1 .2 .3" mass="2" fullinertia=".3 .4 .5 .01 .02 .03"/>' + GEOM),
    "a turned inertia": one('<inertial pos=".1 .2 .3" mass="2" quat="1 2 3 4" diaginertia=".3 .4 .5"/>'),
    "inertia from geoms always": one(
        '<inertial pos="0 0 0" mass="2" diaginertia="1 1 1"/>' + GEOM, '<compiler inertiafromgeom="true"/>'
    ),
    "a total mass": one(GEOM + CHILD.format("", ""), '<compiler settotalmass="7"/>'),
    "least masses and inertias": one(
        '<geom size=".001"/>' + CHILD.format("", ""), '<compiler boundmass=".5" boundinertia=".01"/>'
    ),
    "an inertia to be balanced": one(
        '<inertial pos="0 0 0" mass="1" diaginertia="1 1 9"/>', '<compiler balanceinertia="true"/>'
    ),
    "a plate of no thickness but for rounding": one('<geom type="box" size="1 1 1e-6"/>'),
    "huge numbers": one('<geom type="box" size="1e5 1e5 1e5" density="1e3"/>'),
    "tiny numbers": one('<geom type="box" size="1e-3 1e-3 1e-3"/>'),
    "frames in frames": one(
        GEOM + '<frame pos=".1 0 0" euler="10 20 30"><frame quat="1 1 0 0">' + CHILD.format("", "") + "</frame></frame>"
    ),
    "a joint in no frame's way": one(
        '<frame euler="0 0 90"><geom size=".1" pos="1 0 0"/></frame>' + CHILD.format("", ' pos=".1 .2 .3"')
    ),
    "the same body again": whole(
        '<mujoco><worldbody><replicate count="3" euler="0 0 40" offset=".2 0 0"><body name="r" pos="1 0 0"><joint '
        'axis="0 1 0"/><geom size=".1"/></body></replicate></worldbody></mujoco>'
    ),
    "an include": whole('<mujoco><worldbody><include file="part.xml"/></worldbody></mujoco>', part_xml=PART),
    "an include of an include": whole(
        '<mujoco><worldbody><include file="x/one.xml"/></worldbody></mujoco>',
        x__one_xml='<mujocoinclude><body name="q"><joint/><geom size=".1"/><include file="two.xml"/></body>'
        "</mujocoinclude>",
        x__two_xml=PART,
    ),
    "defaults after what they are for": whole(
        '<mujoco><worldbody><body><joint class="late"/><geom size=".1" pos="0 0 1"/></body></worldbody>'
        '<default><default class="late"><joint axis="1 0 0" armature="2"/></default></default></mujoco>'
    ),
    "a mesh": whole(
        '<mujoco><asset><mesh name="m" file="part.obj" scale="1 2 1"/></asset><worldbody><body><joint axis="1 0 0"/>'
        '<geom type="mesh" mesh="m" density="500"/></body></worldbody></mujoco>',
        part_obj=OBJ,
    ),
    "a mesh in a folder": whole(
        '<mujoco><compiler meshdir="parts"/><asset><mesh file="part.obj"/></asset><worldbody><body>'
        '<joint axis="1 0 0"/><geom type="mesh" mesh="part"/></body></worldbody></mujoco>',
        parts__part_obj=OBJ,
    ),
    "a mesh of points": whole(
        '<mujoco><asset><mesh name="m" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/></asset><worldbody><body><joint axis="1 0 0"/>'
        '<geom type="mesh" mesh="m"/></body></worldbody></mujoco>'
    ),
    "a box around a mesh": whole(
        '<mujoco><asset><mesh name="m" file="part.obj"/></asset><worldbody><body><joint axis="1 0 0"/>'
        '<geom type="box" mesh="m"/></body></worldbody></mujoco>',
        part_obj=OBJ,
    ),
    "free joints aligned": whole(
        '<mujoco><compiler alignfree="true"/><worldbody><body pos="1 2 3" euler="10 20 30"><freejoint/>'
        '<geom type="box" size=".1 .2 .3" pos=".1 .2 0"/></body></worldbody></mujoco>'
    ),
    "two floating bodies": whole(
        "<mujoco><worldbody>"
        + '<body pos="1 2 3"><freejoint/><geom type="box" size=".1 .2 .3" pos=".1 .2 0"/></body>' * 2
        + "</worldbody></mujoco>"
    ),
    "gravity aside": one(GEOM, '<option gravity="1 2 -3"/>'),
    "a worldbody in two parts": whole(
        '<mujoco><worldbody><body><joint axis="1 0 0"/><geom size=".1" pos="0 0 1"/></body></worldbody>'
        '<worldbody><body><joint axis="0 1 0"/><geom size=".1" pos="1 0 0"/></body></worldbody></mujoco>'
    ),
    "a ball with a reference": one(GEOM + CHILD.format("", ' type="ball" pos=".1 0 0"')),
    "a joint that is not at its body": one(
        GEOM + CHILD.format("", ' type="hinge" axis="1 1 0" pos=".3 .2 .1" ref="30"')
    ),
    "springs given by a frequency": one(GEOM + CHILD.format("", ' springdamper=".1 1"')),
    "a motor's rotor": one(GEOM, after='<actuator><motor joint="j" gear="20" armature="1e-3"/></actuator>'),
    "a child without mass": one(GEOM + '<body name="b" pos="0 0 1"><geom size=".1"/><body name="c"/></body>'),
    "an axis of any length": one(GEOM + CHILD.format("", ' axis="3 -4 12"')),
    "names with spaces": one(GEOM + CHILD.format("", "").replace('name="k"', 'name="k nee"')),
}

REFUSED = {
    "a free joint below the root": one(GEOM + CHILD.format("", ' type="free"')),
    "a quaternion of zero": one(GEOM + CHILD.format(' quat="0 0 0 0"', "")),
    "axes that are parallel": one(GEOM + CHILD.format(' xyaxes="1 0 0 2 0 0"', "")),
    "a z axis of zero": one(GEOM + CHILD.format(' zaxis="0 0 0"', "")),
    "an axis of zero": one(GEOM + CHILD.format("", ' axis="0 0 0"')),
    "a moving body without mass": one(""),
    "an inertia that no body has": one('<inertial pos="0 0 0" mass="1" diaginertia="1 1 9"/>'),
    "a negative mass": one('<inertial pos="0 0 0" mass="-1" diaginertia="1 1 1"/>'),
    "a negative size": one('<geom size="-.1"/>'),
    "a geom of no length": one('<geom type="capsule" fromto="0 0 0 0 0 0" size=".1"/>'),
    "numbers beyond doubles": one('<geom size="1e999"/>'),
    "not a number": one('<geom size=".1" pos="nan 0 0"/>'),
    "a class that is not there": one(GEOM + CHILD.format(' childclass="none"', "")),
    "a class twice": one(GEOM, '<default><default class="x"/><default class="x"/></default>'),
    "an unknown element": one(GEOM + "<spring/>"),
    "an unknown attribute": one(GEOM + CHILD.format("", ' stiffnes="3"')),
    "a name twice": one(GEOM + '<body name="a"><geom size=".1"/></body>'),
    "a mesh that is not there": one('<geom type="mesh" mesh="m"/>', '<asset><mesh name="m" file="gone.obj"/></asset>'),
    "a mesh outside": whole(
        '<mujoco><asset><mesh name="m" file="../part.obj"/></asset><worldbody><body><joint/>'
        '<geom type="mesh" mesh="m"/></body></worldbody></mujoco>'
    ),
    "an include outside": whole('<mujoco><worldbody><include file="../part.xml"/></worldbody></mujoco>'),
    "an include with a whole path": whole('<mujoco><worldbody><include file="/etc/hostname"/></worldbody></mujoco>'),
    "an include of itself": whole('<mujoco><worldbody><include file="model.xml"/></worldbody></mujoco>'),
    "includes in a circle": whole(
        '<mujoco><worldbody><include file="one.xml"/></worldbody></mujoco>',
        one_xml='<mujocoinclude><include file="two.xml"/></mujocoinclude>',
        two_xml='<mujocoinclude><include file="one.xml"/></mujocoinclude>',
    ),
    "a mesh without triangles": whole(
        '<mujoco><asset><mesh name="m" file="part.obj"/></asset><worldbody><body><joint/>'
        '<geom type="mesh" mesh="m"/></body></worldbody></mujoco>',
        part_obj="v 0 0 0\n",
    ),
    "a thousand million copies": whole(
        '<mujoco><worldbody><replicate count="1000000000"><body><joint/><geom size=".1"/></body></replicate>'
        "</worldbody></mujoco>"
    ),
    "coordinates of the world": one(GEOM, '<compiler coordinate="global"/>'),
}
