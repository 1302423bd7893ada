"""The methods by which quantities of a robot are differentiated, once and twice."""

from __future__ import annotations

from abc import ABC
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from soadyn.engine.engine import Engine
from soadyn.engine.tracing.second_order import Second
from soadyn.errors import check_name
from soadyn.model.steppers import Method
from soadyn.quantities import CLOSURE_QUANTITIES, QUANTITIES
from soadyn.robot import linearized
from soadyn.robot.arguments import arguments
from soadyn.robot.arguments.arguments import ExternalLike, FrameLike, PassiveLike
from soadyn.robot.calling import second_derivatives
from soadyn.robot.calling.function import Function
from soadyn.robot.calling.quantity_functions import NOTHING, Functions
from soadyn.robot.closed.refusing import refuse_closures
from soadyn.robot.mass.curvature import curvature


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


class MotionDerivatives(Differentiable, ABC):
    """Linear models of a robot's motion, and second derivatives of its dynamics."""

    def linearize(
        self,
        q: ArrayLike,
        v: ArrayLike,
        tau: ArrayLike,
        passive: PassiveLike = (),
        step: float | None = None,
        method: Method = "rk4",
    ) -> tuple[np.ndarray, np.ndarray]:
        """The motion near a state to first order: A, (..., 2 nv, 2 nv), and B, (..., 2 nv, active).

            ẋ = A x + B dτ,    or with `step`    x' = A x + B dτ    after that time, dτ being constant meanwhile

        x = [δ; dv]: how far q is off along the tangent space, and how far v is off. Damping, springs and friction
        act in simulation only; they are left out.

        Arguments:
            q, v, tau: the state and its joint forces, each with batch axes
            passive: joints without a motor, whose forces do not change; B has no columns for them
            step: the length of a step in seconds; without it the equations themselves are linearized
            method: the step's, as `simulate` takes it

        >>> import numpy as np, soadyn as sd
        >>> arm = sd.load("planar_two_link")
        >>> A, B = arm.linearize([np.pi, 0.0], [0.0, 0.0], [0.0, 0.0], passive=["joint1"])  # an Acrobot
        >>> A.shape, B.shape
        ((4, 4), (4, 1))
        """
        space = self.engine.coordinates
        given = arguments.coordinates(space, q), arguments.joint_vector(space, v, "v")
        forces = arguments.joint_vector(space, tau, "tau")
        driven = ~arguments.one_passive_set(space, passive, "linearize")
        if step is None:
            A, B = linearized.equations(self, *given, forces)
        else:
            refuse_closures(self.engine.model, "linearize with a step")
            A, B = linearized.step(self, *given, forces, step, method)
        return A, np.ascontiguousarray(B[..., driven])

    def mass_matrix_curvature(self, q: ArrayLike) -> np.ndarray:
        """The Riemann symbols R_hijk of the mass matrix, (..., nv, nv, nv, nv) (000 eq. 2.5).

        They vanish where coordinates exist in which the motion has no Coriolis terms; see `sd.is_flat`. Robots with
        spherical or free joints, whose rates are no derivatives of coordinates, are refused.

        >>> import numpy as np, soadyn as sd
        >>> R = sd.load("planar_two_link").mass_matrix_curvature([0.3, 0.8])
        >>> R.shape, round(float(np.abs(R).max()), 4)
        ((2, 2, 2, 2), 0.2096)
        """
        return curvature(self.engine, arguments.coordinates(self.engine.coordinates, q))

    def inverse_dynamics_second_derivatives(
        self, q: ArrayLike, v: ArrayLike, a: ArrayLike, external: ExternalLike | None = None
    ) -> Second:
        """The second derivatives of inverse_dynamics: T_qq, T_vq, T_vv and T_aq, each (..., nv, nv, nv).

        Axes are the result, the first and the second direction: T_vq is that of dT/dv along q. All others vanish, or
        follow from these.

        >>> import soadyn as sd
        >>> arm = sd.load("planar_two_link")
        >>> qq, vq, vv, aq = arm.inverse_dynamics_second_derivatives([0.0, 0.5], [1.0, 0.0], [0.0, 0.0])
        >>> qq.shape
        (2, 2, 2)
        """
        return self._second("inverse", (q, v, a), external)

    def forward_dynamics_second_derivatives(
        self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, external: ExternalLike | None = None
    ) -> Second:
        """The second derivatives of forward_dynamics: a_qq, a_vq, a_vv and a_tauq, each (..., nv, nv, nv).

        Axes are the result, the first and the second direction: a_vq is that of da/dv along q. All others vanish, or
        follow from these.

        >>> import soadyn as sd
        >>> arm = sd.load("planar_two_link")
        >>> qq, vq, vv, tauq = arm.forward_dynamics_second_derivatives([0.0, 0.5], [1.0, 0.0], [0.0, 0.0])
        >>> tauq.shape
        (2, 2, 2)
        """
        return self._second("forward", (q, v, tau), external)

    def _second(self, which: Literal["inverse", "forward"], at: tuple[Any, Any, Any], external: Any) -> Second:
        quick, name = self._functions.quick, f"{which}_dynamics_second_derivatives"
        found: Second | None = quick.get(name, NOTHING)(*at) if external is None else None
        if found is None:
            if which == "forward":
                refuse_closures(self.engine.model, name)
            given = at if external is None else (*at, external)
            function = self._functions.differentiable(f"{which}_dynamics_derivatives", given, {})
            assert isinstance(function, Function)
            of = second_derivatives.of_inverse if which == "inverse" else second_derivatives.of_forward
            found = of(function, given)
            if external is None:
                quick[name] = second_derivatives.second_function(function).quick
        return found
