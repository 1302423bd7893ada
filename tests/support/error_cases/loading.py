"""What is given to sd.load, and files."""

from __future__ import annotations

import soadyn as sd
from error_cases.case import Case
from loop_cases import SPOILT as LOOPS
from sdf_cases import ARM as SDF_ARM
from sdf_cases import CHANGES as SDF_CHANGES
from urdf_cases import ARM, CHANGES, IMPOSSIBLE

# What is given to sd.load

SOURCES = (
    Case(
        "a robot that is not built in",
        'sd.load("ur55")',
        sd.UnknownNameError,
        r"unknown robot 'ur55'. Did you mean 'ur5'.* There is no file 'ur55' either\.",
    ),
    Case(
        "a misspelt file name",
        'sd.load("griper.urdf")',
        sd.ModelError,
        r"griper\.urdf: no such file\. Did you mean 'gripper\.urdf'",
        {"gripper.urdf": ARM},
        "The folder holds `gripper.urdf`.",
    ),
    Case(
        "a folder that is not there",
        'sd.load("nowhere/arm.urdf")',
        sd.ModelError,
        r"nowhere/arm\.urdf: no such file; there is no folder 'nowhere' either",
    ),
    Case(
        "a folder instead of a file",
        'sd.load("model/")',
        sd.ModelError,
        r"model is a directory; expected a URDF, SDF or MJCF file, such as arm\.urdf in it",
        {"model/arm.urdf": ARM},
    ),
    Case("an empty path", 'sd.load("")', sd.ModelError, "the path is empty; expected a path, XML text or the name"),
    Case("a number", "sd.load(42)", sd.ArgumentError, "expected a path, XML text or the name .* got int 42"),
    Case("another root", 'sd.load("ur5", root="loose")', sd.ArgumentError, 'root must be "fixed" or "free", got \'l'),
    Case(
        "closures that are neither kept nor opened",
        'sd.load("ur5", closures="open")',
        sd.ArgumentError,
        "closures must be True or False, got 'open'",
    ),
    Case(
        "another rule for mimic joints",
        'sd.load("ur5", mimic="copy")',
        sd.ArgumentError,
        'mimic must be "independent" or "tie", got \'copy\'',
    ),
    Case(
        "gravity of two numbers",
        'sd.load("ur5", gravity=[0, -9.81])',
        sd.ArgumentError,
        r"gravity must be three finite numbers \(m/s\^2\), got \[0, -9\.81\]",
    ),
    Case(
        "a published inertia that no body can have, when strict",
        'sd.load("puma560", strict=True)',
        sd.ModelError,
        r"link 'link3' has a physically impossible inertia: .*triangle inequality .*\(refused because strict=True\)",
    ),
    Case(
        "package roots as a text",
        'sd.load("ur5", package_roots="meshes")',
        sd.ArgumentError,
        r"package_roots must be a list of folders, got 'meshes'; write \['meshes'\]",
    ),
)

# Files

ENTITIES = "".join(f'<!ENTITY e{k} "{f"&e{k - 1};" * 10 if k else "boom"}">' for k in range(12))
OUTSIDE = '<link name="base"><visual><geometry><mesh filename="{}"/></geometry></visual></link>'
LOAD = 'sd.load("arm.urdf")'


def _mesh(filename: str) -> dict[str, str]:
    return {"robot/arm.urdf": ARM.replace('<link name="base"/>', OUTSIDE.format(filename)), "secret.obj": "v 0 0 0"}


