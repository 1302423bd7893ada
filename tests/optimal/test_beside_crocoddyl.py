"""Motions of least cost beside Crocoddyl's: the same robot, steps and cost, another solver and other derivatives."""

from __future__ import annotations

from importlib.resources import files
from typing import Any

import numpy as np
import pytest

import soadyn as sd

STEP, COUNT = 0.02, 50


@pytest.mark.peers
@pytest.mark.parametrize("start", [[0.0, 0.0], [-1.0, 0.7]])
def test_a_motion_of_least_cost_is_crocoddyls(start: list[float]) -> None:
    crocoddyl = pytest.importorskip("crocoddyl")
    arm = sd.load("planar_two_link").with_gravity(
        [0.0, 0.0, 0.0]
    )  # which Crocoddyl 3.2.1 beside Pinocchio 4.1 leaves out
    cost = sd.optimal.Cost(
        arm, [1.0, 0.5], state_weight=[3.0, 2.0, 0.5, 0.1], effort_weight=[0.01, 0.05], final_weight=[300.0] * 4
    )
    found = sd.optimal.ilqr(
        cost, start, duration=STEP * COUNT, step=STEP, method="semi-implicit", joint_forces=False, limits=False,
        tolerance=1e-12,
    )  # fmt: skip
    solver = shooting(crocoddyl, cost, start)
    assert solver.solve([], [], 200, False)
    assert found.success
    assert found.cost == pytest.approx(solver.cost, rel=1e-8)
    np.testing.assert_allclose(np.concatenate([found.q, found.v], axis=-1), np.array(solver.xs), atol=1e-4)
    np.testing.assert_allclose(found.tau, np.array(solver.us), atol=1e-3 * np.abs(found.tau).max())


def shooting(crocoddyl: Any, cost: sd.optimal.Cost, start: list[float]) -> Any:
    """Crocoddyl's solver for the same problem."""
    import pinocchio

    text = files("soadyn.loading").joinpath("robots", "planar_two_link.urdf").read_text(encoding="utf-8")
    model = pinocchio.buildModelFromXML(text)
    model.gravity = pinocchio.Motion.Zero()
    state = crocoddyl.StateMultibody(model)
    actuation = crocoddyl.ActuationModelFull(state)
    goal = np.concatenate([cost.q, np.zeros(2)])

    def action(Q: np.ndarray, R: np.ndarray, step: float) -> Any:
        costs = crocoddyl.CostModelSum(state, actuation.nu)
        away = crocoddyl.ResidualModelState(state, goal, actuation.nu)
        effort = crocoddyl.ResidualModelControl(state, cost.tau)
        weighted = crocoddyl.ActivationModelWeightedQuad
        costs.addCost("state", crocoddyl.CostModelResidual(state, weighted(np.diag(Q)), away), 1.0)
        costs.addCost("effort", crocoddyl.CostModelResidual(state, weighted(np.diag(R)), effort), 1.0)
        dynamics = crocoddyl.DifferentialActionModelFreeFwdDynamics(state, actuation, costs)
        return crocoddyl.IntegratedActionModelEuler(dynamics, step)

    last = action(cost.final, np.zeros((2, 2)), 0.0)
    problem = crocoddyl.ShootingProblem(
        np.concatenate([start, np.zeros(2)]), [action(cost.Q, cost.R, STEP)] * COUNT, last
    )
    solver = crocoddyl.SolverFDDP(problem)
    solver.th_stop = 1e-18
    return solver
