"""What task feedbacks by accelerations share: errors that decay as chosen, and a posture for the freedom left."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from soadyn.control.feedback.gains import second_order
from soadyn.control.feedback.motor_forces import driven
from soadyn.control.feedback.normalized import times
from soadyn.control.feedback.task_feedback import POSTURE, SINGULAR, TaskFeedback
from soadyn.mechanics.spatial.arithmetic import Array
from soadyn.robot import Robot
from soadyn.robot.arguments.arguments import PassiveLike
from soadyn.simulation.drive.dynamics import Dynamics
from soadyn.simulation.drive.time_series import TimeSeries


class WithPosture(TaskFeedback):
    """Joints go to a posture q_p with the freedom that the tasks leave: θ̈ = ω_p² (q_p - q) - 2 ζ_p ω_p θ̇."""

    K_p: np.ndarray
    B_p: np.ndarray

    def content(self) -> tuple[Any, ...]:
        return (*super().content(), self.K_p, self.B_p)

    def towards_posture(self, dynamics: Dynamics, q: Array, v: Array, references: Mapping[str, Array]) -> Array:
        """The accelerations (..., nv) that the posture asks of the motors."""
        wanted = -self.B_p * v
        if POSTURE in references:
            wanted = wanted + self.K_p * dynamics.difference(q, references[POSTURE])
        return wanted * self.motors


class Decaying(WithPosture):
    """Rows that follow their references; errors decay as ë + 2 ζ ω ė + ω² e = 0."""

    def __init__(
        self,
        robot: Robot,
        targets: Any,
        *,
        com: ArrayLike | TimeSeries | None = None,
        bandwidth: ArrayLike = 10.0,
        damping_ratio: ArrayLike = 1.0,
        posture: ArrayLike | TimeSeries | None = None,
        posture_bandwidth: ArrayLike = 5.0,
        posture_damping_ratio: ArrayLike = 1.0,
        passive: PassiveLike | None = None,
        singular: float = SINGULAR,
    ) -> None:
        super().__init__(robot, targets, com=com, posture=posture, passive=passive, singular=singular)
        own = type(self).__name__
        self.K_p, self.B_p = second_order(posture_bandwidth, posture_damping_ratio, robot.nv, own, "posture_")
        self.K, self.B = second_order(bandwidth, damping_ratio, len(self.rows), own, what="rows")

    def content(self) -> tuple[Any, ...]:
        return (*super().content(), self.K, self.B)

    def torque(self, dynamics: Dynamics, q: Array, v: Array, references: Mapping[str, Array]) -> Array:
        e, J = self.tasks.where(dynamics, q, references)
        R = self.tasks.actuated(dynamics, q, J)
        V, A = self.tasks.motion(references)
        posture = self.towards_posture(dynamics, q, v, references)
        a, T = driven(dynamics, self.tasks.passive, q, v, posture)
        wanted = A + self.K * e + self.B * (V - times(J, v))
        missing = wanted - self.tasks.accelerations(dynamics, q, v, a)
        return self.corrected(dynamics, q, v, (posture, T), self.solver(dynamics, q, R).solve(missing))

    def corrected(self, dynamics: Dynamics, q: Array, v: Array, posture: tuple[Array, Array], s: Array) -> Array:
        """The motors' forces that serve posture and tasks.

        posture: its accelerations and forces, (..., nv) each.
        s: what the tasks need besides, (..., nv), in the coordinates of `measured`.
        """
        raise NotImplementedError
