"""A payload's mass and centre while the robot moves: recursive least squares, which is a Kalman filter of constants."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, final

import numpy as np
from numpy.typing import ArrayLike

from soadyn.engine.tracing.ports import Port
from soadyn.engine.tracing.recording import Recording
from soadyn.engine.tracing.trace import Traced
from soadyn.errors import ArgumentError
from soadyn.estimation.physical import parameters_of, pseudo_inertia
from soadyn.estimation.residuals import ForcesAtState, checked_joint_forces, residual
from soadyn.mechanics.spatial.arithmetic import Array, exp, factor, maximum, solve_factored, sqrt
from soadyn.mechanics.spatial.rigid import pose_of
from soadyn.robot import Robot
from soadyn.robot.arguments import arguments
from soadyn.robot.arguments.arguments import FrameLike
from soadyn.robot.arguments.component_values import per_component
from soadyn.robot.arguments.plain_values import flag, positive
from soadyn.robot.checked import checked_robot
from soadyn.simulation.drive.dynamics import RecordedDynamics
from soadyn.simulation.run.recorded_step import RecordedStep, forces_folded, recorded_forces

KIND = "payload estimator"
PURPOSE = (
    "Inertial parameters of a body at a frame by recursive least squares: the torques that the robot without it does "
    "not explain are Y x. Begin with a state of zeros. On a status other than 0 leave the sample out: hand in the "
    "state before it again, with the longer step."
)
MEANING = {
    "tau": "forces of the motors: N m, N",
    "step": "seconds since the sample before, zero or more",
    "state": "what the samples say: the upper half of the information, row by row, then the pull",
    "parameters": "m, m c (3), and moments about the frame if they are estimated: kg, kg m, kg m^2",
    "deviations": "standard deviations of the parameters",
    "next_state": "the state to hand in with the next sample",
}


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

        The state holds what samples add to the prior's information.

        >>> import soadyn as sd
        >>> found = sd.estimation.PayloadEstimator(sd.load("planar_two_link"), "tool", torque_std=0.1)
        >>> [(port.name, port.count) for port in found.recorded_step().trace.outputs]
        [('parameters', 4), ('deviations', 4), ('next_state', 14)]
        """
        robot = checked_robot(self.robot, "PayloadEstimator", moving=True)
        if robot.model.ties:
            raise ArgumentError(
                f"PayloadEstimator: robot {robot.name!r} has tied mimic joints, which have no straight-line code"
            )
        sigma, nv, n = self.sigma, robot.nv, len(self._prior)
        upper = np.triu_indices(n)
        recording = Recording(robot.engine.constants)
        dynamics = RecordedDynamics(recording)
        sizes = {"q": robot.nq, "v": nv, "a": nv, "tau": nv, "step": 1, "state": len(upper[0]) + n}
        q, v, a, tau, step, state = (recording.argument(Port(name, (size,))) for name, size in sizes.items())
        own = recorded_forces(self.joint_forces, robot, q, v, "PayloadEstimator")
        b = (tau + own - dynamics.quantity("inverse_dynamics", q=q, v=v, a=a)) / sigma
        Y = dynamics.quantity("inertia_regressor", q=q, v=v, a=a)[:, self._columns]
        A = Y @ self._carried[:, :n] / sigma[:, None]
        keep = exp(-self.forget * maximum(step[0], 0.0))
        told = keep * state[:-n] + (A.T @ A)[upper]
        pull = keep * state[-n:] + A.T @ b
        parameters, deviations = _solved(self._prior, told, pull)
        outputs: dict[Port, Sequence[Any]] = {
            Port("parameters", (n,)): list(parameters),
            Port("deviations", (n,)): list(deviations),
            Port("next_state", (sizes["state"],)): [*told, *pull],
        }
        trace = Traced(recording.graph, dict(recording.inputs), outputs, ((KIND, len(recording.graph.nodes)),))
        folded = (
            f"frame: {self.frame}",
            f"torque_std {_written(sigma)} N m",
            f"deviations beforehand {_written(1 / np.sqrt(np.diag(self._prior)))}",
            f"forget {self.forget:g} 1/s",
            *forces_folded(self.joint_forces),
        )
        return RecordedStep(robot, trace, KIND, PURPOSE, folded, MEANING)

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
    """(10, 10): a body's parameters at a frame that stands at p, turned by R, as parameters at the link's frame.

    With T = [R, p; 0, 1] the pseudo-inertia is T Σ T*.
    """
    T = pose_of(R, p)
    return parameters_of(T @ pseudo_inertia(np.eye(10)) @ T.T).T


def _solved(prior: np.ndarray, told: Array, pull: Array) -> tuple[Array, Array]:
    """Information⁻¹ pull, and the roots of the diagonal of information⁻¹."""
    n = len(prior)
    information = prior.astype(object)
    information[np.triu_indices(n)] = information[np.triu_indices(n)] + told
    L, d, _ = factor(information, list(np.diag(information)))
    both = np.concatenate([pull[:, None], np.eye(n).astype(object)], axis=1)
    solved = solve_factored(L, d, both)
    return solved[:, 0], sqrt(np.diag(solved[:, 1:]))


def _written(x: np.ndarray) -> str:
    return np.array2string(x, separator=", ", max_line_width=10**6)
