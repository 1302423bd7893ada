"""The rigid transform between two frames, as the operator φ(k, j) that carries forces inward."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar, final

import numpy as np

from soadyn.spatial.arithmetic import Array, cross, matrix, skew
from soadyn.spatial.inertia import ArticulatedInertia, Inertia
from soadyn.spatial.vector import Spatial

AnyInertia = TypeVar("AnyInertia", Inertia, ArticulatedInertia)


@final
@dataclass(frozen=True, slots=True, eq=False)
class Turn:
    """A rotation about a coordinate axis (0: x, 2: z), by its cosine and sine (...,)."""

    axis: int
    c: Array
    s: Array

    def of(self, P: AnyInertia) -> AnyInertia:
        return P.turned(self.axis, self.c, self.s)


@final
@dataclass(frozen=True, slots=True, eq=False)
class Exchange:
    """A constant rotation that only exchanges and flips axes, which costs nothing."""

    R: Array

    def of(self, P: AnyInertia) -> AnyInertia:
        return P.rotated(self.R)


@final
@dataclass(frozen=True, slots=True, eq=False)
class Transform:
    """φ = [R, l̃ R; 0, R] (001 eq. 3): carries forces from an outer frame j to an inner frame k.

    R (..., 3, 3) turns components along j's axes into components along k's; l (..., 3, 1) runs from k's
    origin to j's, along k's axes. Its adjoint carries velocities from k to j. `turns`, if known, are simple
    rotations that make up R, the innermost first: turning an inertia by each takes half the operations.
    """

    R: Array
    l: Array
    turns: tuple[Turn | Exchange, ...] | None = None

    @staticmethod
    def identity() -> Transform:
        return Transform(np.eye(3), np.zeros((3, 1)))

    def __matmul__(self, f: Spatial) -> Spatial:
        """φ f."""
        F = self.R @ f.linear
        return Spatial(self.R @ f.angular + cross(self.l, F), F)

    @property
    def mT(self) -> AdjointTransform:
        return AdjointTransform(self)

    def shift(self, P: AnyInertia) -> AnyInertia:
        """φ P φ*: the inertia P of frame j, seen from frame k."""
        if self.turns is None:
            return P.rotated(self.R).moved(self.l)
        for turn in self.turns:
            P = turn.of(P)
        return P.moved(self.l)

    def then(self, outer: Transform) -> Transform:
        """φ(k, j) φ(j, i) = φ(k, i)."""
        turns = None if self.turns is None or outer.turns is None else outer.turns + self.turns
        return Transform(self.R @ outer.R, self.R @ outer.l + self.l, turns)

    def inverse(self) -> Transform:
        return Transform(self.R.mT, -(self.R.mT @ self.l))

    def homogeneous(self) -> Array:
        """The 4x4 pose of frame j in frame k."""
        R, l = self.R, self.l
        rows = [[R[..., i, 0], R[..., i, 1], R[..., i, 2], l[..., i, 0]] for i in range(3)]
        return matrix([*rows, [0, 0, 0, 1]])

    def dense(self) -> Array:
        """The 6x6 matrix."""
        zero = np.zeros_like(self.R)
        top = np.concatenate([self.R, skew(self.l) @ self.R], axis=-1)
        return np.concatenate([top, np.concatenate([zero, self.R], axis=-1)], axis=-2)


@final
@dataclass(frozen=True, slots=True, eq=False)
class AdjointTransform:
    """φ*: carries velocities from the inner frame k to the outer frame j."""

    phi: Transform

    def __matmul__(self, V: Spatial) -> Spatial:
        R, l = self.phi.R, self.phi.l
        return Spatial(R.mT @ V.angular, R.mT @ (V.linear + cross(V.angular, l)))

    def shift(self, Y: ArticulatedInertia) -> ArticulatedInertia:
        """φ* Y φ: the response Y of frame k (motion per force), seen from frame j."""
        # With the blocks exchanged, motion per force at k is moved as force per motion is, the other way.
        exchanged = ArticulatedInertia(Y.C, Y.B.mT, Y.A).moved(-self.phi.l).rotated(self.phi.R.mT)
        return ArticulatedInertia(exchanged.C, exchanged.B.mT, exchanged.A)
