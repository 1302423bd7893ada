"""Least squares with rows that may depend on each other: damped where they nearly do, and only there.

    (Z Z* + E) F = b,    s = Z* F:        the smallest s with Z s = b while E = 0

The rows z of Z are made orthogonal in turn (modified Gram-Schmidt), so that what is left of a row has the square d of a
pivot of Z Z*. Below a floor δ its inverse 1/d gives way to g = t (3 - 2 t) / δ, t = d / δ, which goes smoothly to zero:

    Z Z* + E = L G⁻¹ L*,    L = w G,    w_ij = ẑ_i · ẑ_j,    ẑ_i ← ẑ_i - c_j w_ij ẑ_j,    2 c - c² d = g

E is diagonal and zero while every d is at least δ. Rows that come first are kept, and what hardly differs from them
gives way; a row that nothing moves is left out. (Damping by the distance from a singularity is Nakamura and Hanafusa's,
1986; theirs spreads over all rows.) It runs on numbers and on recorded scalars: no branch depends on a number.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from soadyn.mechanics.spatial.arithmetic import Array, forward_substituted, maximum, spread, sqrt

LEAST = 1e-30  # the least floor, so that dividing by it is safe


@final
@dataclass(frozen=True, slots=True, eq=False)
class Damped:
    """What is left of each row, w, g, g - c, and how much of its floor each d lacks: from 0, undamped, to 1."""

    left: list[Any]
    w: list[list[Any]]
    g: list[Any]
    gap: list[Any]
    lacking: list[Any]

    def solve(self, b: Array) -> Array:
        """s = Z* F, (..., n), for b (..., m); the rows left give it without F, which may be large."""
        n = len(self.g)
        L = [[self.w[i][k] * self.g[k] for k in range(i)] for i in range(n)]
        y = forward_substituted(L, [b[..., i : i + 1] for i in range(n)])
        F: list[Any] = [None] * n
        total: Any = 0.0
        for i in reversed(range(n)):
            later = [spread(self.w[k][i]) * F[k] for k in range(i + 1, n)]
            F[i] = spread(self.g[i]) * y[i] - sum(spread(self.g[i]) * x for x in later)
            share = spread(self.g[i]) * y[i] - sum(spread(self.gap[i]) * x for x in later)
            total = total + share * self.left[i]
        return total

    @property
    def worst(self) -> Array:
        """The most that a row lacks, (...)."""
        return np.max(np.broadcast_arrays(*self.lacking), axis=0)


def damped(Z: Array, groups: Sequence[range], share: float) -> Damped:
    """The rows of Z (..., m, n), made orthogonal.

    `groups` are rows of one unit; their floors are this `share` of the largest square among them.
    """
    left = [Z[..., i, :] for i in range(Z.shape[-2])]
    floors = _floors(left, groups, share)
    w: list[list[Any]] = [[] for _ in left]
    g: list[Any] = []
    gap: list[Any] = []
    lacking: list[Any] = []
    for j, row in enumerate(left):
        d = (row * row).sum(axis=-1)
        lack = maximum(floors[j] - d, 0.0) / floors[j]
        t = 1 - lack
        u = lack * sqrt(1 + 2 * t)  # √(1 - g d)
        g.append(t * (3 - 2 * t) / maximum(d, floors[j]))
        gap.append(g[j] * u / (1 + u))
        lacking.append(lack)
        for i in range(j + 1, len(left)):
            w[i].append((left[i] * row).sum(axis=-1))
            left[i] = left[i] - spread((g[j] - gap[j]) * w[i][j]) * row
    return Damped(left, w, g, gap, lacking)


def _floors(rows: Sequence[Any], groups: Sequence[range], share: float) -> list[Any]:
    floors: list[Any] = []
    for group in groups:
        largest: Any = 0.0
        for i in group:
            largest = maximum(largest, (rows[i] * rows[i]).sum(axis=-1))
        floors += [share * largest + LEAST] * len(group)
    return floors
