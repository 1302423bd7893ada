"""Rigid and articulated spatial inertias as 3x3 blocks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np

from soadyn.spatial.arithmetic import Array, column, cross, matrix, skew, symmetric
from soadyn.spatial.vector import Spatial


@final
@dataclass(frozen=True, slots=True, eq=False)
class Inertia:
    """A rigid body's inertia about a frame's origin (001 eq. 2).

        M = [J, m p̃; -m p̃, m I]

    J (..., 3, 3) is the moment of inertia about the origin, mp (..., 3, 1) the first moment, m (..., 1, 1) the mass.
    """

    J: Array
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

    def __matmul__(self, V: Spatial) -> Spatial:
        return Spatial(
            self.J @ V.angular + cross(self.mp, V.linear),
            self.m * V.linear - cross(self.mp, V.angular),
        )

    def rotated(self, R: Array) -> Inertia:
        return Inertia(symmetric(R @ self.J @ R.mT), R @ self.mp, self.m)

    def turned(self, c: Array, s: Array) -> Inertia:
        """Rotated about z by the angle with this cosine and sine."""
        return Inertia(_turned_symmetric(self.J, c, s), _turned_columns(self.mp, c, s), self.m)

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


def _turned_columns(x: Array, c: Array, s: Array) -> Array:
    """Columns (..., 3, 1) rotated about z."""
    x1, x2, x3 = (x[..., i, 0] for i in range(3))
    return column(c * x1 - s * x2, s * x1 + c * x2, x3)


def _turned_symmetric(A: Array, c: Array, s: Array) -> Array:
    """Rz A Rz* of a symmetric matrix, by the change of its 2x2 part: a - w, d + w, and b turned by twice the angle."""
    a, b, d = A[..., 0, 0], A[..., 0, 1], A[..., 1, 1]
    e, f = A[..., 0, 2], A[..., 1, 2]
    ss, cs = s * s, c * s
    difference = a - d
    w = difference * ss + b * (2 * cs)
    off = difference * cs + b * (1 - 2 * ss)
    e, f = c * e - s * f, s * e + c * f
    return matrix([[a - w, off, e], [off, d + w, f], [e, f, A[..., 2, 2]]])


def _turned_matrix(B: Array, c: Array, s: Array) -> Array:
    """Rz B Rz* of any matrix; the antisymmetric part of its 2x2 part does not change."""
    e, f, g, h = B[..., 0, 0], B[..., 0, 1], B[..., 1, 0], B[..., 1, 1]
    ss, cs = s * s, c * s
    difference, total = e - h, f + g
    w = difference * ss + total * cs
    v = difference * cs - total * ss
    x, y = B[..., 0, 2], B[..., 1, 2]
    p, q = B[..., 2, 0], B[..., 2, 1]
    return matrix(
        [
            [e - w, f + v, c * x - s * y],
            [g + v, h + w, s * x + c * y],
            [c * p - s * q, s * p + c * q, B[..., 2, 2]],
        ]
    )


def _outer(a: Array, b: Array) -> Array:
    """-ã b̃ = (a·b) I - b a*."""
    return (a.mT @ b) * np.eye(3) - b @ a.mT


@final
@dataclass(frozen=True, slots=True, eq=False)
class ArticulatedInertia:
    """A general symmetric spatial inertia [A, B; B*, C], blocks of shape (..., 3, 3)."""

    A: Array
    B: Array
    C: Array

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
        """P - G (PH*)* , a symmetric update: P - G D G* with PH* = G D."""
        return ArticulatedInertia(
            symmetric(self.A - G.angular @ PH.angular.mT),
            self.B - G.angular @ PH.linear.mT,
            symmetric(self.C - G.linear @ PH.linear.mT),
        )

    def rotated(self, R: Array) -> ArticulatedInertia:
        return ArticulatedInertia(symmetric(R @ self.A @ R.mT), R @ self.B @ R.mT, symmetric(R @ self.C @ R.mT))

    def turned(self, c: Array, s: Array) -> ArticulatedInertia:
        """Rotated about z by the angle with this cosine and sine."""
        return ArticulatedInertia(
            _turned_symmetric(self.A, c, s), _turned_matrix(self.B, c, s), _turned_symmetric(self.C, c, s)
        )

    def moved(self, l: Array) -> ArticulatedInertia:
        """φ P φ* with φ = [I, l̃; 0, I]:  B' = B + l̃ C,  A' = A + l̃ B* - B' l̃."""
        l_tilde = skew(l)
        B = self.B + l_tilde @ self.C
        return ArticulatedInertia(symmetric(self.A + l_tilde @ self.B.mT - B @ l_tilde), B, self.C)

    def dense(self) -> Array:
        """The 6x6 matrix."""
        return np.concatenate(
            [np.concatenate([self.A, self.B], axis=-1), np.concatenate([self.B.mT, self.C], axis=-1)], axis=-2
        )
