"""Rigid and articulated spatial inertias as 3x3 blocks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import final

import numpy as np

from soadyn.mechanics.spatial.arithmetic import Array, beside, cross, skew, symmetric
from soadyn.mechanics.spatial.turning import (
    slid_articulated,
    slid_body,
    turned_columns,
    turned_matrix,
    turned_symmetric,
)
from soadyn.mechanics.spatial.vector import Spatial

# Marks a part of a value that is a symmetric matrix, of which the upper half says all.
SYMMETRIC = MappingProxyType({"symmetric": True})
# A few roundings, as a part of the numbers that were added.
ROUNDING = 2.0**-49


@final
@dataclass(frozen=True, slots=True, eq=False)
class Inertia:
    """A rigid body's inertia about a frame's origin (001 eq. 2).

        M = [J, m p̃; -m p̃, m I]

    J (..., 3, 3) is the moment of inertia about the origin, mp (..., 3, 1) the first moment, m (..., 1, 1) the mass.
    """

    J: Array = field(metadata=SYMMETRIC)
    mp: Array
    m: Array

    @staticmethod
    def zero() -> Inertia:
        return Inertia(np.zeros((3, 3)), np.zeros((3, 1)), np.zeros((1, 1)))

    @staticmethod
    def at_mass_centre(mass: Array, com: Array, inertia: Array) -> Inertia:
        """From the mass (...,), the mass centre (..., 3) and the moment of inertia (..., 3, 3) about it."""
        m, p = np.asarray(mass)[..., None, None], np.asarray(com)[..., None]
        # -m p̃ p̃ = m (p·p I - p p*)
        J = inertia + m * ((p.mT @ p) * np.eye(3) - p @ p.mT)
        return Inertia(J, m * p, m)

    def __add__(self, other: Inertia | int) -> Inertia:
        if isinstance(other, int):
            return self
        return Inertia(self.J + other.J, self.mp + other.mp, self.m + other.m)

    __radd__ = __add__

    def __sub__(self, other: Inertia) -> Inertia:
        return Inertia(self.J - other.J, self.mp - other.mp, self.m - other.m)

    def __matmul__(self, V: Spatial) -> Spatial:
        return Spatial(
            self.J @ V.angular + cross(self.mp, V.linear),
            self.m * V.linear - cross(self.mp, V.angular),
        )

    def sizes(self) -> tuple[float, float]:
        """The largest of the moments of inertia and of the first moments, both known numbers."""
        return float(np.abs(self.J).max()), float(np.abs(self.mp).max())

    def without_rounding(self, sizes: tuple[float, float]) -> Inertia:
        """The same known numbers, zero where they are rounding errors of numbers of these sizes."""
        J, mp = (np.where(abs(x) <= ROUNDING * size, 0.0, x) for x, size in zip((self.J, self.mp), sizes, strict=True))
        return Inertia(J, mp, self.m)

    def rotated(self, R: Array) -> Inertia:
        return Inertia(symmetric(R @ self.J @ R.mT), R @ self.mp, self.m)

    def turned(self, axis: int, c: Array, s: Array) -> Inertia:
        """Rotated about a coordinate axis by the angle with this cosine and sine."""
        return Inertia(turned_symmetric(self.J, axis, c, s), turned_columns(self.mp, axis, c, s), self.m)

    def slid(self, axis: int, d: Array) -> Inertia:
        """About a point from which the present origin is seen at d along a coordinate axis."""
        return Inertia(*slid_body(self.J, self.mp, self.m, axis, d), self.m)

    def moved(self, l: Array) -> Inertia:
        """About a point from which the present origin is seen at l: φ M φ* with φ = [I, l̃; 0, I]."""
        mp = self.mp + self.m * l
        # -l̃ m̃p - m̃p' l̃, written with outer products
        J = self.J + _outer(l, self.mp) + _outer(mp, l)
        return Inertia(symmetric(J), mp, self.m)

    def articulated(self) -> ArticulatedInertia:
        return ArticulatedInertia(self.J, skew(self.mp), self.m * np.eye(3))

    def dense(self) -> Array:
        """The 6x6 matrix."""
        return self.articulated().dense()


def _outer(a: Array, b: Array) -> Array:
    """-ã b̃ = (a·b) I - b a*."""
    return (a.mT @ b) * np.eye(3) - b @ a.mT


@final
@dataclass(frozen=True, slots=True, eq=False)
class ArticulatedInertia:
    """A general symmetric spatial inertia [A, B; B*, C], blocks of shape (..., 3, 3)."""

    A: Array = field(metadata=SYMMETRIC)
    B: Array
    C: Array = field(metadata=SYMMETRIC)

    def __add__(self, other: ArticulatedInertia | Inertia | int) -> ArticulatedInertia:
        if isinstance(other, int):
            return self
        if isinstance(other, Inertia):
            other = other.articulated()
        return ArticulatedInertia(self.A + other.A, self.B + other.B, self.C + other.C)

    __radd__ = __add__

    def __matmul__(self, V: Spatial) -> Spatial:
        return Spatial(self.A @ V.angular + self.B @ V.linear, self.B.mT @ V.angular + self.C @ V.linear)

    def less(self, G: Spatial, PH: Spatial) -> ArticulatedInertia:
        """P - G D G*, a symmetric update with PH* = G D."""
        return ArticulatedInertia(
            symmetric(self.A - PH.angular @ G.angular.mT),
            self.B - G.angular @ PH.linear.mT,
            symmetric(self.C - PH.linear @ G.linear.mT),
        )

    def less_both(self, G: Spatial, W: Spatial) -> ArticulatedInertia:
        """P - G W* - W G*."""
        return ArticulatedInertia(
            symmetric(self.A - G.angular @ W.angular.mT - W.angular @ G.angular.mT),
            self.B - G.angular @ W.linear.mT - W.angular @ G.linear.mT,
            symmetric(self.C - G.linear @ W.linear.mT - W.linear @ G.linear.mT),
        )

    def moving(self, relative: Spatial) -> ArticulatedInertia:
        """X P + P X* with X = -Δ̃*: how P changes, seen from a frame in which it moves with the velocity Δ."""
        turn, slide = relative.angular, relative.linear
        A = cross(turn, self.A) + cross(slide, self.B.mT)
        C = cross(turn, self.C)
        B = cross(turn, self.B) + cross(slide, self.C) + cross(turn, self.B.mT).mT
        return ArticulatedInertia(symmetric(A + A.mT), B, symmetric(C + C.mT))

    def with_rows(self, places: Sequence[int], rows: Array) -> ArticulatedInertia:
        """The same with some rows (..., len(places), 6) of the 6x6 matrix, and by symmetry columns, replaced."""
        replaced = np.isin(np.arange(6), places)
        placed = np.eye(6)[:, places] @ rows
        P = np.where(replaced[:, None], placed, np.where(replaced, placed.mT, self.dense()))
        return ArticulatedInertia(symmetric(P[..., :3, :3]), P[..., :3, 3:], symmetric(P[..., 3:, 3:]))

    def rotated(self, R: Array) -> ArticulatedInertia:
        return ArticulatedInertia(symmetric(R @ self.A @ R.mT), R @ self.B @ R.mT, symmetric(R @ self.C @ R.mT))

    def turned(self, axis: int, c: Array, s: Array) -> ArticulatedInertia:
        """Rotated about a coordinate axis by the angle with this cosine and sine."""
        A, C = (turned_symmetric(block, axis, c, s) for block in (self.A, self.C))
        return ArticulatedInertia(A, turned_matrix(self.B, axis, c, s), C)

    def slid(self, axis: int, d: Array) -> ArticulatedInertia:
        """φ P φ* for a slide by d along a coordinate axis."""
        return ArticulatedInertia(*slid_articulated(self.A, self.B, self.C, axis, d), self.C)

    def moved(self, l: Array) -> ArticulatedInertia:
        """φ P φ* with φ = [I, l̃; 0, I]:  B' = B + l̃ C,  A' = A + l̃ B* - B' l̃."""
        l_tilde = skew(l)
        B = self.B + l_tilde @ self.C
        return ArticulatedInertia(symmetric(self.A + l_tilde @ self.B.mT - B @ l_tilde), B, self.C)

    def dense(self) -> Array:
        """The 6x6 matrix."""
        return beside([beside([self.A, self.B]).mT, beside([self.B.mT, self.C]).mT]).mT
