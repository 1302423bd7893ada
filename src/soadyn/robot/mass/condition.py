"""Extreme eigenvalues of symmetric operators from products alone (Lanczos), batched."""

from __future__ import annotations

import numpy as np

from soadyn.robot.mass.joint_operator import JointOperator

# Steps of Lanczos' recursion at most; with as many steps as components the eigenvalue is exact but for rounding.
MOST_STEPS = 40
# A remainder so much smaller than the vector that it was left of is zero.
NOTHING = 1e-12


def largest_eigenvalue(X: JointOperator, rng: np.random.Generator) -> np.ndarray:
    """The largest eigenvalue of a symmetric operator, a lower bound if there are more than MOST_STEPS components."""
    *batch, nv, _ = X.shape
    q = _unit(np.broadcast_to(rng.standard_normal(nv), (*batch, nv)))
    basis, diagonal, beside = [q], [], []
    for _ in range(min(nv, MOST_STEPS)):
        w = X @ basis[-1]
        diagonal.append((basis[-1] * w).sum(axis=-1))
        size = np.linalg.norm(w, axis=-1)
        for _ in range(2):  # once more, since what is subtracted leaves rounding errors
            for known in basis:
                w = w - (known * w).sum(axis=-1)[..., None] * known
        left = np.linalg.norm(w, axis=-1)
        beside.append(np.where(left > NOTHING * size, left, 0.0))
        basis.append(_unit(np.where((beside[-1] > 0)[..., None], w, 0.0)))
    return np.linalg.eigvalsh(_tridiagonal(diagonal, beside))[..., -1]


def _unit(x: np.ndarray) -> np.ndarray:
    """x of length one; zero if it is zero."""
    length = np.linalg.norm(x, axis=-1)[..., None]
    return np.divide(x, length, out=np.zeros_like(x), where=length > 0)


def _tridiagonal(diagonal: list[np.ndarray], beside: list[np.ndarray]) -> np.ndarray:
    n = len(diagonal)
    matrix = np.zeros((*diagonal[0].shape, n, n))
    for i in range(n):
        matrix[..., i, i] = diagonal[i]
        if i + 1 < n:
            matrix[..., i, i + 1] = matrix[..., i + 1, i] = beside[i]
    return matrix
