"""A payload's mass and centre while the robot moves: recursive least squares, which is a Kalman filter of constants."""

from __future__ import annotations

from typing import final

import numpy as np
from numpy.typing import ArrayLike

from soadyn.errors import ArgumentError
from soadyn.estimation.payload_step import recorded_weighing
from soadyn.estimation.residuals import ForcesAtState, checked_joint_forces, residual
from soadyn.mechanics.spatial.arithmetic import skew
from soadyn.robot import Robot
from soadyn.robot.arguments import arguments
from soadyn.robot.arguments.arguments import FrameLike
from soadyn.robot.arguments.component_values import per_component
from soadyn.robot.arguments.plain_values import flag, positive
from soadyn.robot.checked import checked_robot
from soadyn.simulation.run.recorded_step import RecordedStep


@final
class PayloadEstimator:
    """Mass and first moment of an unknown body at a frame, from torques, sample by sample.

    The torques that the robot without payload does not explain are -r = Y x, x = [m; m c]; moments of inertia about
    the frame are taken for zero unless `inertia` is set, then all ten parameters are estimated.

    torque_std  of the residual, N m; one number or one for each joint
    mass_std, reach  how heavy, and how far from the frame, a payload may be beforehand: kg, m
    forget      1/s: how fast old samples lose weight, so that a payload may be lifted or dropped

    >>> import numpy as np, soadyn as sd
    >>> arm, rng = sd.load("panda"), np.random.default_rng(0)
    >>> loaded = arm.with_payload("panda_link8", 2.0, (0.0, 0.0, 0.1))
    >>> found = sd.estimation.PayloadEstimator(arm, "panda_link8", torque_std=0.1)
    >>> for q in arm.random_configuration(rng, 50):
    ...     found.update(q, np.zeros(7), np.zeros(7), loaded.gravity_force(q) + 0.1 * rng.standard_normal(7))
    >>> round(found.mass, 1), found.com.round(2)
    (2.0, array([0. , 0. , 0.1]))
    """

    def __init__(
        self,
        robot: Robot,
        frame: FrameLike,
        torque_std: ArrayLike,
        mass_std: float = 5.0,
        reach: float = 0.3,
        forget: float = 0.0,
        inertia: bool = False,
        joint_forces: ForcesAtState | None = None,
    ) -> None:
        self.robot = checked_robot(robot, "PayloadEstimator")
        where = arguments.frame(robot.model, frame)
        if where.link == 0:
            raise ArgumentError(f"a payload on {where.name!r}, which is fixed to the ground, is felt by no joint")
        self.sigma = per_component("torque_std", torque_std, robot.nv, "PayloadEstimator", zero=False)
        mass_std, reach = (
            positive(name, x, "PayloadEstimator") for name, x in (("mass_std", mass_std), ("reach", reach))
        )
        self.forget = positive("forget", forget, "PayloadEstimator", zero=True)
        self.joint_forces = checked_joint_forces(joint_forces, "PayloadEstimator")
        row = robot.model.visible.index(where.link)
        self.frame = where.name
        self._columns = slice(10 * row, 10 * row + 10)
        self._carried = carried(np.array(where.placement.rotation), np.array(where.placement.position))
        size = 10 if flag("PayloadEstimator: inertia", inertia) else 4
        scale = np.array([mass_std, *[mass_std * reach] * 3, *[mass_std * (reach * reach)] * 6])[:size]
        self._prior = np.diag(1 / scale**2)
        self._information, self._pull = self._prior.copy(), np.zeros(size)

    def __repr__(self) -> str:
        return f"<PayloadEstimator of {self.robot.name!r} at {self.frame!r}: {self.mass:.4g} ± {self.mass_std:.2g} kg>"

    def update(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, tau: ArrayLike, step: float = 0.0) -> None:
        """One sample, or a batch of them, `step` seconds after the last."""
        r = -residual(self.robot, q, v, a, tau, self.joint_forces)
        if not np.isfinite(r).all():
            raise ArgumentError("PayloadEstimator.update: a sample holds numbers that are not finite; leave it out")
        Y = self.robot.inertia_regressor(q, v, a)[..., self._columns] @ self._carried[:, : len(self._pull)]
        Y = np.broadcast_to(Y, (*r.shape, len(self._pull)))  # tau may be a batch at one state
        A, b = (Y / self.sigma[:, None]).reshape(-1, len(self._pull)), (r / self.sigma).reshape(-1)
        keep = np.exp(-self.forget * positive("step", step, "PayloadEstimator.update", zero=True))
        self._information = keep * self._information + (1 - keep) * self._prior + A.T @ A
        self._pull = keep * self._pull + A.T @ b

    def recorded_step(self) -> RecordedStep:
        """One sample with its memory as an argument, for `sd.export_c`; begin with a state of zeros.

        >>> import soadyn as sd
        >>> found = sd.estimation.PayloadEstimator(sd.load("planar_two_link"), "tool", torque_std=0.1)
        >>> [(port.name, port.count) for port in found.recorded_step().trace.outputs]
        [('parameters', 4), ('deviations', 4), ('next_state', 14)]
        """
        return recorded_weighing(
            self.robot,
            self._columns,
            self._carried,
            self.sigma,
            self._prior,
            self.forget,
            self.joint_forces,
            self.frame,
        )

    @property
    def parameters(self) -> np.ndarray:
        """m, m c (3) at the frame along its axes, and with `inertia` the six moments about it."""
        return np.linalg.solve(self._information, self._pull)

    @property
    def covariance(self) -> np.ndarray:
        """Of the errors of `parameters`."""
        return np.linalg.inv(self._information)

    @property
    def mass(self) -> float:
        """kg."""
        return float(self.parameters[0])

    @property
    def mass_std(self) -> float:
        """Standard deviation of the mass, kg."""
        return float(np.sqrt(self.covariance[0, 0]))

    @property
    def com(self) -> np.ndarray:
        """The mass centre in the frame, (3,); NaN while the mass is not known to be more than three deviations."""
        if self.mass <= 3 * self.mass_std:
            return np.full(3, np.nan)
        return self.parameters[1:4] / self.mass


def carried(R: np.ndarray, p: np.ndarray) -> np.ndarray:
    """(10, 10): a body's parameters at a frame that stands at p, turned by R, as parameters at the link's frame."""
    columns = []
    for unit in np.eye(10):
        m, h = unit[0], R @ unit[1:4]
        xx, xy, yy, xz, yz, zz = unit[4:]
        J = R @ np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]) @ R.T
        P, S = skew(p[:, None]), skew(h[:, None])
        J = J - P @ S - S @ P - m * P @ P  # -(p + s)~ (p + s)~ without the part that J holds
        moved = h + m * p
        columns.append([m, *moved, J[0, 0], J[0, 1], J[1, 1], J[0, 2], J[1, 2], J[2, 2]])
    return np.array(columns).T
