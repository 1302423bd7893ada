"""The methods by which quantities of a robot are differentiated."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from soadyn.engine.engine import Engine
from soadyn.errors import check_name
from soadyn.quantities import CLOSURE_QUANTITIES, QUANTITIES
from soadyn.robot.arguments.arguments import FrameLike
from soadyn.robot.calling.function import Function
from soadyn.robot.calling.quantity_functions import Functions


class Differentiable:
    """A robot whose quantities have derivatives, along the tangent space where a configuration changes.

    A direction dq is one number for each joint rate, in the order of v: it moves q to `integrate(q, dq)`. Quaternions
    are never differentiated. External wrenches are constant in link axes.
    """

    engine: Engine
    _functions: Functions

    def jvp(self, quantity: str, at: Any, along: Any, **options: Any) -> tuple[Any, Any]:
        """A quantity and its rate of change along a direction: (value, J · along), batched.

        Arguments:
            quantity: its name, such as "forward_dynamics"; also "integrate" at (q, dv) and "difference" at (q0, q1)
            at: its vectors (q, v, ...) in the order of its arguments; wrenches may follow, or, of a parametric robot,
                the parameters
            along: a direction for each of them, or None for those that do not change
            options: what else the quantity takes, such as frame="tool0"

        >>> import soadyn as sd
        >>> arm = sd.load("planar_two_link")
        >>> M, M_rate = arm.jvp("mass_matrix", ([0.0, 0.5],), ([1.0, 1.0],))  # how it changes at v = (1, 1)
        >>> M.shape, M_rate.shape
        ((2, 2), (2, 2))
        """
        return self._functions.differentiable(quantity, at, options).jvp(at, along)

    def vjp(self, quantity: str, at: Any, weights: Any, **options: Any) -> tuple[Any, tuple[np.ndarray, ...]]:
        """A quantity and the gradient of a weighted sum of its entries: (value, (weights · J by each vector)), batched.

        Arguments:
            quantity: its name, such as "forward_dynamics"
            at: its vectors, as `jvp` takes them
            weights: of the shape of the quantity; a tuple if it has several results
            options: what else the quantity takes, such as frame="tool0"

        The derivatives have the batch axes of the call, also those by a vector that is the same for all states.

        >>> import soadyn as sd
        >>> arm = sd.load("planar_two_link")
        >>> energy, (by_q,) = arm.vjp("potential_energy", ([0.0, 0.5],), 1.0)  # its gradient holds the robot still
        >>> bool(abs(by_q - arm.gravity_force([0.0, 0.5])).max() < 1e-12)
        True
        """
        return self._functions.differentiable(quantity, at, options).vjp(at, weights)

    def hvp(
        self, quantity: str, at: Any, weights: Any, along: Any, **options: Any
    ) -> tuple[tuple[np.ndarray, ...], tuple[np.ndarray, ...]]:
        """The gradient of a weighted sum of a quantity's entries, and its rate along a direction: a Hessian's product.

        Arguments are those of `vjp` and `jvp`; returns the derivatives by each vector, and how these change. Hessians
        come from a row of the batch for each direction.

        >>> import numpy as np, soadyn as sd
        >>> arm = sd.load("planar_two_link")
        >>> _, (columns,) = arm.hvp("potential_energy", ([0.0, 0.5],), np.ones(2), (np.eye(2),))  # its Hessian
        >>> bool(abs(columns - columns.T).max() < 1e-12)
        True
        """
        check_name("quantity", quantity, (*QUANTITIES, *CLOSURE_QUANTITIES))
        function = self._functions.differentiable(quantity, at, options)
        assert isinstance(function, Function)
        return function.hvp(at, weights, along)

    def mass_matrix_rate(self, q: ArrayLike, v: ArrayLike) -> np.ndarray:
        """How the mass matrix changes while the robot moves with v: its time derivative, (..., nv, nv).

        >>> import soadyn as sd
        >>> sd.load("planar_two_link").mass_matrix_rate([0.0, 0.5], [1.0, 1.0]).shape
        (2, 2)
        """
        return np.asarray(self.jvp("mass_matrix", (q,), (v,))[1])

    def jacobian_rate(self, q: ArrayLike, v: ArrayLike, frame: FrameLike, axes: FrameLike = "world") -> np.ndarray:
        """How a frame's Jacobian changes while the robot moves with v: its time derivative, (..., 6, nv).

        The frame accelerates with `jacobian(q, frame) @ a + jacobian_rate(q, v, frame) @ v` along the world's axes.

        >>> import soadyn as sd
        >>> sd.load("planar_two_link").jacobian_rate([0.0, 0.5], [1.0, 1.0], "tool").shape
        (6, 2)
        """
        return np.asarray(self.jvp("jacobian", (q,), (v,), frame=frame, axes=axes)[1])
