"""How far frames are from where they are wanted, and how joint rates change that; arrays of any kind of number.

    position      e = p_wanted - p,                          ė = -J_v θ̇
    orientation   e = 2 sin(angle/2) axis of R_wanted R*,    ė = -J_ω θ̇ near the target
    direction     e = 2 sin(angle/2) axis from a to d,       ė = -(I - a a*) J_ω θ̇ near the target, a: the frame's axis

An error of half a turn has no direction; there the lengths shrink and a step leads away by what else is wanted.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from soadyn.spatial.arithmetic import Array, cross, maximum, sqrt

NEARLY_OPPOSITE = 1e-2  # of 1 + cos(angle): nearer to half a turn the length of an error shrinks


def position_error(goal: Array, pose: Array, J: Array) -> tuple[Array, Array]:
    """Of a frame's origin, (..., 3, 1), and the rows (..., 3, nv)."""
    return goal[..., None] - pose[..., :3, 3:], J[..., 3:, :]


def point_error(goal: Array, point: Array, J: Array) -> tuple[Array, Array]:
    """Of the mass centre."""
    return goal[..., None] - point[..., None], J


def orientation_error(goal: Array, pose: Array, J: Array) -> tuple[Array, Array]:
    """Of a frame's axes."""
    R = goal.reshape(*goal.shape[:-1], 3, 3) @ pose[..., :3, :3].mT
    # 1 + cos(angle) is half of 1 + trace; the skew part of R is sin(angle) axis.
    half = 0.5 * (1 + R[..., 0, 0] + R[..., 1, 1] + R[..., 2, 2])
    skew = [R[..., 2, 1] - R[..., 1, 2], R[..., 0, 2] - R[..., 2, 0], R[..., 1, 0] - R[..., 0, 1]]
    return _chord(0.5 * np.stack(skew, axis=-1)[..., None], half), J[..., :3, :]


def direction_error(goal: Array, pose: Array, J: Array) -> tuple[Array, Array]:
    """Of one of a frame's axes."""
    d, own = goal[..., :3, None], goal[..., 3:, None]
    a = pose[..., :3, :3] @ own
    cosine = (a * d).sum(axis=(-1, -2))
    return _chord(cross(a, d), 1 + cosine), J[..., :3, :] - a @ (a.mT @ J[..., :3, :])


def _chord(sine: Array, half: Any) -> Array:
    """2 sin(angle/2) axis from sin(angle) axis and 1 + cos(angle) = 2 cos²(angle/2)."""
    return sine * np.asarray(1 / sqrt(0.5 * maximum(half, NEARLY_OPPOSITE)))[..., None, None]


ERRORS = {
    "position": position_error,
    "orientation": orientation_error,
    "direction": direction_error,
    "com": point_error,
}
SIZES = {"position": 3, "orientation": 9, "direction": 6, "com": 3}
