"""Screws: a turn about a coordinate axis and a slide along it, the steps of which transforms are made."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar, final

import numpy as np

from soadyn.mechanics.spatial.arithmetic import Array, spread, stacked
from soadyn.mechanics.spatial.drift import Drift
from soadyn.mechanics.spatial.inertia import ArticulatedInertia, Inertia
from soadyn.mechanics.spatial.turning import others, turned_columns
from soadyn.mechanics.spatial.vector import Spatial

AnyInertia = TypeVar("AnyInertia", Inertia, ArticulatedInertia, Drift)


@final
@dataclass(frozen=True, slots=True, eq=False)
class Screw:
    """φ of a turn about a coordinate axis e (0: x, 1: y, 2: z) and a slide d e; c and s are the turn's cosine and sine.

    Turn and slide commute. c, s and d are numbers of batch shape (...,).
    """

    axis: int
    c: Array
    s: Array
    d: Array

    @staticmethod
    def slide(axis: int, d: Array) -> Screw:
        return Screw(axis, 1.0, 0.0, d)

    def turned(self, x: Array) -> Array:
        """R x, for columns x."""
        return turned_columns(x, self.axis, self.c, self.s)

    def turned_back(self, x: Array) -> Array:
        """R* x."""
        return turned_columns(x, self.axis, self.c, -self.s)

    def force(self, f: Spatial) -> Spatial:
        """φ f."""
        F = self.turned(f.linear)
        return Spatial(self.turned(f.angular) + self._lever(F), F)

    def motion(self, V: Spatial) -> Spatial:
        """φ* V."""
        omega = self.turned_back(V.angular)
        return Spatial(omega, self.turned_back(V.linear) - self._lever(omega))

    def shift(self, P: AnyInertia) -> AnyInertia:
        """φ P φ*."""
        return P.turned(self.axis, self.c, self.s).slid(self.axis, self.d)

    def response(self, Y: ArticulatedInertia) -> ArticulatedInertia:
        """φ* Y φ, for Y motion per force."""
        # With the blocks exchanged, motion per force is moved as force per motion is, the other way.
        exchanged = ArticulatedInertia(Y.C, Y.B.mT, Y.A).slid(self.axis, -self.d).turned(self.axis, self.c, -self.s)
        return ArticulatedInertia(exchanged.C, exchanged.B.mT, exchanged.A)

    def _lever(self, x: Array) -> Array:
        """d e × x."""
        i, j = others(self.axis)
        d = spread(self.d)
        rows = {i: -d * x[..., j, :], j: d * x[..., i, :], self.axis: np.zeros_like(x[..., 0, :])}
        return stacked([rows[row] for row in range(3)])
