"""What task feedbacks by accelerations share: errors that decay as chosen, and a posture for the freedom left."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from numpy.typing import ArrayLike

from soadyn.control.feedback.joint_feedbacks import gains_of
from soadyn.control.feedback.normalized import times
from soadyn.control.feedback.task_feedback import POSTURE, SINGULAR, TaskFeedback
from soadyn.mechanics.spatial.arithmetic import Array
from soadyn.robot import Robot
from soadyn.robot.arguments.arguments import PassiveLike
from soadyn.simulation.drive.dynamics import Dynamics
from soadyn.simulation.drive.time_series import TimeSeries


class Leaning(TaskFeedback):
    """Joints lean to a posture q_p with the freedom that the tasks leave: θ̈ = K_p (q_p - q) - B_p θ̇."""

    def __init__(
        self,
        robot: Robot,
        targets: Any,
        *,
        com: ArrayLike | TimeSeries | None = None,
        posture: ArrayLike | TimeSeries | None,
        posture_stiffness: ArrayLike,
        posture_damping: ArrayLike,
        passive: PassiveLike,
        singular: float,
    ) -> None:
        super().__init__(robot, targets, com=com, posture=posture, passive=passive, singular=singular)
        self.posture_stiffness = gains_of(robot, posture_stiffness, "posture_stiffness", type(self).__name__)
        self.posture_damping = gains_of(robot, posture_damping, "posture_damping", type(self).__name__)

    def content(self) -> tuple[Any, ...]:
        return (*super().content(), self.posture_stiffness, self.posture_damping)

    def leaning(self, dynamics: Dynamics, q: Array, v: Array, references: Mapping[str, Array]) -> Array:
        """The accelerations (..., nv) that the posture asks of the motors."""
        wanted = -self.posture_damping * v
        if POSTURE in references:
            wanted = wanted + self.posture_stiffness * dynamics.difference(q, references[POSTURE])
        return wanted * self.motors


class Decaying(Leaning):
    """Rows that follow their references; errors decay as ë + B ė + K e = 0."""

    def __init__(
        self,
        robot: Robot,
        targets: Any,
        *,
        com: ArrayLike | TimeSeries | None = None,
        stiffness: ArrayLike = 100.0,
        damping: ArrayLike = 20.0,
        posture: ArrayLike | TimeSeries | None = None,
        posture_stiffness: ArrayLike = 25.0,
        posture_damping: ArrayLike = 10.0,
        passive: PassiveLike = (),
        singular: float = SINGULAR,
    ) -> None:
        super().__init__(
            robot,
            targets,
            com=com,
            posture=posture,
            posture_stiffness=posture_stiffness,
            posture_damping=posture_damping,
            passive=passive,
            singular=singular,
        )
        self.stiffness = self.row_gains(stiffness, "stiffness")
        self.damping = self.row_gains(damping, "damping")

    def content(self) -> tuple[Any, ...]:
        return (*super().content(), self.stiffness, self.damping)

    def torque(self, dynamics: Dynamics, q: Array, v: Array, references: Mapping[str, Array]) -> Array:
        e, J = self.tasks.where(dynamics, q, references)
        R = self.tasks.actuated(dynamics, q, J)
        V, A = self.tasks.motion(references)
        lean = self.leaning(dynamics, q, v, references)
        a, T = self.driven(dynamics, q, v, lean)
        wanted = A + self.stiffness * e + self.damping * (V - times(J, v))
        missing = wanted - self.tasks.accelerations(dynamics, q, v, a)
        return self.corrected(dynamics, q, v, (lean, T), self.solver(dynamics, q, R).solve(missing))

    def corrected(self, dynamics: Dynamics, q: Array, v: Array, leaning: tuple[Array, Array], s: Array) -> Array:
        """The motors' forces that serve posture and tasks.

        leaning: the posture's accelerations and forces, (..., nv) each.
        s: what the tasks need besides, (..., nv), in the coordinates of `measured`.
        """
        raise NotImplementedError
