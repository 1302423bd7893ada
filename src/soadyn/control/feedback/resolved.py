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

from numpy.typing import ArrayLike

from soadyn.control.feedback.acceleration_feedback import Decaying
from soadyn.control.feedback.joint_feedbacks import gains_of
from soadyn.control.feedback.normalized import times
from soadyn.control.feedback.task_feedback import POSTURE, SINGULAR, TaskFeedback
from soadyn.mechanics.spatial.arithmetic import Array
from soadyn.robot import Robot
from soadyn.robot.arguments.arguments import PassiveLike
from soadyn.simulation.drive.dynamics import Dynamics
from soadyn.simulation.drive.time_series import TimeSeries


@final
class ResolvedAcceleration(Decaying):
    """Frames follow their references by the least joint accelerations, the errors decaying as chosen.

        ë + B ė + K e = 0

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

    def corrected(self, dynamics: Dynamics, q: Array, v: Array, leaning: tuple[Array, Array], s: Array) -> Array:
        return self.driven(dynamics, q, v, leaning[0] + s)[1]


@final
class ResolvedRate(TaskFeedback):
    """Frames follow their references by joint rates: ė + K e = 0; the rates themselves are held by the motors.

    gain: K, 1/s, a number or one for each of the `rows`. rate: B, 1/s, how fast the joints take up their rates.
    posture, posture_gain: a configuration to lean to with what freedom is left, and how fast, 1/s.
    targets, com, passive, singular: as in `OperationalSpace`. With a passive free root the momentum that the robot has
    is counted in: V = R θ̇_a + what it moves with anyway.

    >>> import numpy as np, soadyn as sd
    >>> arm = sd.load("ur5")
    >>> q = np.array([0.0, -1.2, 1.6, -0.5, 1.3, 0.0])
    >>> there = arm.pose(q + 0.1, "tool0")
    >>> control = sd.control.ResolvedRate(arm, {"tool0": there}, gain=5.0, rate=50.0)
    >>> a = arm.forward_dynamics(q, np.zeros(6), control(0.0, q, np.zeros(6)))
    >>> V = arm.frame_velocity(q, a / 50.0, "tool0")  # of the rates that the joints are driven to
    >>> bool(np.allclose(V[3:], 5.0 * (there - arm.pose(q, "tool0"))[:3, 3]))
    True
    """

    def __init__(
        self,
        robot: Robot,
        targets: Any,
        *,
        com: ArrayLike | TimeSeries | None = None,
        gain: ArrayLike = 5.0,
        rate: ArrayLike = 50.0,
        posture: ArrayLike | TimeSeries | None = None,
        posture_gain: ArrayLike = 2.0,
        passive: PassiveLike = (),
        singular: float = SINGULAR,
    ) -> None:
        super().__init__(robot, targets, com=com, posture=posture, passive=passive, singular=singular)
        self.gain = self.row_gains(gain, "gain")
        self.rate = gains_of(robot, rate, "rate", "ResolvedRate")
        self.posture_gain = gains_of(robot, posture_gain, "posture_gain", "ResolvedRate")

    def measured(self, dynamics: Dynamics, q: Array, R: Array) -> Array:
        return R

    def torque(self, dynamics: Dynamics, q: Array, v: Array, references: Mapping[str, Array]) -> Array:
        e, J = self.tasks.where(dynamics, q, references)
        R = self.tasks.actuated(dynamics, q, J)
        V, _ = self.tasks.motion(references)
        x = 0 * v
        if POSTURE in references:
            x = x + self.motors * self.posture_gain * dynamics.difference(q, references[POSTURE])
        missing = V + self.gain * e - times(J - R, v) - times(R, x)
        wanted = x + self.solver(dynamics, q, R).solve(missing)
        return self.driven(dynamics, q, v, self.rate * (wanted - v))[1]

    def content(self) -> tuple[Any, ...]:
        return (*super().content(), self.gain, self.rate, self.posture_gain)
