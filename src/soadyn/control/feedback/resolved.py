"""Resolved rate (Whitney 1969) and resolved acceleration (Luh, Walker, Paul 1980).

The frames' wanted rates or accelerations become those of the joints by damped least squares, the joints' become forces
by the inverse or, with passive joints, the hybrid dynamics:

    θ̇_a = x + R* (R R* + E)⁻¹ (V - R x),    T_a from θ̈_a = B (θ̇_wanted - θ̇)_a
    θ̈_a = x + R* (R R* + E)⁻¹ (α - α₀),     α₀: what x and the passive joints do to the frames

R is the Jacobian, or with passive joints the generalized one; x comes from a posture.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, final

import numpy as np
from numpy.typing import ArrayLike

from soadyn.control.feedback.acceleration_feedback import Decaying
from soadyn.control.feedback.motor_forces import driven
from soadyn.control.feedback.normalized import times
from soadyn.control.feedback.task_feedback import POSTURE, SINGULAR, TaskFeedback
from soadyn.mechanics.spatial.arithmetic import Array
from soadyn.robot import Robot
from soadyn.robot.arguments.arguments import PassiveLike
from soadyn.robot.arguments.component_values import per_component
from soadyn.simulation.drive.dynamics import Dynamics
from soadyn.simulation.drive.time_series import TimeSeries


@final
class ResolvedAcceleration(Decaying):
    """Frames follow their references by the least joint accelerations, the errors decaying as chosen.

        ë + 2 ζ ω ė + ω² e = 0

    All arguments are those of `OperationalSpace`. Where the targets leave freedom, it chooses the least accelerations,
    operational space the least effort in the mass matrix's measure; without freedom both are the same.

    >>> import numpy as np, soadyn as sd
    >>> arm = sd.load("ur5")
    >>> q = np.array([0.0, -1.2, 1.6, -0.5, 1.3, 0.0])
    >>> there = arm.pose(q + 0.1, "tool0")
    >>> both = [kind(arm, {"tool0": there}) for kind in (sd.control.ResolvedAcceleration, sd.control.OperationalSpace)]
    >>> bool(np.abs(both[0](0.0, q, 0.1 * q) - both[1](0.0, q, 0.1 * q)).max() < 1e-9)
    True
    """

    def measured(self, dynamics: Dynamics, q: Array, R: Array) -> Array:
        return R

    def corrected(self, dynamics: Dynamics, q: Array, v: Array, posture: tuple[Array, Array], s: Array) -> Array:
        return driven(dynamics, self.tasks.passive, q, v, posture[0] + s)[1]


@final
class ResolvedRate(TaskFeedback):
    """Frames follow their references by joint rates: ė + ω e = 0; the rates themselves are held by the motors.

    bandwidth: ω, rad/s, a number or one for each of the `rows`.
    velocity_bandwidth: B, rad/s, how fast the joints take up their rates.
    posture, posture_bandwidth: a configuration to which the joints go with what freedom is left, and how fast, rad/s.
    targets, com, passive, singular: as in `OperationalSpace`. With a passive free root the momentum that the robot has
    is counted in: V = R θ̇_a + what it moves with anyway.

    >>> import numpy as np, soadyn as sd
    >>> arm = sd.load("ur5")
    >>> q = np.array([0.0, -1.2, 1.6, -0.5, 1.3, 0.0])
    >>> there = arm.pose(q + 0.1, "tool0")
    >>> control = sd.control.ResolvedRate(arm, {"tool0": there}, bandwidth=5.0)
    >>> V = arm.frame_velocity(q, control.rates(0.0, q, np.zeros(6)), "tool0")
    >>> bool(np.allclose(V[3:], 5.0 * (there - arm.pose(q, "tool0"))[:3, 3]))
    True
    """

    def __init__(
        self,
        robot: Robot,
        targets: Any,
        *,
        com: ArrayLike | TimeSeries | None = None,
        bandwidth: ArrayLike = 5.0,
        velocity_bandwidth: ArrayLike = 50.0,
        posture: ArrayLike | TimeSeries | None = None,
        posture_bandwidth: ArrayLike = 2.0,
        passive: PassiveLike | None = None,
        singular: float = SINGULAR,
    ) -> None:
        super().__init__(robot, targets, com=com, posture=posture, passive=passive, singular=singular)
        own = "ResolvedRate"
        self.omega = per_component("bandwidth", bandwidth, len(self.rows), own, what="rows")
        self.B = per_component("velocity_bandwidth", velocity_bandwidth, robot.nv, own)
        self.omega_p = per_component("posture_bandwidth", posture_bandwidth, robot.nv, own)

    def measured(self, dynamics: Dynamics, q: Array, R: Array) -> Array:
        return R

    def rates(self, t: float, q: ArrayLike, v: ArrayLike) -> np.ndarray:
        """The joint rates (..., nv) to which the motors drive the joints, zero for passive ones."""
        return np.asarray(self._wanted(*self._given(t, q, v)))

    def torque(self, dynamics: Dynamics, q: Array, v: Array, references: Mapping[str, Array]) -> Array:
        return driven(dynamics, self.tasks.passive, q, v, self.B * (self._wanted(dynamics, q, v, references) - v))[1]

    def _wanted(self, dynamics: Dynamics, q: Array, v: Array, references: Mapping[str, Array]) -> Array:
        e, J = self.tasks.where(dynamics, q, references)
        R = self.tasks.actuated(dynamics, q, J)
        V, _ = self.tasks.motion(references)
        x = 0 * v
        if POSTURE in references:
            x = x + self.motors * self.omega_p * dynamics.difference(q, references[POSTURE])
        missing = V + self.omega * e - times(J - R, v) - times(R, x)
        return x + self.solver(dynamics, q, R).solve(missing)

    def content(self) -> tuple[Any, ...]:
        return (*super().content(), self.omega, self.B, self.omega_p)
