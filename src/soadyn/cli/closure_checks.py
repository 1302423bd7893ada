"""Closures: what the sweeps say of a closed robot, against dense matrices."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from soadyn.cli.case import apart
from soadyn.robot import Robot
from soadyn.theory.oracle.dense_closures import DenseClosures

MOST_STATES = 3


def closure_errors(robot: Robot, states: int, seed: int) -> Iterator[tuple[str, float]]:
    """Each fact in plain words and the worst error over a few closed states."""
    rng = np.random.default_rng(seed)
    worst: dict[str, float] = {}
    for q in robot.random_configuration(rng, min(states, MOST_STATES)):
        v, tau = robot.consistent(q, rng.standard_normal(robot.nv)), rng.standard_normal(robot.nv)
        dense = DenseClosures(robot.model, q, v)
        a, lam = robot.constrained_dynamics(q, v, tau)
        expected, forces = dense.forward_dynamics(tau)
        J = dense.jacobian
        found = {
            "closures: random configurations are closed": float(np.abs(robot.closure_error(q)).max()),
            "closures: J_c agrees with dense matrices": float(apart(robot.closure_jacobian(q), J)),
            "closures: accelerations agree with the dense system": float(apart(a, expected)),
            "closures: J_c* lambda agrees with the dense system": float(apart(J.T @ lam, J.T @ forces)),
            "closures: accelerations keep them closed": float(apart(J @ a, -dense.drift)),
        }
        for fact, error in found.items():
            worst[fact] = max(worst.get(fact, 0.0), error)
    yield from worst.items()
