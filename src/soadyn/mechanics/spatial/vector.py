"""Spatial vectors [angular; linear], as columns and as rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, final, overload

import numpy as np

from soadyn.mechanics.spatial.arithmetic import Array, beside, cross


@final
@dataclass(frozen=True, slots=True, eq=False)
class Spatial:
    """One or several spatial vectors, side by side: angular and linear parts of shape (..., 3, m)."""

    angular: Array
    linear: Array

    @staticmethod
    def zero() -> Spatial:
        return Spatial(np.zeros((3, 1)), np.zeros((3, 1)))

    @staticmethod
    def of(array: Array) -> Spatial:
        """From an array (..., 6, m)."""
        return Spatial(array[..., :3, :], array[..., 3:, :])

    def __add__(self, other: Spatial | int) -> Spatial:
        # An empty sum over children is the integer 0.
        if isinstance(other, int):
            return self
        return Spatial(self.angular + other.angular, self.linear + other.linear)

    __radd__ = __add__

    def __sub__(self, other: Spatial) -> Spatial:
        return Spatial(self.angular - other.angular, self.linear - other.linear)

    def __matmul__(self, x: Array) -> Spatial:
        """The vectors combined with the coefficients x (m, j): H* times a joint vector."""
        return Spatial(self.angular @ x, self.linear @ x)

    @property
    def mT(self) -> Rows:
        return Rows(self.angular.mT, self.linear.mT)

    def dot(self, other: Spatial) -> Array:
        """Σ over both parts, for single vectors; shape (..., 1, 1)."""
        return self.mT @ other

    def cross(self, Y: Spatial) -> Spatial:
        """X × Y = X̃ Y for a motion Y (000 eqs. 5.5-5.6); single vectors broadcast over several."""
        return Spatial(cross(self.angular, Y.angular), cross(self.linear, Y.angular) + cross(self.angular, Y.linear))

    def cross_force(self, f: Spatial) -> Spatial:
        """X × f = -X̃* f for a force f, the dual of X × Y."""
        return Spatial(cross(self.angular, f.angular) + cross(self.linear, f.linear), cross(self.angular, f.linear))

    def rotated(self, R: Array) -> Spatial:
        """The same vectors in other axes, at the same point."""
        return Spatial(R @ self.angular, R @ self.linear)

    @staticmethod
    def beside(vectors: Sequence[Spatial]) -> Spatial:
        """Several values side by side, as one wider value."""
        return Spatial(beside([x.angular for x in vectors]), beside([x.linear for x in vectors]))

    def dense(self) -> Array:
        """As an array (..., 6, m)."""
        return _stacked(self.angular, self.linear, axis=-2)


@final
class Six:
    """The kind of a Spatial that has six columns: one for each unit wrench, or unit motion, of a frame."""


@final
class Three:
    """The kind of a Spatial that has three columns: one for each axis to turn about."""


@final
class Column:
    """The kind of a 3-vector."""


@final
@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """Spatial vectors as rows: the joint map H of shape (..., r, 3) twice."""

    angular: Array
    linear: Array

    @overload
    def __matmul__(self, other: Spatial) -> Array: ...
    @overload
    def __matmul__(self, other: Any) -> Rows: ...
    def __matmul__(self, other: Any) -> Any:
        if isinstance(other, Spatial):
            return self.angular @ other.angular + self.linear @ other.linear
        return (other @ self.mT).mT  # an inertia, which is symmetric

    @property
    def mT(self) -> Spatial:
        return Spatial(self.angular.mT, self.linear.mT)

    def scaled(self, weights: Array) -> Rows:
        """Each row times its weight (..., r, 1)."""
        return Rows(weights * self.angular, weights * self.linear)

    def dense(self) -> Array:
        """As an array (..., r, 6)."""
        return _stacked(self.angular, self.linear, axis=-1)


def _stacked(top: Array, bottom: Array, axis: int) -> Array:
    batch = np.broadcast_shapes(top.shape[:-2], bottom.shape[:-2])
    parts = [np.broadcast_to(part, batch + part.shape[-2:]) for part in (top, bottom)]
    return np.concatenate(parts, axis=axis)
