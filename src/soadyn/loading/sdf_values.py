"""What stands between the tags of an SDF file: names, numbers, truths and poses, strictly."""

from __future__ import annotations

import math

import numpy as np

from soadyn.errors import ModelError
from soadyn.loading.document import Element
from soadyn.loading.values import child, numbers_in, of
from soadyn.mechanics.spatial.rotation import from_quaternion
from soadyn.model.placement import Placement, Vector3, vector3

ENDLESS = 1e16  # SDF's own word for "no limit" before it had inf
TRUTHS = {"true": True, "1": True, "false": False, "0": False}


def name_in(parent: Element, tag: str) -> str:
    """The name that a required child element holds."""
    element = child(parent, tag)
    if not element.text:
        raise ModelError(f"{element.where}: <{tag}> of {parent} is empty; expected a name")
    return element.text


def text_in(parent: Element, tag: str, default: str = "") -> str:
    """The text of a child element, or the default where there is none."""
    element = parent.only(tag)
    return default if element is None else element.text


def real_in(parent: Element, tag: str, default: float, owner: str) -> float:
    """The finite number in a child element."""
    element = parent.only(tag)
    return default if element is None else reals(element, (1,), owner)[0]


def limit_in(parent: Element, tag: str, default: float, owner: str) -> float:
    """The same of a limit, which may be endless."""
    element = parent.only(tag)
    if element is None:
        return default
    word = element.text.lower().lstrip("+-")
    value = math.inf if word in ("inf", "infinity") else abs(reals(element, (1,), owner)[0])
    return math.copysign(math.inf if value >= ENDLESS else value, -1.0 if element.text.startswith("-") else 1.0)


def vector_in(element: Element, default: Vector3, owner: str) -> Vector3:
    """Three finite numbers."""
    return vector3(reals(element, (3,), owner)) if element.text else default


def truth_in(parent: Element, tag: str, default: bool) -> bool:
    """What a child element says: true or false."""
    element = parent.only(tag)
    if element is None or not element.text:
        return default
    if element.text.lower() not in TRUTHS:
        raise ModelError(f'{element.where}: <{tag}> of {parent} says "{element.text:.80}"; expected true or false')
    return TRUTHS[element.text.lower()]


def pose_in(element: Element | None, owner: str) -> Placement:
    """The pose that a <pose> says, the identity without one: x y z roll pitch yaw, or x y z and a quaternion."""
    if element is None or not element.text:
        return Placement()
    form = element.attributes.get("rotation_format", "euler_rpy")
    match form:
        case "euler_rpy":
            *xyz, roll, pitch, yaw = reals(element, (6,), owner)
            in_degrees = element.attributes.get("degrees", "false").strip().lower() in ("true", "1")
            turn = math.pi / 180 if in_degrees else 1.0
            return Placement.from_rpy(xyz, (turn * roll, turn * pitch, turn * yaw))
        case "quat_xyzw":
            *xyz, x, y, z, w = reals(element, (7,), owner)
            if math.hypot(w, x, y, z) < 1e-9:
                raise ModelError(f"{element.where}: {of(element, owner)} has a quaternion that is zero")
            return Placement.of(from_quaternion(np.array([w, x, y, z])), xyz)
    raise ModelError(
        f'{element.where}: {of(element, owner)} has rotation_format="{form:.40}"; expected euler_rpy or quat_xyzw'
    )


def reals(element: Element, counts: tuple[int, ...], owner: str) -> list[float]:
    """Finite numbers, as many as one of `counts`."""
    return numbers_in(element.text, counts, f'{element.where}: {of(element, owner)} says "{element.text[:80]}"')
