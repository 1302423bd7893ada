"""What a robot offers beyond the table of quantities: its mass matrix as an object."""

from __future__ import annotations

from numpy.typing import ArrayLike

from soadyn.backends.engine import Engine
from soadyn.mass import MassMatrix
from soadyn.mass.at_configuration import AtConfiguration


class Algebraic:
    """Methods of `Robot` that return objects rather than arrays."""

    engine: Engine

    def mass(self, q: ArrayLike) -> MassMatrix:
        """The mass matrix at q as an operator: products, solutions, roots, elements and determinant by O(N) sweeps.

        >>> import numpy as np, soadyn as sd
        >>> arm = sd.load("ur5")
        >>> m = arm.mass(np.zeros((100, 6)))
        >>> m.shape, m.solve(np.ones(6)).shape, m.log_determinant().shape
        ((100, 6, 6), (100, 6), (100,))
        """
        return MassMatrix(AtConfiguration(self.engine, q))
