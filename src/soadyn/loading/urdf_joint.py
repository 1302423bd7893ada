"""URDF joints: kinds, axes, limits, dynamics, mimic."""

from __future__ import annotations

import math

import numpy as np

from soadyn.errors import ModelError, unknown_name
from soadyn.loading.document import Element
from soadyn.loading.values import child, figures, number, numbers, text, vector
from soadyn.mechanics.joint import KINDS
from soadyn.model.draft import DraftJoint, Mimic
from soadyn.model.model import INFINITY
from soadyn.model.placement import Placement, Vector3

# URDF's types, and those we add, as the model calls them.
TYPES = {
    "revolute": "revolute",
    "continuous": "continuous",
    "prismatic": "prismatic",
    "fixed": "fixed",
    "floating": "free",
    "planar": "planar",
    "helical": "helical",
    "cylindrical": "cylindrical",
    "universal": "universal",
    "spherical": "spherical",
}
DEFAULT_AXIS = (1.0, 0.0, 0.0)  # URDF's own
DEFAULT_AXIS2 = (0.0, 1.0, 0.0)


def read_joint(element: Element, placement: Placement) -> tuple[DraftJoint, list[str]]:
    """A joint, and what is worth telling about it."""
    name = text(element, "name")
    owner = f"joint {name!r}"
    joint = DraftJoint(
        name,
        _kind(element, owner),
        parent=text(child(element, "parent"), "link", owner),
        child=text(child(element, "child"), "link", owner),
        placement=placement,
        where=element.where,
    )
    if joint.kind == "fixed":
        return joint, []
    read_axes(element, joint, owner)
    notes = _read_limits(element, joint, owner)
    _read_dynamics(element, joint, owner)
    _read_mimic(element, joint, owner)
    return joint, notes


def _kind(element: Element, owner: str) -> str:
    kind = text(element, "type")
    if kind not in TYPES:
        raise ModelError(f"{element.where}: {owner}: {unknown_name('joint type', kind, TYPES)}")
    return TYPES[kind]


def read_axes(element: Element, joint: DraftJoint, owner: str) -> None:
    """Put the axes and the pitch that a joint says into its draft."""
    axis = element.only("axis")
    joint.axis = _axis(axis, DEFAULT_AXIS, joint, owner)
    if joint.kind == "helical":
        if axis is None or "pitch" not in axis.attributes:
            where = (axis or element).where
            raise ModelError(f'{where}: {owner} is helical; its <axis> needs an attribute "pitch" (m/rad)')
        joint.pitch = number(axis, "pitch", owner=owner)
    if joint.kind == "universal":
        joint.axis2 = _axis(element.only("axis2"), DEFAULT_AXIS2, joint, owner)


def _axis(element: Element | None, default: Vector3, joint: DraftJoint, owner: str) -> Vector3:
    """A direction of any length but zero. Joints without an axis may carry any: other tools write 0 0 0 there."""
    if element is None:
        return default
    axis = vector(element, "xyz", default, owner)
    needed = joint.kind == "universal" or (joint.kind in KINDS and KINDS[joint.kind].has_axis)
    if needed and math.hypot(*axis) < 1e-9:
        xyz = element.attributes["xyz"]
        raise ModelError(f'{element.where}: {owner} has axis "{xyz}", which is zero; an axis needs a direction')
    return axis


def _sizes(kind: str) -> tuple[int, int]:
    """How many coordinates and rates a kind has."""
    return (2, 2) if kind == "universal" else (KINDS[kind].nq, KINDS[kind].nv)


def _read_limits(element: Element, joint: DraftJoint, owner: str) -> list[str]:
    nq, nv = _sizes(joint.kind)
    limit = element.only("limit")
    notes: list[str] = []
    joint.velocity, joint.effort = (_largest(limit, name, nv, owner) for name in ("velocity", "effort"))
    if joint.kind in ("continuous", "free", "spherical"):
        return notes
    if limit is None:
        if joint.kind in ("revolute", "prismatic"):
            notes.append(f"{element.where}: {owner} has no <limit>; it is taken as unlimited")
        return notes
    missing = [side for side in ("lower", "upper") if side not in limit.attributes]
    lower, upper = -INFINITY, INFINITY
    if missing and joint.kind in ("revolute", "prismatic"):
        lower = upper = 0.0
        notes.append(f"{limit.where}: {owner} has no limit {' and '.join(missing)}; URDF takes it as 0")
    joint.lower = figures(limit, "lower", nq, lower, owner)
    joint.upper = figures(limit, "upper", nq, upper, owner)
    if np.any(np.asarray(joint.lower) > np.asarray(joint.upper)):
        raise ModelError(
            f"{limit.where}: {owner} has limits lower={joint.lower}, upper={joint.upper}; lower must not exceed upper"
        )
    return notes


def _largest(limit: Element | None, attribute: str, nv: int, owner: str) -> float | tuple[float, ...]:
    """The largest rates or forces. The format wants both, so files write 0 for those that nobody knows."""
    found = figures(limit, attribute, nv, INFINITY, owner)
    return found or INFINITY if isinstance(found, float) else tuple(x or INFINITY for x in found)


def _read_dynamics(element: Element, joint: DraftJoint, owner: str) -> None:
    nq, nv = _sizes(joint.kind)
    dynamics = element.only("dynamics")
    joint.damping = figures(dynamics, "damping", nv, 0.0, owner)
    joint.friction = figures(dynamics, "friction", nv, 0.0, owner)
    joint.armature = figures(dynamics, "armature", nv, 0.0, owner)
    joint.stiffness = figures(dynamics, "stiffness", nv, 0.0, owner)
    if dynamics is not None and "rest" in dynamics.attributes:
        # One number cannot stand for a quaternion.
        counts = (nq,) if joint.kind in ("free", "spherical") else (1, nq)
        rest = numbers(dynamics, "rest", counts, owner)
        joint.rest = rest[0] if len(rest) == 1 else tuple(rest)


def _read_mimic(element: Element, joint: DraftJoint, owner: str) -> None:
    mimic = element.only("mimic")
    if mimic is not None:
        joint.mimic = Mimic(
            text(mimic, "joint", owner),
            number(mimic, "multiplier", 1.0, owner),
            number(mimic, "offset", 0.0, owner),
        )
