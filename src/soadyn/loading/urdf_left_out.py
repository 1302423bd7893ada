"""What a URDF file describes and robots here do without."""

from __future__ import annotations

from collections.abc import Iterator

from soadyn.loading.document import Element
from soadyn.loading.left_out import (
    CALIBRATION,
    GAZEBO,
    LONGEST,
    LOOP_JOINT,
    SAFETY,
    TRANSMISSION,
    UNKNOWN,
    UNKNOWN_ATTRIBUTE,
    left_out,
)
from soadyn.loading.urdf_closures import is_loop_joint
from soadyn.model.draft import LeftOut


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


NAMED = {
    "transmission": TRANSMISSION,
    "safety_controller": SAFETY,
    "calibration": CALIBRATION,
}
IN_GAZEBO = _words("""
    springStiffness springReference dampingFactor turnGravityOff gravity kinematic static velocity_decay enable_wind
    """)
# What is read, and what does not bear on dynamics: shapes, sensors, drivers, contact (there is none).
KNOWN = {
    "robot": _words("link joint loop loop_joint coupling material sensor ros2_control gazebo"),
    "link": _words("inertial visual collision contact collision_checking self_filter surface"),
    "inertial": _words("origin mass inertia"),
    "joint": _words("origin parent child axis axis2 limit dynamics mimic"),
    "loop": _words("predecessor successor axis axis2"),
    "coupling": _words("predecessor successor ratio"),
}
ATTRIBUTES = {
    "dynamics": _words("damping friction armature stiffness rest"),
    "limit": _words("lower upper effort velocity acceleration deceleration jerk"),
    "mimic": _words("joint multiplier offset"),
    "axis": _words("xyz pitch"),
    "axis2": _words("xyz"),
    "origin": _words("xyz rpy quat_xyzw"),
    "mass": _words("value"),
    "inertia": _words("ixx iyy izz ixy ixz iyz"),
}


def left_out_of_urdf(robot: Element) -> Iterator[LeftOut]:
    """What is not read of a <robot>, in the order of the file. Elements with a namespace are other programs' own."""
    for element in robot.children:
        yield from _element(element, robot)
        match element.tag:
            case "gazebo":
                yield from _gazebo(element)
            case "loop_joint" if not is_loop_joint(element):
                yield left_out(LOOP_JOINT, element)
            case "link" | "joint" | "loop" | "coupling":
                for part in element.children:
                    yield from _element(part, element)
                    if part.tag == "inertial":
                        for figure in part.children:
                            yield from _element(figure, part, f" of {element}")


def _element(element: Element, inside: Element, more: str = "") -> Iterator[LeftOut]:
    more = more or ("" if inside.tag == "robot" else f" of {inside}")
    if kind := NAMED.get(element.tag):
        yield left_out(kind, element, more)
    elif element.tag not in KNOWN[inside.tag] and ":" not in element.tag:
        yield left_out(UNKNOWN, element, more)
    elif (known := ATTRIBUTES.get(element.tag)) and (unknown := [x for x in element.attributes if x not in known]):
        yield LeftOut(
            UNKNOWN_ATTRIBUTE, f"attribute {unknown[0]!r:.40} of <{element.tag}>{more:.{LONGEST}}", element.where
        )


def _gazebo(gazebo: Element) -> Iterator[LeftOut]:
    of = f' of "{gazebo.attributes["reference"]}"' if "reference" in gazebo.attributes else ""
    for setting in gazebo.children:
        if setting.tag == "joint":
            yield left_out(LOOP_JOINT, setting, " in <gazebo>")
        elif setting.tag in IN_GAZEBO:
            yield left_out(GAZEBO, setting, of)