FILES = (
    Case("an empty file", LOAD, sd.ModelError, r"arm\.urdf is empty; expected a URDF, SDF or", {"arm.urdf": b" \n"}),
    Case(
        "a binary file",
        LOAD,
        sd.ModelError,
        r"arm\.urdf is binary; expected a URDF, SDF or MJCF file, which are XML text",
        {"arm.urdf": b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"},
    ),
    Case(
        "a mesh",
        LOAD,
        sd.ModelError,
        r"arm\.urdf:1: this is not XML .*; expected a URDF, SDF or MJCF file",
        {"arm.urdf": b"solid part\nfacet normal 0 0 1\n"},
    ),
    Case(
        "a truncated file",
        LOAD,
        sd.ModelError,
        r"arm\.urdf:7: the file ends inside <inertial>, opened at line 4; it seems truncated",
        {"arm.urdf": ARM[: ARM.index('iyy="0.1"')]},
    ),
    Case(
        "100 MB",
        LOAD,
        sd.ModelError,
        r"arm\.urdf has 100 MB; robot files of more than 64 MB are refused",
        {"arm.urdf": 100},
    ),
    Case(
        "an unknown encoding",
        LOAD,
        sd.ModelError,
        r"arm\.urdf:1: .*encoding",
        {"arm.urdf": "<?xml version='1.0' encoding='klingon'?><robot/>"},
    ),
    Case(
        "an entity bomb",
        LOAD,
        sd.ModelError,
        r"arm\.urdf:1: the file has a DOCTYPE, through which entities could blow up; remove it",
        {"arm.urdf": f"<!DOCTYPE robot [{ENTITIES}]><robot name='&e11;'/>"},
    ),
    Case(
        "elements a hundred thousand deep",
        LOAD,
        sd.ModelError,
        r"arm\.urdf:1: elements are nested more than 500 deep",
        {"arm.urdf": "<robot>" + "<a>" * 100_000},
    ),
    Case(
        "an impossible inertia, when strict",
        'sd.load("arm.urdf", strict=True)',
        sd.ModelError,
        r"arm\.urdf:3: link 'upper' has a physically impossible inertia: .*0\.1 \+ 0\.1 < 0\.9",
        {"arm.urdf": IMPOSSIBLE},
    ),
    Case(
        "a transmission, which is left out, when strict",
        'sd.load("arm.urdf", strict=True)',
        sd.ModelError,
        r"arm\.urdf: the file says more than soadyn models: 1 transmission "
        r"\(<transmission name=\"belt\"> at arm\.urdf:\d+\) would be left out \(refused because strict=True\)",
        {"arm.urdf": ARM.replace("</robot>", '<transmission name="belt"/></robot>')},
    ),
    Case(
        "a closed loop that cannot be kept, when strict",
        'sd.load("rope.xml", strict=True)',
        sd.ModelError,
        r"rope\.xml: the file says more than soadyn models: 1 equality constraint "
        r"\(<tendon name=\"taut\"> at rope\.xml:2\), 1 tendon",
        {
            "rope.xml": '<mujoco><worldbody><site name="x"/><body><joint/><geom size="1"/><site name="y"/></body>'
            '</worldbody>\n<equality><tendon name="taut" tendon1="t"/></equality>'
            '<tendon><spatial name="t"><site site="x"/><site site="y"/></spatial></tendon></mujoco>'
        },
        needs="mujoco",
    ),
    Case(
        "mimic joints in a circle",
        'sd.load("arm.urdf", mimic="tie")',
        sd.ModelError,
        r"arm\.urdf:11: mimic joints form a circle: shoulder -> elbow -> shoulder",
        {
            "arm.urdf": ARM.replace('<child link="upper"/>', '<child link="upper"/><mimic joint="elbow"/>').replace(
                '<child link="lower"/>', '<child link="lower"/><mimic joint="shoulder"/>'
            )
        },
    ),
    Case(
        "a mesh outside the robot's folder",
        'meshes("robot/arm.urdf")',
        sd.ModelError,
        r"robot/arm\.urdf:2: path '\.\./secret\.obj' leaves the allowed folders \(.*robot\); name its folder",
        _mesh("../secret.obj"),
        "`base` has the mesh `../secret.obj`.",
    ),
    Case(
        "a mesh in an unknown package",
        'meshes("robot/arm.urdf")',
        sd.ModelError,
        r"robot/arm\.urdf:2: 'package://hands/a\.obj' is in package 'hands', and the robot file is not",
        _mesh("package://hands/a.obj"),
        "`base` has the mesh `package://hands/a.obj`.",
    ),
    Case(
        "a mesh from the network",
        'meshes("robot/arm.urdf")',
        sd.ModelError,
        r"'http://example\.org/a\.obj' is neither a path nor a package:// or file:// address",
        _mesh("http://example.org/a.obj"),
        "`base` has the mesh `http://example.org/a.obj`.",
    ),
    Case(
        "MJCF that includes a file outside its folder",
        'sd.load("robot/arm.xml")',
        sd.ModelError,
        r"robot/arm\.xml:1: path '\.\./secret\.xml' leaves the allowed folders",
        {"robot/arm.xml": '<mujoco><include file="../secret.xml"/></mujoco>', "secret.xml": "<part/>"},
        '`arm.xml` has `<include file="../secret.xml"/>`.',
        needs="mujoco",
    ),
    Case(
        "MJCF with a number that is none",
        'sd.load("arm.xml")',
        sd.ModelError,
        r"arm\.xml:2: <body name=\"arm\"> has pos=\"0 nan 0\"; 'nan' is not a finite number",
        {"arm.xml": '<mujoco><worldbody>\n<body name="arm" pos="0 nan 0"/></worldbody></mujoco>'},
        '`arm.xml` has `<body name="arm" pos="0 nan 0">`.',
        needs="mujoco",
    ),
    Case(
        "MJCF that is a sub-model of itself",
        'sd.load("arm.xml")',
        sd.ModelError,
        r"arm\.xml:1: 'arm\.xml' is a sub-model of itself; it would never end",
        {"arm.xml": '<mujoco><asset><model name="again" file="arm.xml"/></asset></mujoco>'},
        '`arm.xml` has `<model name="again" file="arm.xml"/>`.',
        needs="mujoco",
    ),
    Case(
        "MJCF that grows without bound",
        """sd.load('<mujoco><worldbody><replicate count="1000000"><body/></replicate></worldbody></mujoco>')""",
        sd.ModelError,
        "<string>:1: <replicate> makes 1000000 elements; more than 100000 are refused",
        needs="mujoco",
    ),
    Case(
        "MJCF that connects a body with itself",
        'sd.load("loop.xml")',
        sd.ModelError,
        r"loop\.xml:2: closure 'a/b' joins 'a' to itself; its frames must move apart",
        {
            "loop.xml": '<mujoco><worldbody><body name="a"><joint/><geom size="1"/><body name="b"/></body>'
            '</worldbody>\n<equality><connect body1="a" body2="b" anchor="0 0 0"/></equality></mujoco>'
        },
        needs="mujoco",
    ),
    Case(
        "MJCF without bodies",
        'sd.load("<mujoco><worldbody/></mujoco>")',
        sd.ModelError,
        "<string>:1: robot '.*' has no <body> elements; expected at least one",
        needs="mujoco",
    ),
)


def _changed(what: str, file: str, text: str, change: tuple[str, str, str], every: int = -1) -> Case:
    old, new, words = change
    told = f"`{_one_line(old)}` is replaced by `{_one_line(new)}`." if new else f"`{_one_line(old)}` is left out."
    return Case(what, f'sd.load("{file}")', sd.ModelError, words, {file: text.replace(old, new, every)}, told)


def _one_line(text: str) -> str:
    return " ".join(text.split())


SPOILT = tuple(_changed(what, "arm.urdf", ARM, change) for what, change in CHANGES.items())
SPOILT_LOOPS = tuple(
    _changed(f"a loop: {what}", "loop.urdf", text, (old, new, words.replace("<string>", "loop.urdf")), 1)
    for what, (text, old, new, words) in LOOPS.items()
)
SPOILT_SDF = tuple(_changed(f"SDF: {what}", "arm.sdf", SDF_ARM, change) for what, change in SDF_CHANGES.items())
