"""What joints are to follow: configurations, samples of them, or motions with their rates and accelerations."""

from __future__ import annotations

from typing import Any

import numpy as np

from soadyn.errors import ArgumentError, ShapeError
from soadyn.robot import Robot
from soadyn.robot.arguments import arguments
from soadyn.simulation.drive.feedback import Reference
from soadyn.simulation.drive.time_series import TimeSeries

SPACING = 0.001  # seconds between the samples that are taken of a motion


def joint_references(robot: Robot, own: str, q: Any, v: Any = None, a: Any = None) -> dict[str, Reference]:
    """References by name; those that are None are left out. `own` is who asks."""
    if is_motion(q):
        if v is not None or a is not None:
            raise ArgumentError(f"{own}: a motion has its rates and accelerations; give q alone")
        t, *states = states_of(q)
        q, v, a = (TimeSeries(t, x) for x in states)
    given = {"q": q, "v": v, "a": a}
    return {name: joint_reference(robot, x, name, own) for name, x in given.items() if x is not None}


def joint_reference(robot: Robot, x: Any, name: str, own: str) -> Reference:
    """A constant or sampled vector, checked."""
    size = robot.nq if name == "q" else robot.nv
    if isinstance(x, TimeSeries):
        if x.values.shape[-1] != size:
            raise ShapeError(f"{own}: samples of {name} have {x.values.shape[-1]} numbers each; expected {size}")
        return x
    space = robot.engine.coordinates
    vector = arguments.coordinates(space, x) if name == "q" else arguments.joint_vector(space, x, name)
    if vector.dtype.kind == "f" and not np.isfinite(vector).all():
        raise ArgumentError(f"{own}: {name} to be followed holds numbers that are not finite, got {x!r:.80}")
    return vector


def is_motion(x: Any) -> bool:
    """Is this a motion of `sd.paths`, a trajectory, a plan, or what an optimisation found?"""
    return all(isinstance(getattr(x, name, None), np.ndarray) for name in ("t", "q", "v"))


def states_of(motion: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Times, q, v and a along a motion, of which the joints rest after the end."""
    t, state = motion.t, motion
    if hasattr(motion, "at"):
        t = np.linspace(t[0], t[-1], int(np.ceil((t[-1] - t[0]) / SPACING)) + 1)
        state = motion.at(t)
    q, v, a = state.q, state.v, getattr(state, "a", None)
    a = np.gradient(v, t, axis=0) if a is None else a
    if v[-1].any():
        t = np.append(t, t[-1] + SPACING)
        q, v, a = (np.concatenate([x, y]) for x, y in ((q, q[-1:]), (v, 0 * v[-1:]), (a, 0 * a[-1:])))
    return t, q, v, a
