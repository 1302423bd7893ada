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
    """A rotation known to be R0 times a turn about z, with the turn's cosine and sine (...,)."""

    R0: Array
    c: Array
    s: Array

    def exchanges_axes(self) -> bool:
        """Is R0 a constant that only exchanges and flips axes, so that it costs nothing?"""
        R0 = self.R0
        return R0.dtype != object and R0.ndim == 2 and bool(np.isin(R0, (-1.0, 0.0, 1.0)).all())


@final
@dataclass(frozen=True, slots=True, eq=False)
class Transform:
    """φ = [R, l̃ R; 0, R] (001 eq. 3): carries forces from an outer frame j to an inner frame k.

    R (..., 3, 3) turns components along j's axes into components along k's; l (..., 3, 1) runs from k's
    origin to j's, along k's axes. Its adjoint carries velocities from k to j. `turn`, if known, is R in two factors.
    """

    R: Array
    l: Array
    turn: Turn | None = None

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
        if self.turn is not None and self.turn.exchanges_axes():
            # A turn about z takes about half the operations of a general rotation.
            return P.turned(self.turn.c, self.turn.s).rotated(self.turn.R0).moved(self.l)
        return P.rotated(self.R).moved(self.l)

    def then(self, outer: Transform) -> Transform:
        """φ(k, j) φ(j, i) = φ(k, i)."""
        turn = None if outer.turn is None else Turn(self.R @ outer.turn.R0, outer.turn.c, outer.turn.s)
        return Transform(self.R @ outer.R, self.R @ outer.l + self.l, turn)

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
