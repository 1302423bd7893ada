"""Poses as 4x4 matrices (..., 4, 4): their logarithm, their error, and the ways from one to another."""

from __future__ import annotations

import numpy as np

from soadyn.mechanics.spatial.rotation import from_vector, left_jacobian_solve, left_jacobian_times, vector_of
from soadyn.mechanics.spatial.transform import Transform


def transform(pose: np.ndarray) -> Transform:
    """φ of a frame at a pose."""
    return Transform(pose[..., :3, :3], pose[..., :3, 3:])


def pose_of(R: np.ndarray, p: np.ndarray) -> np.ndarray:
    """The pose with a rotation and a position."""
    return np.asarray(Transform(R, p[..., None]).homogeneous())


def exponential(twist: np.ndarray) -> np.ndarray:
    """Where a frame is that moved with the rates [ω; v] along its own axes for one unit of time."""
    omega, v = twist[..., :3], twist[..., 3:]
    return pose_of(from_vector(omega), left_jacobian_times(omega, v))


def logarithm(pose: np.ndarray) -> np.ndarray:
    """The rates with `exponential(rates) = pose` that turn by half a revolution at most, (..., 6)."""
    omega = vector_of(pose[..., :3, :3])
    return np.concatenate([omega, left_jacobian_solve(omega, pose[..., :3, 3])], axis=-1)


def inverse(pose: np.ndarray) -> np.ndarray:
    """The pose of the other frame in this one."""
    return np.asarray(transform(pose).inverse().homogeneous()) + 0.0  # no zeros with a sign


def error(pose: np.ndarray, target: np.ndarray) -> np.ndarray:
    """[turn; displacement] in world axes from a pose to a target, (..., 6)."""
    turn = vector_of(target[..., :3, :3] @ pose[..., :3, :3].mT)
    return np.concatenate([turn, target[..., :3, 3] - pose[..., :3, 3]], axis=-1)


def turned_evenly(start: np.ndarray, end: np.ndarray, s: np.ndarray) -> np.ndarray:
    """Rotations on the shortest turn from start to end, of which s is the share."""
    return np.asarray(start @ from_vector(s[..., None] * vector_of(start.mT @ end)))


def on_line(start: np.ndarray, end: np.ndarray, s: np.ndarray) -> np.ndarray:
    """Poses with the origin on the straight line, turning evenly."""
    p = start[..., :3, 3] + s[..., None] * (end[..., :3, 3] - start[..., :3, 3])
    return pose_of(turned_evenly(start[..., :3, :3], end[..., :3, :3], s), p)


def on_screw(start: np.ndarray, end: np.ndarray, s: np.ndarray) -> np.ndarray:
    """Poses on the screw that leads from start to end."""
    return np.asarray(start @ exponential(s[..., None] * logarithm(inverse(start) @ end)))
