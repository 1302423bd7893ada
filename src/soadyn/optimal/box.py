"""The least of many quadratic functions between bounds, all at once.

    minimise ½ k* H k + g* k    such that  lower <= k <= upper

by projected Newton steps (D. P. Bertsekas, Projected Newton methods for optimization problems with simple constraints,
SIAM Journal on Control and Optimization 20(2), 1982): components that a bound holds back stay, the others take
Newton's step, and what passes a bound is put back on it.
"""

from __future__ import annotations

import numpy as np

SCALES = 0.5 ** np.arange(8)  # of Newton's step, tried at once
ITERATIONS = 25
ACCURACY = 1e-10


def least(H: np.ndarray, g: np.ndarray, lower: np.ndarray, upper: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """k (..., n), and which of its components no bound holds, booleans (..., n). H is positive definite.

    >>> k, free = least(np.array([[2.0, 1.0], [1.0, 2.0]]), np.array([-4.0, 0.0]), np.array([-1.0, -1]), np.ones(2))
    >>> k.tolist(), free.tolist()
    ([1.0, -0.5], [False, True])
    """
    k = np.clip(-np.linalg.solve(H, g[..., None])[..., 0], lower, upper)
    for _ in range(ITERATIONS if H.shape[-1] > 1 else 0):
        slope = (H @ k[..., None])[..., 0] + g
        free = _free(k, slope, lower, upper)
        change = -free_solved(H, (slope * free)[..., None], free)[..., 0]
        if (np.abs(change) <= ACCURACY * (1 + np.abs(k))).all():
            break
        tried = np.clip(
            k[..., None, :] + SCALES[:, None] * change[..., None, :], lower[..., None, :], upper[..., None, :]
        )
        value = np.einsum("...sn,...sn->...s", tried, 0.5 * tried @ H + g[..., None, :])
        best = np.argmin(value, axis=-1)
        k = np.take_along_axis(tried, best[..., None, None], axis=-2)[..., 0, :]
    return k, _free(k, (H @ k[..., None])[..., 0] + g, lower, upper)


def _free(k: np.ndarray, slope: np.ndarray, lower: np.ndarray, upper: np.ndarray) -> np.ndarray:
    return ~(((k <= lower) & (slope > 0)) | ((k >= upper) & (slope < 0)))


def free_solved(H: np.ndarray, b: np.ndarray, free: np.ndarray) -> np.ndarray:
    """x with H x = b (..., n, m) on the free components, zero on the others."""
    both = free[..., :, None] & free[..., None, :]
    alone = np.where(both, H, np.eye(H.shape[-1]))
    return np.asarray(np.linalg.solve(alone, b * free[..., None]))
