"""Arguments with a number for each of several things: one number counts for all. Weights may be matrices."""

from __future__ import annotations

from typing import Any

import numpy as np

from soadyn.errors import ArgumentError, ShapeError
from soadyn.robot.arguments.plain_values import real

MOST = float(np.finfo(float).max)
ROUNDING = 1e-9  # of the largest entry: so far a matrix may be from symmetric


def per_component(
    name: str, x: Any, count: int, of: str, *, zero: bool = True, most: float = MOST, what: str = "joint components"
) -> np.ndarray:
    """One number for all of `count` things, or one for each, as floats (count,): positive, or zero where allowed."""
    array = real(name, x, meaning="numbers", of=of)
    if array.shape not in ((), (1,), (count,)):
        raise ShapeError(
            f"{of}: {name} has shape {array.shape}; expected one number, or one for each of {count} {what}"
        )
    if not (((array >= 0) if zero else (array > 0)) & (array <= most)).all():
        bounds = f"{'zero or more' if zero else 'positive'}{f', at most {most:g}' if (array > most).any() else ''}"
        raise ArgumentError(f"{of}: {name} must be {bounds}, got {x!r:.80}")
    return np.broadcast_to(array, (count,)).astype(float)


def weight_matrix(name: str, x: Any, size: int, of: str, definite: bool = True) -> np.ndarray:
    """A symmetric matrix (size, size) from a number, a diagonal (size,) or itself: positive, or zero where allowed."""
    array = real(name, x, meaning="a positive number or matrix", of=of)
    full = array * np.eye(size) if array.ndim == 0 else np.diag(array) if array.shape == (size,) else array
    slack = ROUNDING * np.abs(full).max(initial=0.0)
    if full.shape != (size, size) or not np.isfinite(full).all() or np.abs(full - full.T).max(initial=0.0) > slack:
        raise ArgumentError(
            f"{of}: {name} must be a number, {size} numbers, or a symmetric ({size}, {size}) matrix, got {x!r:.60}"
        )
    least = float(np.linalg.eigvalsh(full).min(initial=1.0))
    if least < -slack or (definite and least <= 0):
        raise ArgumentError(
            f"{of}: {name} must be {'positive' if definite else 'zero or more'} in every direction; its smallest "
            f"eigenvalue is {least:.3g}"
        )
    return np.asarray((full + full.T) / 2)
