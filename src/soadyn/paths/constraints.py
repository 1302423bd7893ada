"""Limits along a path as constraints that are linear in u = s̈ and x = ṡ²: with q' and q'' the path's derivatives,

    T = (Mass q') u + (Mass q'' + C(q, q')) x + T_gravity

All three come from one batched inverse dynamics ID(q, v, a): T_gravity = ID(q, 0, 0),
Mass q' = ID(q, 0, q') - T_gravity, Mass q'' + C = ID(q, q', q'') - T_gravity.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from soadyn.paths.bounds import Bounds
from soadyn.paths.joint_paths import Path
from soadyn.paths.reachable import Stages

Coefficients = tuple[np.ndarray, np.ndarray, np.ndarray]


def constraints_along(paths: Sequence[Path], places: np.ndarray, limits: Bounds) -> Stages:
    """The constraints of all paths at all places."""
    q, first, second = (np.stack(x, axis=1) for x in zip(*(one.at(places) for one in paths), strict=True))
    parts: list[Coefficients] = []
    if (at := np.isfinite(limits.effort)).any():
        a, b, T = (x[..., at] for x in _forces(paths[0], q, first, second))
        parts += [(a, b, limits.effort[at] - T), (-a, -b, limits.effort[at] + T)]
    if (at := np.isfinite(limits.acceleration)).any():
        a, b = first[..., at], second[..., at]
        most = np.broadcast_to(limits.acceleration[at], a.shape)
        parts += [(a, b, most), (-a, -b, most)]
    top = _fastest_squared(first, limits).min(axis=-1)
    empty = np.zeros((*top.shape, 0))
    a, b, c = (np.concatenate([empty, *x], axis=-1) for x in zip(*parts, strict=True)) if parts else (empty,) * 3
    gaps = np.broadcast_to(np.diff(places)[:, None], (len(places) - 1, len(paths)))
    return Stages(*_rounded(a, b), c, np.minimum(top, _largest(a, b, c)), gaps)


def _forces(path: Path, q: np.ndarray, first: np.ndarray, second: np.ndarray) -> Coefficients:
    """Mass q', Mass q'' + C and T_gravity."""
    still = np.zeros_like(first)
    rates = np.stack([still, still, first])
    T, pushed, moved = path.robot.inverse_dynamics(q, rates, np.stack([still, first, second]))
    return pushed - T, moved - T, T


def _fastest_squared(first: np.ndarray, limits: Bounds) -> np.ndarray:
    """The largest x that each joint's rate allows."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(first != 0, (limits.velocity / np.abs(first)) ** 2, np.inf)


def _rounded(a: np.ndarray, b: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Coefficients that are nothing but rounding errors of the others at that place are zero."""
    size = 1e-13 * np.maximum(np.abs(a), np.abs(b)).max(axis=-1, keepdims=True, initial=0.0)
    return np.where(np.abs(a) <= size, 0.0, a), np.where(np.abs(b) <= size, 0.0, b)


def _largest(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> np.ndarray:
    """An x that no constraint can be met with, for places where nothing else bounds it: a start for the search."""
    size = np.maximum(np.abs(a), np.abs(b)).max(axis=-1, initial=0.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(size > 0, 1e8 * (1 + np.abs(c).max(axis=-1, initial=0.0)) / size, 1e8)
