"""The operators of the papers as explicit matrices, against the sweeps and against each other."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from soadyn.cli.case import Case, apart
from soadyn.theory.oracle.dense_robot import DenseRobot
from soadyn.theory.oracle.identity_checks import identities

MOST_STATES = 3  # dense operators cost the cube of the number of links
MOST_LINKS = 80


def dense_errors(case: Case) -> Iterator[tuple[str, float]]:
    """Each fact in plain words and the worst error over a few states."""
    space = case.robot.engine.coordinates
    worst: dict[str, float] = {}
    for i in range(min(case.states, MOST_STATES)):
        dense = DenseRobot(case.robot.model, space.expand(case.q[i]), space.E @ case.v[i])
        found = {
            "mass matrix: the sweeps agree with H φ M φ* H* + A_r": float(
                apart(case.mass[i], space.E.T @ dense.mass_matrix @ space.E, 0.0)
            ),
            "bias force: the sweeps agree with H φ [M φ* a + b]": float(
                apart(case.bias[i], space.E.T @ dense.bias_force())
            ),
            **dict(identities(dense)),
        }
        for fact, error in found.items():
            worst[fact] = float(np.maximum(worst.get(fact, 0.0), error))
    yield from worst.items()
