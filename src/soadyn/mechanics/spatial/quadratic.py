"""Spatial forces that depend on a velocity not yet known: quadratic polynomials in its six components."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import final

import numpy as np

from soadyn.mechanics.spatial.arithmetic import Array
from soadyn.mechanics.spatial.inertia import ArticulatedInertia
from soadyn.mechanics.spatial.screw import Screw
from soadyn.mechanics.spatial.transform import Transform
from soadyn.mechanics.spatial.vector import Spatial

# The pairs a ≤ b of components of V, in the order of the columns of `square`, and for every pair its column.
FIRST, SECOND = np.triu_indices(6)
COLUMN = np.zeros((6, 6), dtype=int)
COLUMN[FIRST, SECOND] = COLUMN[SECOND, FIRST] = np.arange(21)
# Off the diagonal a pair stands for two equal terms.
TERMS = np.where(FIRST == SECOND, 1.0, 2.0)[:, None]

UNITS = Spatial.of(np.eye(6))
PAIRED = Spatial.of(np.eye(6)[:, FIRST]), Spatial.of(np.eye(6)[:, SECOND])


@final
@dataclass(frozen=True, slots=True, eq=False)
class Quadratic:
    """A spatial vector z(V), quadratic in a spatial velocity V: 6 + 36 + 126 coefficients.

        z(V) = z₀ + L V + Σ_ab V_a V_b s_ab,    s_ab = s_ba

    `constant` z₀ has one column, `linear` L six, `square` the 21 columns s_ab with a ≤ b.

    >>> import numpy as np
    >>> half_square = Quadratic.of_products(lambda X, Y: Spatial(0.5 * X.angular * Y.angular, 0.0 * X.linear))
    >>> half_square.at(Spatial(np.array([[1.0], [2.0], [3.0]]), np.zeros((3, 1)))).angular.ravel().tolist()
    [0.5, 2.0, 4.5]
    """

    constant: Spatial
    linear: Spatial
    square: Spatial

    @staticmethod
    def affine(constant: Spatial, linear: Spatial) -> Quadratic:
        """z₀ + L V."""
        return Quadratic(constant, linear, Spatial(np.zeros((3, 21)), np.zeros((3, 21))))

    @staticmethod
    def of_products(product: Callable[[Spatial, Spatial], Spatial]) -> Quadratic:
        """product(V, V), for a product that is linear in either factor and takes several columns at once."""
        X, Y = PAIRED
        both = product(X, Y) + product(Y, X)
        square = Spatial(0.5 * both.angular, 0.5 * both.linear)
        return Quadratic(Spatial.zero(), Spatial(np.zeros((3, 6)), np.zeros((3, 6))), square)

    def __add__(self, other: Quadratic | int) -> Quadratic:
        # An empty sum over children is the integer 0.
        if isinstance(other, int):
            return self
        return Quadratic(self.constant + other.constant, self.linear + other.linear, self.square + other.square)

    __radd__ = __add__

    def at(self, V: Spatial) -> Spatial:
        """z(V)."""
        x = V.dense()
        products = x[..., FIRST, :] * x[..., SECOND, :]
        return self.constant + self.linear @ x + self.square @ (TERMS * products)

    def mapped(self, linear_map: Callable[[Spatial], Spatial]) -> Quadratic:
        """X z(V), for a linear map X that takes several columns at once."""
        return Quadratic(linear_map(self.constant), linear_map(self.linear), linear_map(self.square))

    def shifted(self, by: Spatial) -> Quadratic:
        """The polynomial V ↦ z(V + Δ):    z₀ ← z(Δ),    L V ← L V + 2 Σ_ab V_a Δ_b s_ab."""
        along = (self._forms() @ by.dense()[..., None, :, :])[..., 0]  # (..., 6, 6)
        return Quadratic(self.at(by), self.linear + Spatial.of(2 * along), self.square)

    def carried(self, phi: Transform) -> Quadratic:
        """φ z(φ* V): the force seen from an inner frame, as a polynomial in that frame's velocity.

        Each component's symmetric form is carried as an inertia is, s ← φ s φ*.
        """
        moved = self.mapped(lambda x: phi @ x)
        forms = moved._forms()
        blocks = ArticulatedInertia(forms[..., :3, :3], forms[..., :3, 3:], forms[..., 3:, 3:])
        square = _for_each(phi).shift(blocks).dense()[..., FIRST, SECOND]
        linear = (phi @ Spatial.of(moved.linear.dense().mT)).dense().mT
        return Quadratic(moved.constant, Spatial.of(linear), Spatial.of(square))

    def _forms(self) -> Array:
        """For each component of z its symmetric form in V, (..., 6, 6, 6)."""
        return self.square.dense()[..., COLUMN]


def _for_each(phi: Transform) -> Transform:
    """The same transform, to be applied to several inertias along a new last batch axis."""

    def spread(screw: Screw) -> Screw:
        # A known number broadcasts as it is.
        c, s, d = (x if isinstance(x, float) else np.asarray(x)[..., None] for x in (screw.c, screw.s, screw.d))
        return Screw(screw.axis, c, s, d)

    screws = None if phi.screws is None else tuple(spread(screw) for screw in phi.screws)
    return Transform(phi.R[..., None, :, :], phi.l[..., None, :, :], screws)
