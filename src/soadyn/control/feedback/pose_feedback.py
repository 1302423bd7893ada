"""A frame brought to a pose through normalized rates (000 Control 8.2, with the signs that make it stable).

    Y = (y₀, y₁, y₂, y₃)    position and axes of the frame, 12 numbers;    Ẏ = L_Y J v
    L_Y = [0, I; -ỹ₁, 0; -ỹ₂, 0; -ỹ₃, 0]
    T = -m c m* v + J* L_Y* W e,    e = Ŷ - Y:        d/dt [½ ν* ν + ½ e* W e] = -ν* c ν

It comes to rest where J* L_Y* W e = 0: at the pose, unless a singularity or a half turn stops it on the way.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, final

import numpy as np
from numpy.typing import ArrayLike

from soadyn.control.feedback.free_root import floating, joints_that_move
from soadyn.control.feedback.normalized import times
from soadyn.control.feedback.rate_feedback import NormalizedDamping
from soadyn.errors import ArgumentError
from soadyn.kinematics.compiled_step import FRAME
from soadyn.mechanics.spatial.arithmetic import Array, cross
from soadyn.programs.sweep.under_actuated import GENERALIZED_JACOBIAN_TRANSPOSED_TIMES
from soadyn.robot import Robot
from soadyn.robot.arguments.arguments import FrameLike, PassiveLike
from soadyn.robot.arguments.arguments import passive as passive_mask
from soadyn.robot.arguments.component_values import weight_matrix
from soadyn.robot.arguments.inputs import frame_inputs
from soadyn.robot.arguments.plain_values import real
from soadyn.simulation.drive.dynamics import Dynamics

TARGET = "target"


@final
class PoseFeedback(NormalizedDamping):
    """Joint forces (t, q, v) -> (..., nv) that bring a frame to a pose; give it to `simulate` as `control`.

    pose: where the frame shall go, 4x4. gain: c, a positive number or matrix, 1/s.
    weight: W, a positive number, 12 of them or a matrix: N/m for the position, N m for the axes.
    passive: a free root without thrusters, as by default, or joints that do not move the frame. In the first case the
        robot must start without momentum, and J is the generalized Jacobian. In both T_p = 0, and T_a has
        -m_a c m_a* v_a in place of -m c m* v, m_a m_a* being S_aa.
    effort_limit: the largest joint forces, N m or N. Where it acts, which `limited` tells, T is scaled as a whole and
        the Lyapunov function may rise.

    >>> import numpy as np, soadyn as sd
    >>> arm = sd.load("ur5").with_backend("numpy")
    >>> q = np.array([0.1, -1.0, 1.2, 0.3, 0.5, 0.2])
    >>> control = sd.control.PoseFeedback(arm, "tool0", arm.pose(q + 0.1, "tool0"), gain=4.0, weight=20.0)
    >>> round(float(control.lyapunov(q + 0.1, np.zeros(6))), 12)
    0.0
    """

    def __init__(
        self,
        robot: Robot,
        frame: FrameLike,
        pose: ArrayLike,
        gain: ArrayLike = 2.0,
        weight: ArrayLike = 10.0,
        passive: PassiveLike | None = None,
        effort_limit: ArrayLike | None = None,
    ) -> None:
        target = vector_of(real("pose", pose, 4, 4, meaning="a pose", of="PoseFeedback"))
        super().__init__(robot, gain, passive, effort_limit)
        self.references[TARGET] = target
        self.frame, self.target = frame, target
        self._place = frame_inputs(robot.engine.constants, frame, "world")
        self.weight = weight_matrix("weight", weight, 12, "PoseFeedback")
        self._floats = bool(self.passive.any()) and self._moves_with_the_root()

    def lyapunov(self, q: ArrayLike, v: ArrayLike) -> np.ndarray:
        """½ ν* ν + ½ e* W e, (...)."""
        e = self.error(q)
        return np.asarray(
            self.robot.kinetic_energy(q, v) + 0.5 * (e * (self.weight @ e[..., None])[..., 0]).sum(axis=-1)
        )

    def error(self, q: ArrayLike) -> np.ndarray:
        """e = Ŷ - Y, (..., 12)."""
        return self.target - vector_of(self.robot.pose(q, self.frame))

    def force(self, dynamics: Dynamics, q: Array, v: Array, references: Mapping[str, Array]) -> Array:
        """-m c m* v + J* L_Y* W e."""
        pose, J = dynamics.run(FRAME, {"q": q, **self._place})
        pull = times(self.weight, references[TARGET] - vector_of(pose))
        wrench = _wrench_of(pose, pull)
        if self._floats:
            inputs = {"q": q, "f": wrench[..., None], "passive": self.passive.astype(float), **self._place}
            felt = -dynamics.run(GENERALIZED_JACOBIAN_TRANSPOSED_TIMES, inputs)[0]
        else:
            # passive joints do not move the frame: their columns of J are zero
            felt = times(J.mT, wrench)
        return self._damping(dynamics, q, v) + (1.0 - self.passive) * felt

    def content(self) -> tuple[Any, ...]:
        return (*super().content(), self._place, self.weight, self._floats)

    def _moves_with_the_root(self) -> bool:
        """Is the passive joint a free root? Otherwise no passive joint may move the frame."""
        robot = self.robot
        roots = floating(robot)
        if roots and (self.passive == passive_mask(robot.engine.coordinates, roots)).all():
            return True
        moving = joints_that_move(robot, self.frame)
        wrong = [name for name in moving if self.passive[list(robot.joint_dofs(name))].any()]
        if wrong:
            raise ArgumentError(
                "PoseFeedback: the Lyapunov function falls with a passive free root, whose motion follows from "
                f"momentum; other passive joints are not allowed to move the frame, and {wrong[0]!r} does"
            )
        return False


def _wrench_of(pose: Array, x: Array) -> Array:
    """L_Y* x = [Σ y_i × x_i; x_0], (..., 6)."""
    parts = x.reshape(*x.shape[:-1], 4, 3)
    moment = sum(cross(pose[..., :3, i, None], parts[..., i + 1, :, None]) for i in range(3))
    return np.concatenate([np.asarray(moment)[..., 0], parts[..., 0, :]], axis=-1)


def vector_of(pose: Array) -> Array:
    """Y, (..., 12): position and the three axes of poses (..., 4, 4)."""
    columns = np.swapaxes(pose[..., :3, [3, 0, 1, 2]], -1, -2)
    return np.ascontiguousarray(columns).reshape(*pose.shape[:-2], 12)
