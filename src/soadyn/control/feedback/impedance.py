"""Impedance control (Hogan 1985): a frame gives way to what pushes it like a mass on springs and dampers.

    M_d (ẍ - ẍ_d) + D (ẋ - ẋ_d) + K (x - x_d) = f

f is the wrench that the surroundings exert on the frame. Without a wanted inertia M_d the frame keeps its own, Λ, and f
need not be known: F = Λ (ẍ_d - α₀) + K e + D ė. With one, F = Λ (ẍ_d + M_d⁻¹ (K e + D ė + f) - α₀), and f, which the
controller then measures, is taken off what the motors do. K and D over the frame's inertia are squares of rates and
rates: where a light wrist has much damping they are high, and the controller must be fast.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, final

import numpy as np
from numpy.typing import ArrayLike

from soadyn.control.feedback.acceleration_feedback import WithPosture
from soadyn.control.feedback.gains import second_order
from soadyn.control.feedback.joint_feedbacks import checked_for_feedback
from soadyn.control.feedback.motor_forces import driven
from soadyn.control.feedback.normalized import times
from soadyn.control.feedback.operational_space import from_normalized, normalized_rows
from soadyn.control.feedback.task_feedback import SINGULAR
from soadyn.errors import ArgumentError, ShapeError
from soadyn.kinematics.targets import Pose
from soadyn.mechanics.spatial.arithmetic import Array
from soadyn.robot import Robot
from soadyn.robot.arguments import arguments
from soadyn.robot.arguments.arguments import FrameLike, PassiveLike
from soadyn.robot.arguments.component_values import weight_matrix
from soadyn.robot.arguments.plain_values import real, word
from soadyn.simulation.drive.dynamics import Dynamics
from soadyn.simulation.drive.time_series import TimeSeries

WRENCH = "wrench"
TURNED = [3, 4, 5, 0, 1, 2]  # between [angular; linear] and the tasks' position first


@final
class Impedance(WithPosture):
    """A frame at a pose, or along poses, on springs and dampers.

    pose: where the springs pull to: (..., 4, 4), `sd.TimeSeries` of poses, or a motion.
    stiffness, damping: K and D, six numbers [angular; linear] or a symmetric (6, 6): N m/rad and N/m, N m s and N s/m.
    inertia: M_d, likewise, kg m² and kg; None leaves the frame its own.
    wrench: f (..., 6), [moment; force] on the frame's origin along world axes, or `sd.TimeSeries` of it; with M_d.
    axes: "world", or "target": K, D and M_d are along the axes of the pose.
    posture, passive, singular: as in `OperationalSpace`.

    >>> import numpy as np, soadyn as sd
    >>> arm = sd.load("ur5")
    >>> q = np.array([0.0, -1.2, 1.6, -0.5, 1.3, 0.0])
    >>> pose, push = arm.pose(q, "tool0"), np.array([0.0, 0.0, 0.0, 0.0, 0.0, -20.0])  # 20 N down
    >>> soft = sd.control.Impedance(arm, "tool0", pose, stiffness=[20, 20, 20, 400, 400, 400],
    ...                             damping=[3, 3, 3, 90, 90, 90], inertia=[0.1, 0.1, 0.1, 5, 5, 5], wrench=push)
    >>> still, along_the_tool = np.zeros(6), [0, 0, 0, *(pose[:3, :3].T @ push[3:])]
    >>> a = arm.forward_dynamics(q, still, soft(0.0, q, still), external={"tool0": along_the_tool})
    >>> float(arm.frame_acceleration(q, still, a, "tool0")[5].round(9))  # 20 N on 5 kg
    -4.0
    """

    def __init__(
        self,
        robot: Robot,
        frame: FrameLike,
        pose: Any,
        *,
        stiffness: ArrayLike,
        damping: ArrayLike,
        inertia: ArrayLike | None = None,
        wrench: ArrayLike | TimeSeries | None = None,
        axes: Literal["world", "target"] = "world",
        posture: ArrayLike | TimeSeries | None = None,
        posture_bandwidth: ArrayLike = 5.0,
        posture_damping_ratio: ArrayLike = 1.0,
        passive: PassiveLike | None = None,
        singular: float = SINGULAR,
    ) -> None:
        checked_for_feedback(robot, "Impedance")
        targets = {arguments.frame_key(robot.model, frame): Pose(pose)}
        super().__init__(robot, targets, com=None, posture=posture, passive=passive, singular=singular)
        self.K_p, self.B_p = second_order(posture_bandwidth, posture_damping_ratio, robot.nv, "Impedance", "posture_")
        if (inertia is None) != (wrench is None):
            raise ArgumentError("Impedance: a wanted inertia needs the wrench that is measured, and only it does")
        self.axes = word("Impedance: axes", axes, ("world", "target"))
        self.stiffness = _position_first("stiffness", stiffness, definite=False)
        self.damping = _position_first("damping", damping, definite=False)
        self.inertia = None if inertia is None else _position_first("inertia", inertia, definite=True)
        if wrench is not None:
            self.references[WRENCH] = _wrench(wrench)

    def torque(self, dynamics: Dynamics, q: Array, v: Array, references: Mapping[str, Array]) -> Array:
        e, J = self.tasks.where(dynamics, q, references)
        R = self.tasks.actuated(dynamics, q, J)
        V, A = self.tasks.motion(references)
        turn = self._turn(references)
        pull = self._along(turn, self.stiffness, e) + self._along(turn, self.damping, V - times(J, v))
        f = references[WRENCH][..., TURNED] if self.inertia is not None else 0.0
        load = times(J.mT, f) if self.inertia is not None else None
        a, T = driven(dynamics, self.tasks.passive, q, v, self.towards_posture(dynamics, q, v, references), load)
        missing = A - self.tasks.accelerations(dynamics, q, v, a)
        if self.inertia is not None:
            missing = missing + self._along(turn, np.linalg.inv(self.inertia), pull + f)
        T = T + self.motors * from_normalized(dynamics, q, self.solver(dynamics, q, R).solve(missing))
        return T if self.inertia is not None else T + times(R.mT, pull)

    def measured(self, dynamics: Dynamics, q: Array, R: Array) -> Array:
        return normalized_rows(dynamics, q, R)

    def content(self) -> tuple[Any, ...]:
        return (*super().content(), self.axes, self.stiffness, self.damping, self.inertia)

    def _turn(self, references: Mapping[str, Array]) -> Array | None:
        """The target's axes (..., 3, 3), if gains are along them."""
        if self.axes == "world":
            return None
        rotation = references[self.tasks.list[1].names[0]]
        return rotation.reshape(*rotation.shape[:-1], 3, 3)

    @staticmethod
    def _along(turn: Array | None, gain: np.ndarray, x: Array) -> Array:
        """A gain times x, both position first; its axes turned as the target is."""
        if turn is None:
            return times(gain, x)
        inside = np.concatenate([times(turn.mT, x[..., :3]), times(turn.mT, x[..., 3:])], axis=-1)
        found = times(gain, inside)
        return np.concatenate([times(turn, found[..., :3]), times(turn, found[..., 3:])], axis=-1)


def _position_first(name: str, x: ArrayLike, definite: bool) -> np.ndarray:
    """A symmetric (6, 6) from six numbers or itself, [angular; linear], in the order of the tasks."""
    return weight_matrix(name, x, 6, "Impedance", definite)[np.ix_(TURNED, TURNED)]


def _wrench(x: ArrayLike | TimeSeries) -> np.ndarray | TimeSeries:
    if not isinstance(x, TimeSeries):
        return real("wrench", x, 6, meaning="a wrench [moment; force] along world axes", of="Impedance")
    if x.values.shape[-1] != 6:
        raise ShapeError(f"Impedance: samples of the wrench have {x.values.shape[-1]} numbers each; expected 6")
    return x
