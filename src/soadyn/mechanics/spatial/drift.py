"""How the force on a moving body answers to a change of its turning rate: twelve numbers that add up like inertias."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np

from soadyn.mechanics.spatial.arithmetic import Array, cross
from soadyn.mechanics.spatial.inertia import Inertia
from soadyn.mechanics.spatial.turning import others, placed, turned_columns, turned_matrix
from soadyn.mechanics.spatial.vector import Spatial


@final
@dataclass(frozen=True, slots=True, eq=False)
class Drift:
    """2 N of a body whose particles m at r move with v: on a motion δ that turns with δ_ω,

    2 N δ = Σ 2 m [r × (δ_ω × v); δ_ω × v] = [B δ_ω; δ_ω × p]
    B = 2 Σ m (v·r I - v r*)    (..., 3, 3),        p = 2 Σ m v    (..., 3, 1)
    """

    B: Array
    p: Array

    @staticmethod
    def of(M: Inertia, V: Spatial) -> Drift:
        """Of a rigid body with the velocity V.

        B = 2 { v·c I - v c* - ω̃ S },    S = Σ m r r* = tr(J)/2 I - J,    c = m p
        """
        c, v, J = 2 * M.mp, V.linear, M.J
        trace = J[..., 0:1, 0:1] + J[..., 1:2, 1:2] + J[..., 2:3, 2:3]
        S = trace * np.eye(3) - 2 * J
        B = (v.mT @ c) * np.eye(3) - v @ c.mT - cross(V.angular, S)
        return Drift(B, (2 * M.m) * v + cross(V.angular, c))

    def __add__(self, other: Drift | int) -> Drift:
        # An empty sum over children is the integer 0.
        if isinstance(other, int):
            return self
        return Drift(self.B + other.B, self.p + other.p)

    __radd__ = __add__

    def __matmul__(self, delta: Spatial) -> Spatial:
        """2 N δ."""
        return Spatial(self.B @ delta.angular, cross(delta.angular, self.p))

    def adjoint(self, delta: Spatial) -> Array:
        """(2 N)* δ, a couple: its part along forces is zero."""
        return self.B.mT @ delta.angular + cross(self.p, delta.linear)

    def rotated(self, R: Array) -> Drift:
        return Drift(R @ self.B @ R.mT, R @ self.p)

    def turned(self, axis: int, c: Array, s: Array) -> Drift:
        """Rotated about a coordinate axis by the angle with this cosine and sine."""
        return Drift(turned_matrix(self.B, axis, c, s), turned_columns(self.p, axis, c, s))

    def moved(self, l: Array) -> Drift:
        """About a point from which the present origin is seen at l."""
        return Drift(self.B + (self.p.mT @ l) * np.eye(3) - self.p @ l.mT, self.p)

    def slid(self, axis: int, d: Array) -> Drift:
        """About a point from which the present origin is seen at d along a coordinate axis."""
        if isinstance(d, float) and d == 0.0:
            return self
        i, j = others(axis)
        x = self.p[..., 0]
        along = d * x[..., axis]
        entries = {(row, col): self.B[..., row, col] for row in range(3) for col in range(3)}
        entries[i, i], entries[j, j] = entries[i, i] + along, entries[j, j] + along
        entries[i, axis], entries[j, axis] = entries[i, axis] - d * x[..., i], entries[j, axis] - d * x[..., j]
        return Drift(placed(entries), self.p)
