"""One step of inverse kinematics: damped Gauss-Newton in the space of the task, within limits.

    Δθ = x + J* (J J* + λ I)⁻¹ (e - J x),    λ = ½ e* e + λ₀

the damping of Sugihara (2011, IEEE Trans. Robotics 27), which vanishes with the error, so that the last steps are
Newton's. x leans to a preferred posture; the rest of the formula takes out of it what would move the targets.

It is also a smoothed estimate (003 [4]): joint increments are white noise of mean x and covariance I, the frames'
errors are measured with noise of covariance λ I, and Δθ is the mean of the increments given e = J Δθ + noise.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, final

import numpy as np

from soadyn.mechanics.spatial.arithmetic import Array, factor, is_positive, maximum, solve_factored

LEAST_DAMPING = 1e-10
AT_LIMIT = 1e-9  # rad or m: a joint this near to a limit stands at it


def damped_step(J: Array, e: Array, lean: Array | None) -> Array:
    """Joint increments (..., nv, 1) for errors e (..., m, 1) and their rows J (..., m, nv)."""
    damping = 0.5 * (e.mT @ e) + LEAST_DAMPING
    A = J @ J.mT + damping * np.eye(J.shape[-2])
    L, d, _ = factor(A, [0.0] * J.shape[-2])
    wanted = e if lean is None else e - J @ lean
    moved = J.mT @ solve_factored(L, d, wanted)
    return moved if lean is None else lean + moved


@final
@dataclass(frozen=True, eq=False, slots=True)
class PositionLimits:
    """Position limits of q, infinite where there are none, and the place in q of each joint component that has some."""

    lower: np.ndarray
    upper: np.ndarray
    coordinate: tuple[int | None, ...]  # by joint component; None for components of quaternions


def free_to_move(J: Array, e: Array, q: Array, limits: PositionLimits) -> Array:
    """J without the columns of joints at a limit which a descent would take beyond it."""
    downhill = (J.mT @ e)[..., 0]
    columns = []
    for i, place in enumerate(limits.coordinate):
        kept: Any = 1.0
        if place is not None and np.isfinite(limits.upper[place]):
            at_upper = is_positive(q[..., place] - (limits.upper[place] - AT_LIMIT))
            kept = kept - at_upper * is_positive(downhill[..., i])
        if place is not None and np.isfinite(limits.lower[place]):
            at_lower = is_positive(limits.lower[place] + AT_LIMIT - q[..., place])
            kept = kept - at_lower * is_positive(-downhill[..., i])
        columns.append(J[..., i] * np.asarray(kept)[..., None])
    return np.stack(np.broadcast_arrays(*columns), axis=-1)


def clamped(q: Array, limits: PositionLimits) -> Array:
    """q within limits."""
    entries = []
    for i in range(q.shape[-1]):
        x: Any = q[..., i]
        x = maximum(x, limits.lower[i]) if np.isfinite(limits.lower[i]) else x
        x = -maximum(-x, -limits.upper[i]) if np.isfinite(limits.upper[i]) else x
        entries.append(x)
    return np.stack(np.broadcast_arrays(*entries), axis=-1)
