"""SDF joints: kinds, axes, limits, springs, dampers, mimics, gears."""

from __future__ import annotations

import math

import numpy as np

from soadyn.errors import ModelError, unknown_name
from soadyn.loading.document import Element
from soadyn.loading.sdf_frames import MODEL, WORLD, Frames, Scope
from soadyn.loading.sdf_values import limit_in, name_in, real_in, text_in, truth_in, vector_in
from soadyn.loading.values import text
from soadyn.model.draft import DraftJoint, Mimic
from soadyn.model.model import INFINITY
from soadyn.model.placement import Placement, Vector3, vector3

GEARBOX = "gearbox"
# SDF's types as the model calls them.
TYPES = {
    "revolute": "revolute",
    "continuous": "continuous",
    "prismatic": "prismatic",
    "ball": "spherical",
    "universal": "universal",
    "revolute2": "universal",
    "screw": "helical",
    "fixed": "fixed",
}
AXES = {"fixed": (), "spherical": (), "universal": ("axis", "axis2")}  # one for all others
DEFAULT_AXIS: Vector3 = (0.0, 0.0, 1.0)


def joint_type(element: Element) -> str:
    """SDF's type of a joint, one that is known."""
    kind = text(element, "type")
    if kind not in (*TYPES, GEARBOX):
        raise ModelError(f"{element.where}: {element}: {unknown_name('joint type', kind, (*TYPES, GEARBOX))}")
    return kind


def read_joint(element: Element, scope: Scope, frames: Frames, in_model: bool) -> DraftJoint:
    """A joint between two links; `in_model`: its axes are along the model's axes, as in SDF 1.4."""
    name = scope.full(text(element, "name"))
    owner = f"joint {name!r}"
    kind = TYPES[joint_type(element)]
    parent, child = (frames.find(scope, name_in(element, end), element.where) for end in ("parent", "child"))
    outer, inner = frames.link_of(parent), frames.link_of(child)
    if inner is None:
        raise ModelError(f"{element.where}: {owner} has the world as its child; only its parent can be")
    joint = DraftJoint(
        name,
        kind,
        outer,
        inner,
        placement=frames.between(outer or WORLD, name),
        offset=frames.between(name, inner),
        where=element.where,
    )
    axes = [element.only(axis) for axis in AXES.get(kind, ("axis",))]
    if kind == "universal" and None in axes:
        raise ModelError(f"{element.where}: {owner} turns about two axes; it needs <axis> and <axis2>")
    directions = [_direction(axis, name, owner, scope, frames, in_model) for axis in axes]
    if directions:
        joint.axis, joint.axis2 = directions[0], directions[-1]
    if kind == "helical":
        joint.pitch = _pitch(element, owner)
    said = [axis for axis in axes if axis is not None]
    if said:
        _read_figures(joint, said, scope, owner)
    return joint


def gear_axis(element: Element, tag: str, scope: Scope, frames: Frames, in_model: bool) -> Vector3:
    """The direction of a gearbox's axis, in its joint frame."""
    name = scope.full(text(element, "name"))
    return _direction(element.only(tag), name, f"joint {name!r}", scope, frames, in_model)


def _direction(axis: Element | None, joint: str, owner: str, scope: Scope, frames: Frames, in_model: bool) -> Vector3:
    """An axis in the joint's frame, where the file may say it in another."""
    xyz = None if axis is None else axis.only("xyz")
    if axis is None or xyz is None:
        return DEFAULT_AXIS
    direction = vector_in(xyz, DEFAULT_AXIS, owner)
    if math.hypot(*direction) < 1e-9:
        raise ModelError(f'{xyz.where}: {owner} has axis "{xyz.text}", which is zero; an axis needs a direction')
    expressed_in = xyz.attributes.get("expressed_in", "")
    if truth_in(axis, "use_parent_model_frame", in_model):
        expressed_in = expressed_in or MODEL
    if not expressed_in:
        return direction
    turn = np.array(frames.between(joint, frames.find(scope, expressed_in, xyz.where)).rotation)
    return vector3(Placement.of(None, turn @ direction).position)


def _pitch(element: Element, owner: str) -> float:
    """How far a screw slides, m/rad.

    `screw_thread_pitch` is in metres a turn; `thread_pitch`, its forerunner, in radians a metre, left-handed.
    """
    old = element.only("thread_pitch")
    if old is None or element.only("screw_thread_pitch") is not None:
        return real_in(element, "screw_thread_pitch", 1.0, owner) / (2 * math.pi)
    turns = real_in(element, "thread_pitch", 1.0, owner)
    if abs(turns) < 1e-9:
        raise ModelError(f"{old.where}: {owner} has thread_pitch {turns}, radians a metre; it must not be zero")
    return -1 / turns


def _read_figures(joint: DraftJoint, axes: list[Element], scope: Scope, owner: str) -> None:
    """Limits, springs and dampers of each axis."""
    limits = [axis.only("limit") for axis in axes]
    dynamics = [axis.only("dynamics") for axis in axes]

    def limit(tag: str, default: float) -> tuple[float, ...]:
        return tuple(default if x is None else limit_in(x, tag, default, owner) for x in limits)

    def figure(tag: str) -> tuple[float, ...]:
        return tuple(0.0 if x is None else real_in(x, tag, 0.0, owner) for x in dynamics)

    if joint.kind != "continuous":
        joint.lower, joint.upper = limit("lower", -INFINITY), limit("upper", INFINITY)
        for low, up, axis in zip(joint.lower, joint.upper, axes, strict=True):
            if low > up:
                raise ModelError(f"{axis.where}: {owner} has limits lower={low}, upper={up}; upper must not be below")
    # Negative: not enforced. The format wants both, so files write 0 for those that nobody knows.
    joint.velocity = tuple(x if x > 0 else INFINITY for x in limit("velocity", INFINITY))
    joint.effort = tuple(x if x > 0 else INFINITY for x in limit("effort", INFINITY))
    joint.damping, joint.friction = figure("damping"), figure("friction")
    joint.stiffness, joint.rest = figure("spring_stiffness"), figure("spring_reference")
    mimic = axes[0].only("mimic")
    if mimic is not None and len(axes) == 1:
        multiplier = real_in(mimic, "multiplier", 1.0, owner)
        offset = real_in(mimic, "offset", 0.0, owner) - multiplier * real_in(mimic, "reference", 0.0, owner)
        joint.mimic = Mimic(scope.full(text(mimic, "joint", owner)), multiplier, offset)


def reference_body(element: Element) -> str:
    """The link from which a gearbox counts its angles."""
    return text_in(element, "gearbox_reference_body")
