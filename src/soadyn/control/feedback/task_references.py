"""What a task is told: where a frame or the mass centre shall be, how fast it shall move, and how that changes.

A reference is constant, follows a motion of the frame or of the joints, or is given as samples. Of samples of positions
and axes the rates are differences of second order.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from soadyn.control.feedback.references import SPACING, is_motion, states_of
from soadyn.errors import ArgumentError, ShapeError
from soadyn.kinematics.targets import Direction, Orientation, Pose, Position, parts_of
from soadyn.paths import FrameMotion
from soadyn.robot.arguments.arguments import FrameLike
from soadyn.simulation.drive.feedback import Reference
from soadyn.simulation.drive.time_series import TimeSeries

POSE = (4, 4)
# Of a kind of task: its references' names, after the frame's.
NAMES = {
    "position": ("position", "velocity", "acceleration"),
    "orientation": ("orientation", "angular velocity", "angular acceleration"),
    "com": ("position", "velocity", "acceleration"),
}
ANGULAR, LINEAR = slice(0, 3), slice(3, 6)

# A kind of task, and its references: where, and if that moves how fast and how that changes.
Wanted = tuple[str, tuple[Reference, ...]]


def wanted_of(frame: FrameLike, target: Any, own: str) -> list[Wanted]:
    """The tasks that a target of a frame makes; `own` is who asks."""
    several = target if isinstance(target, list) and any(_is_named(x) for x in target) else [target]
    found: list[Wanted] = []
    for one in several:
        if isinstance(one, Direction):
            raise ArgumentError(f"{own}: a frame is brought to a Position, Orientation or Pose, not a Direction")
        inner = _inside(one)
        if isinstance(inner, FrameMotion | TimeSeries) or is_motion(inner):
            found += [(kind, _moving(kind, inner, frame, own)) for kind in _kinds(one, inner)]
        else:
            found += [(part.kind, (part.goal,)) for part in parts_of({frame: one}, None)[1]]
    return found


def centre_of(com: Any, own: str) -> Wanted:
    """The task of the mass centre."""
    if isinstance(com, TimeSeries):
        return "com", _with_rates(_checked(com, (3,), own))
    if is_motion(com):
        t, q, v, _ = states_of(com)
        rates = (com.robot.center_of_mass_jacobian(q) @ v[..., None])[..., 0]
        values = com.robot.center_of_mass(q), rates, np.gradient(rates, t, axis=0, edge_order=2)
        return "com", tuple(TimeSeries(t, x) for x in values)
    return "com", (parts_of({}, com)[1][0].goal,)


def _is_named(x: Any) -> bool:
    return isinstance(x, Position | Orientation | Pose | Direction)


def _inside(target: Any) -> Any:
    match target:
        case Position(x) | Orientation(x) | Pose(x):
            return x
    return target


def _kinds(target: Any, inner: Any) -> tuple[str, ...]:
    """Which tasks a moving target makes. Plain samples are of positions or poses, plain motions of poses."""
    match target:
        case Position():
            return ("position",)
        case Orientation():
            return ("orientation",)
    poses = not isinstance(inner, TimeSeries) or isinstance(target, Pose) or inner.values.shape[-2:] == POSE
    return ("position", "orientation") if poses else ("position",)


def _moving(kind: str, x: Any, frame: FrameLike, own: str) -> tuple[Reference, ...]:
    if not isinstance(x, TimeSeries):
        return _along_motion(kind, x, frame)
    core = POSE if x.values.shape[-2:] == POSE else (3,) if kind == "position" else (3, 3)
    values = _checked(x, core, own).values
    if core == POSE:
        values = values[..., :3, 3] if kind == "position" else values[..., :3, :3]
    if kind == "position":
        return _with_rates(TimeSeries(x.times, values, hold=x.hold))
    flat = TimeSeries(x.times, values.reshape(*values.shape[:-2], 9), hold=x.hold)
    if x.hold or len(x.times) < 3:
        return (flat,)
    turning = np.gradient(values, x.times, axis=0, edge_order=2) @ values.mT  # skew: ω̃
    omega = 0.5 * np.stack([turning[..., i, j] - turning[..., j, i] for i, j in ((2, 1), (0, 2), (1, 0))], axis=-1)
    return (flat, TimeSeries(x.times, omega), TimeSeries(x.times, np.gradient(omega, x.times, axis=0, edge_order=2)))


def _along_motion(kind: str, motion: Any, frame: FrameLike) -> tuple[Reference, ...]:
    if isinstance(motion, FrameMotion):
        t = np.linspace(0.0, motion.duration, int(np.ceil(motion.duration / SPACING)) + 1)
        pose, V, A = motion.pose(t), motion.twist(t), motion.acceleration(t)
    else:
        t, q, v, a = states_of(motion)
        robot = motion.robot
        pose, V, A = robot.pose(q, frame), robot.frame_velocity(q, v, frame), robot.frame_acceleration(q, v, a, frame)
    place = pose[..., :3, 3] if kind == "position" else pose[..., :3, :3].reshape(*pose.shape[:-2], 9)
    rows = LINEAR if kind == "position" else ANGULAR
    return tuple(TimeSeries(t, x) for x in (place, V[..., rows], A[..., rows]))


def _checked(x: TimeSeries, core: tuple[int, ...], own: str) -> TimeSeries:
    if x.values.shape[-len(core) :] != core or x.values.ndim <= len(core):
        raise ShapeError(
            f"{own}: samples have shape {x.values.shape[1:]} each; expected positions (..., 3), poses (..., 4, 4) "
            "or, for an Orientation, rotations (..., 3, 3)"
        )
    return x


def _with_rates(x: TimeSeries) -> tuple[Reference, ...]:
    if x.hold or len(x.times) < 3:
        return (x,)
    rates = np.gradient(x.values, x.times, axis=0, edge_order=2)
    return (x, TimeSeries(x.times, rates), TimeSeries(x.times, np.gradient(rates, x.times, axis=0, edge_order=2)))
