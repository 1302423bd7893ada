"""Roots S of inertias, P = S S*, and their sums by orthogonal transformations."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

from soadyn.mechanics.spatial.arithmetic import Array, beside, orthogonalized
from soadyn.mechanics.spatial.vector import Spatial


@final
@dataclass(frozen=True, slots=True, eq=False)
class InertiaRoot:
    """A root S (..., 6, m) of an inertia P = S S*; the sum of roots is a root of the sum of their inertias.

    [S, S'] Q = [S'', 0],    Q orthogonal
    """

    S: Spatial

    def __add__(self, other: InertiaRoot | int) -> InertiaRoot:
        # An empty sum over children is the integer 0.
        if isinstance(other, int):
            return self
        both = beside([self.S.dense(), other.S.dense()])
        return InertiaRoot(Spatial.of(_triangular(both)))

    __radd__ = __add__


def _triangular(X: Array) -> Array:
    """The lower triangular L with L L* = X X*."""
    return orthogonalized(X, X.shape[-2])[0]
