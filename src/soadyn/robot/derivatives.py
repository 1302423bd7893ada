"""Derivatives of a robot's motion that are no rows of the table of quantities."""

from __future__ import annotations

from abc import ABC
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from soadyn.engine.tracing.second_order import Second
from soadyn.model.steppers import Method
from soadyn.robot import linearized
from soadyn.robot.arguments import arguments
from soadyn.robot.arguments.arguments import ExternalLike, PassiveLike
from soadyn.robot.calling import second_derivatives
from soadyn.robot.calling.curvature import curvature
from soadyn.robot.calling.function import Function
from soadyn.robot.calling.quantity_functions import NOTHING
from soadyn.robot.differentiable import Differentiable


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
            A, B = linearized.step(self, *given, forces, linearized.checked_step(step), method)
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
            given = at if external is None else (*at, external)
            function = self._functions.differentiable(f"{which}_dynamics_derivatives", given, {})
            assert isinstance(function, Function)
            of = second_derivatives.of_inverse if which == "inverse" else second_derivatives.of_forward
            found = of(function, given)
            if external is None:
                quick[name] = second_derivatives.second_function(function).quick
        return found
