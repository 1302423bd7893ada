"""One sample of a payload estimator on recorded scalars."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from soadyn.engine.tracing.ports import Port
from soadyn.engine.tracing.recording import Recording
from soadyn.engine.tracing.trace import Traced
from soadyn.errors import ArgumentError
from soadyn.mechanics.spatial.arithmetic import Array, exp, factor, maximum, solve_factored, sqrt
from soadyn.robot import Robot
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


def recorded_weighing(
    robot: Robot,
    columns: slice,
    carried: np.ndarray,
    sigma: np.ndarray,
    prior: np.ndarray,
    forget: float,
    joint_forces: Any,
    where: str,
) -> RecordedStep:
    """The step (q, v, a, tau, step, state) -> (parameters, deviations, next_state).

    The state holds what samples add to the prior's information, so that it begins with zeros.
    """
    checked_robot(robot, "PayloadEstimator", moving=True)
    if robot.model.ties:
        raise ArgumentError(
            f"PayloadEstimator: robot {robot.name!r} has tied mimic joints, which have no straight-line code"
        )
    nv, n = robot.nv, len(prior)
    upper = np.triu_indices(n)
    recording = Recording(robot.engine.constants)
    dynamics = RecordedDynamics(recording)
    sizes = {"q": robot.nq, "v": nv, "a": nv, "tau": nv, "step": 1, "state": len(upper[0]) + n}
    q, v, a, tau, step, state = (recording.argument(Port(name, (size,))) for name, size in sizes.items())
    own = recorded_forces(joint_forces, robot, q, v, "PayloadEstimator")
    b = (tau + own - dynamics.quantity("inverse_dynamics", q=q, v=v, a=a)) / sigma
    A = dynamics.quantity("inertia_regressor", q=q, v=v, a=a)[:, columns] @ carried[:, :n] / sigma[:, None]
    keep = exp(-forget * maximum(step[0], 0.0))
    told = keep * state[:-n] + (A.T @ A)[upper]
    pull = keep * state[-n:] + A.T @ b
    parameters, deviations = _solved(prior, told, pull)
    outputs: dict[Port, Sequence[Any]] = {
        Port("parameters", (n,)): list(parameters),
        Port("deviations", (n,)): list(deviations),
        Port("next_state", (sizes["state"],)): [*told, *pull],
    }
    trace = Traced(recording.graph, dict(recording.inputs), outputs, ((KIND, len(recording.graph.nodes)),))
    spread = np.array2string(1 / np.sqrt(np.diag(prior)), separator=", ", max_line_width=10**6)
    folded = (
        f"frame: {where}",
        f"torque_std {np.array2string(sigma, separator=', ', max_line_width=10**6)} N m",
        f"deviations beforehand {spread}",
        f"forget {forget:g} 1/s",
        *forces_folded(joint_forces),
    )
    return RecordedStep(robot, trace, KIND, PURPOSE, folded, MEANING)


def _solved(prior: np.ndarray, told: Array, pull: Array) -> tuple[Array, Array]:
    """Information⁻¹ pull, and the roots of the diagonal of information⁻¹."""
    n = len(prior)
    information = prior.astype(object)
    information[np.triu_indices(n)] = information[np.triu_indices(n)] + told
    L, d, _ = factor(information, list(np.diag(information)))
    both = np.concatenate([pull[:, None], np.eye(n).astype(object)], axis=1)
    solved = solve_factored(L, d, both)
    return solved[:, 0], sqrt(np.diag(solved[:, 1:]))
