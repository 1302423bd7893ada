"""How far frames are from where they are wanted, and how joint rates change that; arrays of any kind of number.

    position      e = p_wanted - p,                          ė = -J_v θ̇
    orientation   e = 2 sin(angle/2) axis of R_wanted R*,    ė = -J_ω θ̇ near the target
    direction     e = 2 sin(angle/2) axis from a to d,       ė = -(I - a a*) J_ω θ̇ near the target, a: the frame's axis

An error of half a turn has two directions, and one that changes smoothly must vanish somewhere. Near half a turn these
shrink, and a turn about a fixed choice of the two is added, so that they do not vanish where a frame is wanted upside
down or the other way round, but within 8 degrees of it at a place without symmetry, which a step leaves.

    squares       |p_wanted - p|²,   [2 sin(angle/2)]² = |R_wanted - R|²/2,   |d - a|²

are how far a frame is from where it is wanted, and vanish there alone.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from soadyn.mechanics.spatial.arithmetic import Array, cross, maximum, sqrt

NEARLY_OPPOSITE = 1e-2  # of 1 + cos(angle): nearer to half a turn the length of an error shrinks
ASIDE = np.array([[0.36], [0.48], [0.8]])  # chooses a way out of half a turn: along no axis that a person would choose


def position_error(goal: Array, pose: Array, J: Array) -> tuple[Array, Array]:
    """Of a frame's origin, (..., 3, 1), and the rows (..., 3, nv)."""
    return goal[..., None] - pose[..., :3, 3:], J[..., 3:, :]


def point_error(goal: Array, point: Array, J: Array) -> tuple[Array, Array]:
    """Of the mass centre; of closures, whose errors are to vanish."""
    return goal[..., None] - point[..., None], J


def orientation_error(goal: Array, pose: Array, J: Array) -> tuple[Array, Array]:
    """Of a frame's axes."""
    R = goal.reshape(*goal.shape[:-1], 3, 3) @ pose[..., :3, :3].mT
    # 1 + cos(angle) is half of 1 + trace; the skew part of R is sin(angle) axis.
    half = 0.5 * (1 + R[..., 0, 0] + R[..., 1, 1] + R[..., 2, 2])
    skew = [R[..., 2, 1] - R[..., 1, 2], R[..., 0, 2] - R[..., 2, 0], R[..., 1, 0] - R[..., 0, 1]]
    # (R + I) x = 2 n n* x at half a turn about n.
    away = R @ ASIDE + ASIDE
    return _chord(0.5 * np.stack(skew, axis=-1)[..., None], half, away), J[..., :3, :]


def direction_error(goal: Array, pose: Array, J: Array) -> tuple[Array, Array]:
    """Of one of a frame's axes."""
    d, own = goal[..., :3, None], goal[..., 3:, None]
    a = pose[..., :3, :3] @ own
    cosine = (a * d).sum(axis=(-1, -2))
    away = cross(a, np.broadcast_to(ASIDE, a.shape))
    return _chord(cross(a, d), 1 + cosine, away), J[..., :3, :] - a @ (a.mT @ J[..., :3, :])


def _chord(sine: Array, half: Any, away: Array) -> Array:
    """2 sin(angle/2) axis from sin(angle) axis and 1 + cos(angle) = 2 cos²(angle/2); near half a turn also `away`."""
    length = np.asarray(1 / sqrt(0.5 * maximum(half, NEARLY_OPPOSITE)))
    near = np.asarray(maximum(1 - half / NEARLY_OPPOSITE, 0.0))
    return sine * length[..., None, None] + away * near[..., None, None]


def position_square(goal: Array, pose: Array) -> Array:
    """The squared distance of a frame's origin."""
    return _square(goal - pose[..., :3, 3])


def point_square(goal: Array, point: Array) -> Array:
    """The squared distance of the mass centre."""
    return _square(goal - point)


def orientation_square(goal: Array, pose: Array) -> Array:
    """[2 sin(angle/2)]² of a frame's axes, 4 at half a turn."""
    R = pose[..., :3, :3]
    return 0.5 * _square(goal - R.reshape(*R.shape[:-2], 9))


def direction_square(goal: Array, pose: Array) -> Array:
    """[2 sin(angle/2)]² of one of a frame's axes."""
    a = pose[..., :3, :3] @ goal[..., 3:, None]
    return _square(goal[..., :3] - a[..., 0])


def _square(x: Array) -> Array:
    return (x * x).sum(axis=-1)


ERRORS = {
    "position": position_error,
    "orientation": orientation_error,
    "direction": direction_error,
    "com": point_error,
    "closures": point_error,
}
SQUARES = {
    "position": position_square,
    "orientation": orientation_square,
    "direction": direction_square,
    "com": point_square,
    "closures": point_square,
}
SIZES = {"position": 3, "orientation": 9, "direction": 6, "com": 3}
