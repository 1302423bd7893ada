"""A frame brought to a pose through normalized rates (000 Control 8.2, with the signs that make it stable).

    Y = (y₀, y₁, y₂, y₃)    position and axes of the frame, 12 numbers;    Ẏ = L_Y J v
    L_Y = [0, I; -ỹ₁, 0; -ỹ₂, 0; -ỹ₃, 0]
    T = -m c m* v + J* L_Y* W e,    e = Ŷ - Y:        d/dt [½ ν* ν + ½ e* W e] = -ν* c ν

It comes to rest where J* L_Y* W e = 0: at the pose, unless a singularity or a half turn stops it on the way.
"""

from __future__ import annotations

from typing import final

import numpy as np
from numpy.typing import ArrayLike

from soadyn.control.rate_feedback import NormalizedDamping, positive_matrix
from soadyn.errors import ArgumentError
from soadyn.evaluation import arguments
from soadyn.evaluation.arguments import FrameLike, PassiveLike
from soadyn.robot import Robot
from soadyn.simulation.inputs import real


@final
class PoseFeedback(NormalizedDamping):
    """Joint forces (t, q, v) -> (..., nv) that bring a frame to a pose; give it to `simulate` as `torque`.

    pose: where the frame shall go, 4x4. gain: c, a positive number or matrix, 1/s.
    weight: W, a positive number, 12 of them or a matrix: N/m for the position, N m for the axes.
    passive: a free root without thrusters, or joints that do not move the frame. In the first case the robot must
        start without momentum, and J is the generalized Jacobian. In both T_p = 0, and T_a has -m_a c m_a* v_a in
        place of -m c m* v, m_a m_a* being S_aa.
    effort: the largest joint forces (nv,). Where a bound acts, which `limited` tells, T is scaled as a whole and the
        Lyapunov function may rise.

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
        passive: PassiveLike = (),
        effort: ArrayLike | None = None,
    ) -> None:
        super().__init__(robot, gain, passive, effort)
        self.frame = frame
        self.target = vector_of(real("pose", pose, 4, 4, meaning="a pose", of="PoseFeedback"))
        self.weight = positive_matrix("weight", weight, 12, "PoseFeedback")
        self._floats = bool(self.passive.any()) and self._moves_with_the_root()

    def __call__(self, t: float, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        return self._within(self._force(q, v), self._weight(q))[0]

    def lyapunov(self, q: ArrayLike, v: ArrayLike) -> np.ndarray:
        """½ ν* ν + ½ e* W e, (...)."""
        e = self.error(q)
        return np.asarray(
            self.robot.kinetic_energy(q, v) + 0.5 * (e * (self.weight @ e[..., None])[..., 0]).sum(axis=-1)
        )

    def error(self, q: ArrayLike) -> np.ndarray:
        """e = Ŷ - Y, (..., 12)."""
        return self.target - vector_of(self.robot.pose(q, self.frame))

    def limited(self, q: ArrayLike, v: ArrayLike) -> np.ndarray:
        """Does a bound act there? Booleans (...)."""
        q, v = np.asarray(q, dtype=float), np.asarray(v, dtype=float)
        return self._within(self._force(q, v), self._weight(q))[1] < 1

    def _force(self, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        """-m c m* v + J* L_Y* W e."""
        pose = self.robot.pose(q, self.frame)
        pull = (self.weight @ (self.target - vector_of(pose))[..., None])[..., 0]
        # L_Y* x = [Σ y_i × x_i; x_0]
        parts = pull.reshape(*pull.shape[:-1], 4, 3)
        axes = np.swapaxes(pose[..., :3, :3], -1, -2)
        wrench = np.concatenate([np.cross(axes, parts[..., 1:, :]).sum(axis=-2), parts[..., 0, :]], axis=-1)
        force = self.damping(q, v)
        if self._floats:
            felt = self.robot.generalized_jacobian_transposed_times(q, wrench, self.frame, self.passive)
        else:
            # passive joints do not move the frame: their columns of J are zero
            felt = (self.robot.jacobian(q, self.frame)[..., self.active].mT @ wrench[..., None])[..., 0]
        force[..., self.active] += felt
        return force

    def _moves_with_the_root(self) -> bool:
        """Is the passive joint a free root? Otherwise no passive joint may move the frame."""
        robot = self.robot
        roots = [joint.name for joint in robot.model.joints if joint.kind == "free"]
        free = np.zeros(robot.nv, dtype=bool)
        for root in roots:
            free[list(robot.joint_dofs(root))] = True
        if roots and (free == self.passive).all():
            return True
        moving = joints_that_move(robot, self.frame)
        wrong = [name for name in moving if self.passive[list(robot.joint_dofs(name))].any()]
        if wrong:
            raise ArgumentError(
                "PoseFeedback: the Lyapunov function falls with a passive free root, whose motion follows from "
                f"momentum; other passive joints are not allowed to move the frame, and {wrong[0]!r} does"
            )
        return False


def joints_that_move(robot: Robot, frame: FrameLike) -> list[str]:
    """The joints between the ground and a frame."""
    model = robot.model
    link, found = arguments.frame(model, frame).link, []
    while link:
        found.append(model.joints[link - 1].name)
        link = model.parents[link - 1]
    return found


def vector_of(pose: np.ndarray) -> np.ndarray:
    """Y, (..., 12): position and the three axes of poses (..., 4, 4)."""
    columns = np.swapaxes(pose[..., :3, [3, 0, 1, 2]], -1, -2)
    return np.ascontiguousarray(columns).reshape(*pose.shape[:-2], 12)
