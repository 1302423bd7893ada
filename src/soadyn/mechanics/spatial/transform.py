"""The rigid transform between two frames, as the operator φ(k, j) that carries forces inward."""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from typing import final

import numpy as np

from soadyn.mechanics.spatial.arithmetic import Array, column, cross, matrix, skew
from soadyn.mechanics.spatial.inertia import ArticulatedInertia
from soadyn.mechanics.spatial.screw import AnyInertia, Screw
from soadyn.mechanics.spatial.turning import known_turn
from soadyn.mechanics.spatial.vector import Spatial


@final
@dataclass(frozen=True, slots=True, eq=False)
class Transform:
    """φ = [R, l̃ R; 0, R] (001 eq. 3): carries forces from an outer frame j to an inner frame k.

    R (..., 3, 3) turns components along j's axes into components along k's; l (..., 3, 1) runs from k's
    origin to j's, along k's axes. Its adjoint carries velocities from k to j. `screws`, if known, are simple
    transforms that make up φ, the outermost link's first: going through them takes half the operations.
    """

    R: Array
    l: Array
    screws: tuple[Screw, ...] | None = None

    @staticmethod
    def identity() -> Transform:
        return Transform(np.eye(3), np.zeros((3, 1)))

    @staticmethod
    def of(*screws: Screw) -> Transform:
        """The screws one after the other, the one that acts on forces first."""
        return reduce(
            lambda inner, screw: Transform._of_one(screw).then(inner), screws[1:], Transform._of_one(screws[0])
        )

    @staticmethod
    def _of_one(screw: Screw) -> Transform:
        axis, c, s, d = screw.axis, screw.c, screw.s, screw.d
        if type(c) is type(s) is type(d) is float:
            l = np.zeros((3, 1))
            l[axis] = d
            return Transform(known_turn(axis, c, s), l, (screw,))
        zero = np.zeros(np.broadcast_shapes(*map(np.shape, (c, s, d))))
        entries = [zero, zero, zero]
        entries[axis] = d + zero
        return Transform(screw.turned(np.eye(3)), column(*entries), (screw,))

    @property
    def without_screws(self) -> Transform:
        """The same transform as R and l alone."""
        return Transform(self.R, self.l)

    def __matmul__(self, f: Spatial) -> Spatial:
        """φ f."""
        if self.screws is not None:
            return reduce(lambda g, screw: screw.force(g), self.screws, f)
        F = self.R @ f.linear
        return Spatial(self.R @ f.angular + cross(self.l, F), F)

    @property
    def mT(self) -> AdjointTransform:
        return AdjointTransform(self)

    def shift(self, P: AnyInertia) -> AnyInertia:
        """φ P φ*: the inertia P of frame j, seen from frame k."""
        if self.screws is None:
            return P.rotated(self.R).moved(self.l)
        for screw in self.screws:
            P = screw.shift(P)
        return P

    def carried(self, x: Spatial | Array) -> Spatial | Array:
        """A force carried from frame j to frame k, or a couple (..., 3, m), which only turns."""
        if isinstance(x, Spatial):
            return self @ x
        if self.screws is None:
            return self.R @ x
        return reduce(lambda y, screw: screw.turned(y), self.screws, x)

    def turned_back(self, x: Array) -> Array:
        """R* x: columns along k's axes, seen along j's."""
        if self.screws is None:
            return self.R.mT @ x
        return reduce(lambda y, screw: screw.turned_back(y), reversed(self.screws), x)

    def then(self, outer: Transform) -> Transform:
        """φ(k, j) φ(j, i) = φ(k, i)."""
        screws = None if self.screws is None or outer.screws is None else outer.screws + self.screws
        return Transform(self.R @ outer.R, self.R @ outer.l + self.l, screws)

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
        if self.phi.screws is not None:
            return reduce(lambda U, screw: screw.motion(U), reversed(self.phi.screws), V)
        R, l = self.phi.R, self.phi.l
        return Spatial(R.mT @ V.angular, R.mT @ (V.linear + cross(V.angular, l)))

    def shift(self, Y: ArticulatedInertia) -> ArticulatedInertia:
        """φ* Y φ: the response Y of frame k (motion per force), seen from frame j."""
        if self.phi.screws is not None:
            return reduce(lambda Z, screw: screw.response(Z), reversed(self.phi.screws), Y)
        # With the blocks exchanged, motion per force at k is moved as force per motion is, the other way.
        exchanged = ArticulatedInertia(Y.C, Y.B.mT, Y.A).moved(-self.phi.l).rotated(self.phi.R.mT)
        return ArticulatedInertia(exchanged.C, exchanged.B.mT, exchanged.A)
