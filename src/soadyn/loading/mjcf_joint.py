"""One MJCF joint.

MuJoCo turns a body about an anchor p given in the body's frame and counts from qpos0:

    T(q) = trans(p) rot(axis, q - qpos0) trans(-p)          slide: trans(axis (q - qpos0))

so that the draft's placement is trans(p) rot(axis, -qpos0), its offset trans(-p), and its coordinate qpos itself.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from soadyn.loading.mjcf_names import Names
from soadyn.mechanics.spatial.rotation import from_vector
from soadyn.model.draft import DraftJoint
from soadyn.model.placement import Placement, vector3

KINDS = ("free", "spherical", "prismatic", "revolute")  # by MuJoCo's mjtJoint
ON_JOINTS = (0, 1)  # mjtTrn: actuators that act on a joint, given in the joint's or in the parent's frame
COORDINATES = {"revolute": 1, "prismatic": 1, "spherical": 4, "free": 7}
RATES = {"revolute": 1, "prismatic": 1, "spherical": 3, "free": 6}


def read_joint(compiled: Any, joint: int, names: Names, parent: str | None, child: str, pose: Placement) -> DraftJoint:
    """The joint between `parent` and `child`, placed by the body's `pose`."""
    kind = KINDS[compiled.jnt_type[joint]]
    placement, offset = _placement(compiled, joint, kind)
    # A free joint's coordinates are the pose in the world; the body's own pose is only where they start.
    pose = Placement() if kind == "free" else pose
    axis = vector3(compiled.jnt_axis[joint])
    drafted = DraftJoint(
        names.joint[joint],
        kind,
        parent,
        child,
        pose.then(placement),
        axis,
        offset=offset,
        where=names.where_joint(joint),
    )
    _read_dynamics(compiled, joint, drafted)
    if kind in ("revolute", "prismatic") and compiled.jnt_limited[joint]:
        drafted.lower, drafted.upper = map(float, compiled.jnt_range[joint])
    if kind in ("revolute", "prismatic") and compiled.jnt_actfrclimited[joint]:
        drafted.effort = float(np.abs(compiled.jnt_actfrcrange[joint]).max())
    return drafted


def _placement(compiled: Any, joint: int, kind: str) -> tuple[Placement, Placement]:
    """Inboard frame in the body frame before the joint's motion, body frame in the outboard frame after it."""
    if kind == "free":
        return Placement(), Placement()
    anchor, axis = compiled.jnt_pos[joint], compiled.jnt_axis[joint]
    start = compiled.qpos0[compiled.jnt_qposadr[joint]]
    match kind:
        case "revolute":
            back = from_vector(-start * axis)
            return Placement.of(back, anchor), Placement.of(None, -anchor)
        case "prismatic":
            return Placement.of(None, -start * axis), Placement()
        case _:
            return Placement.of(None, anchor), Placement.of(None, -anchor)


def _read_dynamics(compiled: Any, joint: int, drafted: DraftJoint) -> None:
    rates = slice(compiled.jnt_dofadr[joint], compiled.jnt_dofadr[joint] + RATES[drafted.kind])
    coordinates = slice(compiled.jnt_qposadr[joint], compiled.jnt_qposadr[joint] + COORDINATES[drafted.kind])
    # As products: a power that overflows raises, an infinite armature is told with its joint.
    squares = [(k, gear * gear) for k, gear in _motor_gears(compiled, joint)]
    rotor = sum(square * compiled.actuator_armature[k] for k, square in squares)
    drag = sum(square * compiled.actuator_damping[k] for k, square in squares)
    drafted.armature = _turned(drafted.kind, compiled.dof_armature[rates] + rotor, 3)
    drafted.damping = _turned(drafted.kind, compiled.dof_damping[rates] + drag, 3)
    drafted.friction = _turned(drafted.kind, compiled.dof_frictionloss[rates], 3)
    drafted.stiffness = float(compiled.jnt_stiffness[joint])
    drafted.rest = _turned(drafted.kind, compiled.qpos_spring[coordinates], 3)


def _turned(kind: str, values: Any, linear: int) -> tuple[float, ...]:
    """A free joint's linear part, first in MuJoCo, moved behind the angular part."""
    if kind == "free":
        values = [*values[linear:], *values[:linear]]
    return tuple(float(value) for value in values)


def _motor_gears(compiled: Any, joint: int) -> list[tuple[int, float]]:
    """The actuators on a joint with their gear: rotor inertia and damping are felt gear squared."""
    return [
        (k, float(compiled.actuator_gear[k][0]))
        for k in range(compiled.nactuator)
        if int(compiled.actuator_trntype[k]) in ON_JOINTS and int(compiled.actuator_trnid[k][0]) == joint
    ]
