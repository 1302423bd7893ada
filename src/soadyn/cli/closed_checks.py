"""Facts that the results for any robot with closures must obey where it is closed, each computed in two ways."""

from __future__ import annotations

import numpy as np

from soadyn.cli.case import Case, apart, matrix_size, relative, size, slope, times
from soadyn.cli.cross_checks import DIFFERENCES, Check
from soadyn.errors import ModelError
from soadyn.robot import Robot
from soadyn.robot.closed.assembling import assembled

SOLVED = 1e-8  # equations solved for the closures' forces, whose rows may nearly follow from one another
ROUNDS = 20  # of random starts, as many as states are wanted


def closed_case(robot: Robot, states: int, seed: int) -> Case:
    """The robot at random states where it is closed and moves so that it stays closed."""
    found: list[np.ndarray] = []
    for attempt in range(ROUNDS):
        case = Case(robot, states, seed + attempt)
        result = assembled(robot.engine, case.q.copy())
        found += list(result.q[result.is_closed])
        if len(found) >= states:
            case.q = np.array(found[:states])
            case.v = robot.consistent(case.q, case.v)
            return case
    raise ModelError(f"from {ROUNDS * states} random starts {len(found)} lead to where robot {robot.name!r} is closed")


def rows(case: Case) -> np.ndarray:
    """Along directions that open the closures, as accelerations are any."""
    along = case.a / np.linalg.norm(case.a, axis=-1)[..., None]
    error = slope(lambda s: case.compute.closure_error(case.robot.integrate(case.q, s * along)))
    return apart(times(case.compute.closure_jacobian(case.q), along), error)


def motion(case: Case) -> np.ndarray:
    """|Mass a + bias - tau - J_c* lam| relative to its parts."""
    a, lam = case.compute.constrained_dynamics(case.q, case.v, case.a)
    felt = times(case.compute.closure_jacobian(case.q).mT, lam)
    parts = matrix_size(case.mass) * size(a) + size(case.a) + size(case.bias) + size(felt)
    return relative(size(times(case.mass, a) + case.bias - case.a - felt), parts)


def staying(case: Case) -> np.ndarray:
    """|J_c a + drift| relative to its parts."""
    a = case.compute.forward_dynamics(case.q, case.v, case.a)
    J, drift = case.compute.closure_jacobian(case.q), case.compute.closure_drift(case.q, case.v)
    return relative(size(times(J, a) + drift), matrix_size(J) * size(a) + size(drift))


def delassus(case: Case) -> np.ndarray:
    J = case.compute.closure_jacobian(case.q)
    return apart(case.compute.closure_inertia_inverse(case.q), J @ np.linalg.solve(case.mass, J.mT))


CHECKS = (
    Check("the closures' Jacobian agrees with differences of their errors", rows, DIFFERENCES),
    Check("accelerations and the closures' forces obey the equations of motion", motion, SOLVED),
    Check("accelerations keep the closures closed", staying, SOLVED),
    Check("what unit forces of the closures do to them is J Mass^-1 J*", delassus, SOLVED),
)
