"""Linear-quadratic regulators: what they cost is what they promise, on simulated robots."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.linalg import expm

import soadyn as sd
from small_robots import slider


def acrobot_cost(arm, **weights):
    usual = {"state_weight": [10.0, 10.0, 1.0, 1.0], "effort_weight": 0.1}
    return sd.optimal.Cost(arm, [np.pi / 2, 0.0], passive=["joint1"], **{**usual, **weights})


@pytest.fixture(scope="module")
def arm():
    return sd.load("planar_two_link")


def run_costs(regulator, run, step):
    """½ Σ h (x* Q x + u* R u) of a simulated motion."""
    cost = regulator.objective
    x, u = cost.deviation(run.q, run.v)[:-1], (run.tau - cost.tau)[:-1][..., cost.active]
    return step * (np.einsum("t...i,ij,t...j->...", x, cost.Q, x) + np.einsum("t...i,ij,t...j->...", u, cost.R, u)) / 2


@pytest.mark.parametrize("step", [None, 0.01])
@pytest.mark.heavy(2)
def test_a_double_integrators_gains_are_the_textbooks(step):
    cost = sd.optimal.Cost(slider(), [0.3], state_weight=[1.0, 0.0], effort_weight=1.0)
    found = sd.optimal.lqr(cost, step=step)
    if step is None:  # m x'' = u: K = [1, sqrt(2 m)]
        np.testing.assert_allclose(found.K, [[1.0, np.sqrt(2 * 2.0)]], rtol=1e-9)
    else:  # the step is exact: x' = x + h v + h²/2m u
        h, m = step, 2.0
        np.testing.assert_allclose(found.A, [[1.0, h], [0.0, 1.0]], atol=1e-15)
        np.testing.assert_allclose(found.B, [[h * h / (2 * m)], [h / m]], atol=1e-15)


def test_an_acrobot_that_is_held_costs_what_the_riccati_equation_says(arm):
    cost = acrobot_cost(arm)
    regulator = sd.optimal.lqr(cost, step=0.01)
    away = 1e-4 * np.array([[1.0, -0.5], [0.3, 0.8], [0.0, 1.0]])
    run = sd.simulate(arm, cost.q + away, control=regulator, duration=30.0, step=0.01, sampled=True)
    np.testing.assert_allclose(run_costs(regulator, run, 0.01), regulator.left(run.q[0], run.v[0]), rtol=2e-3)
    assert np.abs(run.tau[..., 0]).max() == 0


def test_the_continuous_regulator_is_the_limit_of_digital_ones(arm):
    cost = acrobot_cost(arm)
    exact = sd.optimal.lqr(cost)
    coarse, fine = (sd.optimal.lqr(cost, step=h).K for h in (0.002, 0.001))
    assert np.abs(fine - exact.K).max() < 0.52 * np.abs(coarse - exact.K).max()  # of first order
    assert np.abs(2 * fine - coarse - exact.K).max() < 0.05 * np.abs(fine - exact.K).max()
    residual = exact.A.T @ exact.S + exact.S @ exact.A + cost.Q - exact.K.T @ cost.R @ exact.K
    assert np.abs(residual).max() < 1e-6 * np.abs(exact.S).max()


def test_springs_and_dampers_of_the_robot_are_in_its_model():
    cart = slider(damping=3.0)
    exact = sd.optimal.lqr(sd.optimal.Cost(cart, [0.0], state_weight=1.0, effort_weight=1.0))
    np.testing.assert_allclose(exact.A, [[0.0, 1.0], [0.0, -1.5]], atol=1e-12)
    digital = sd.optimal.lqr(exact.objective, step=0.05)
    np.testing.assert_allclose(digital.A, expm(0.05 * exact.A), atol=1e-7)


@pytest.mark.slow
def test_a_satellite_with_thrusters_comes_to_rest_in_a_pose(rng):
    flyer = sd.load("free_flyer")
    goal = flyer.random_configuration(rng)
    goal[7:] = 0.5 * np.clip(goal[7:], flyer.lower[7:], flyer.upper[7:])
    cost = sd.optimal.Cost(flyer, goal, state_weight=1.0, effort_weight=1e-3)
    regulator = sd.optimal.lqr(cost, step=0.02)
    away = 0.1 * rng.standard_normal(flyer.nv)
    start = flyer.integrate(goal, np.stack([away, 1e-3 * away]))
    run = sd.simulate(
        flyer, start, control=regulator, duration=30.0, step=0.02, sampled=True, stops=False, effort_limit=None
    )
    assert np.abs(cost.deviation(run.q[-1], run.v[-1])).max() < 1e-3
    spent = run_costs(regulator, run, 0.02)[1]
    assert spent == pytest.approx(regulator.left(run.q[0], run.v[0])[1], rel=0.01)


def test_motors_stay_within_their_limits():
    cart = slider(effort=0.5)
    regulator = sd.optimal.lqr(sd.optimal.Cost(cart, [0.0], state_weight=100.0, effort_weight=1.0), step=0.01)
    run = sd.simulate(
        cart, [1.0], control=regulator, duration=1.0, step=0.01, sampled=True, stops=False, effort_limit=None
    )
    assert np.abs(run.tau).max() == 0.5


def test_gains_along_a_motion_bring_neighbours_back_where_the_motion_alone_does_not(arm):
    h = 0.01
    motion = sd.simulate(arm, [0.0, 0.5], control=[20.0, 3.0], duration=1.0, step=h, sampled=True)
    cost = sd.optimal.Cost(arm, motion.q[-1], state_weight=[1e3, 1e3, 1.0, 1.0], effort_weight=1e-4, final_weight=100.0)
    follow = sd.optimal.lqr_along(cost, motion.q, motion.v, motion.tau[:-1], step=h)
    options = {"duration": 1.0, "step": h, "sampled": True}
    near = np.array([[0.1, 0.4], [-0.1, 0.55]])
    with_gains = sd.simulate(arm, near, control=follow, **options)
    without = sd.simulate(arm, near, control=[20.0, 3.0], **options)
    assert np.abs(with_gains.q[-1] - motion.q[-1]).max() < 1e-2 * np.abs(without.q[-1] - motion.q[-1]).max()


def test_gains_along_rest_are_the_regulators_far_from_the_end(arm):
    h, steps = 0.02, 400
    cost = acrobot_cost(arm)
    still = np.zeros((steps + 1, 2))
    follow = sd.optimal.lqr_along(cost, cost.q + still, still, still[:-1], step=h)
    np.testing.assert_allclose(follow.references["K"].values[0], sd.optimal.lqr(cost, step=h).K.ravel(), rtol=1e-9)
