"""Motions of least cost: the linear problems that others solve, and swing-ups of robots with a passive joint."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import lsq_linear

import soadyn as sd
from random_robots import random_model
from small_robots import slider
from soadyn.optimal.box import least
from soadyn.optimal.riccati import LARGEST, QuadraticModel, corrections
from soadyn.optimal.step_derivatives import Steps


def test_the_least_between_bounds_is_scipys(rng):
    X = rng.standard_normal((40, 5, 4))
    H, y = X.mT @ X + 1e-3 * np.eye(4), rng.standard_normal((40, 5))
    g = -(X.mT @ y[..., None])[..., 0]
    root = np.linalg.cholesky(H)
    lower, upper = -rng.uniform(0.05, 1.0, (40, 4)), rng.uniform(0.05, 1.0, (40, 4))
    k, free = least(H, g, lower, upper)
    for i in range(40):
        other = lsq_linear(root[i].T, -np.linalg.solve(root[i], g[i]), (lower[i], upper[i]), tol=1e-14)
        np.testing.assert_allclose(k[i], other.x, atol=1e-7)
        assert (free[i] == ((k[i] > lower[i]) & (k[i] < upper[i]))).all()


def random_quadratic(rng, steps, rows, n, m):
    def positive(*shape):
        X = rng.standard_normal((*shape, shape[-1]))
        return X @ X.mT

    A, B = np.eye(n) + 0.3 * rng.standard_normal((steps, rows, n, n)), rng.standard_normal((steps, rows, n, m))
    free = np.full((steps, rows, m), LARGEST)
    slopes = rng.standard_normal((steps + 1, rows, n)), rng.standard_normal((steps, rows, m))
    return QuadraticModel(A, B, *slopes, positive(steps + 1, rows, n), positive(m) + np.eye(m), -free, free)


@pytest.mark.parametrize("motors", [1, 3])
def test_the_recursion_solves_the_whole_problem_at_once(motors, rng):
    """All u together, by one dense system of equations."""
    steps, n = 6, 4
    near = random_quadratic(rng, steps, 1, n, motors)
    found = corrections(near)
    F = np.zeros((steps + 1, n, steps * motors))  # x(t) = F(t) u from x(0) = 0
    for t in range(steps):
        F[t + 1] = near.A[t, 0] @ F[t]
        F[t + 1][:, t * motors : (t + 1) * motors] += near.B[t, 0]
    H = np.kron(np.eye(steps), near.R) + sum(F[t].T @ near.Q[t, 0] @ F[t] for t in range(steps + 1))
    g = near.force[:, 0].ravel() + sum(F[t].T @ near.state[t, 0] for t in range(steps + 1))
    u = -np.linalg.solve(H, g)
    x = np.zeros(n)
    for t in range(steps):
        own = found.k[t, 0] - found.K[t, 0] @ x
        np.testing.assert_allclose(own, u[t * motors : (t + 1) * motors], rtol=1e-8, atol=1e-10)
        x = near.A[t, 0] @ x + near.B[t, 0] @ own
    assert found.promise[0] == pytest.approx(g @ u / 2, rel=1e-9)


def test_machine_code_of_the_recursion_is_the_recursion(rng):
    near = random_quadratic(rng, 50, 9, 4, 1)
    near = QuadraticModel(
        near.A, near.B, near.state, near.force, near.Q, near.R, near.lower * 0 - 1, near.upper * 0 + 1
    )
    damping = rng.uniform(0, 1, 9)
    plain, native = corrections(near, damping), corrections(near, damping, sd.load("planar_two_link").engine)
    assert (np.abs(plain.k) == 1).any()
    for name in ("k", "K", "promise"):
        x, y = getattr(plain, name), getattr(native, name)
        assert np.abs(x - y).max() < 1e-9 * np.abs(x).max()


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_matrices_of_steps_are_those_of_linearize_on_random_trees(seed, rng):
    robot = sd.Robot(random_model(np.random.default_rng(seed), 4, root="free" if seed % 2 else "fixed"))
    steps = Steps(robot, robot.neutral(), 0.02, np.zeros(robot.nv, bool), np.full(robot.nv, np.inf), stops=False,
                  joint_forces=False)  # fmt: skip
    q = robot.random_configuration(rng, size=5)
    v, tau = rng.standard_normal((2, 5, robot.nv))
    for own, other in zip(steps.matrices(q, v, tau), robot.linearize(q, v, tau, step=0.02), strict=True):
        assert np.abs(own - other).max() < 1e-9 * np.abs(other).max()


def test_a_linear_motion_costs_what_the_riccati_equation_says():
    cost = sd.optimal.Cost(slider(damping=1.0), [1.0], state_weight=[2.0, 0.5], effort_weight=0.3)
    found = sd.optimal.ilqr(cost, [0.0], [0.4], duration=3.0, step=0.05)
    assert found.success
    assert found.cost == pytest.approx(float(sd.optimal.lqr(cost, step=0.05).left([0.0], [0.4])), rel=1e-10)
    assert found.nit <= 2


def test_a_bounded_linear_motion_is_scipys_bounded_least_squares():
    h, count, cart = 0.05, 40, slider()
    cost = sd.optimal.Cost(cart, [1.0], state_weight=[2.0, 0.5], effort_weight=0.03, final_weight=[50.0, 10.0])
    found = sd.optimal.ilqr(cost, [0.0], duration=h * count, step=h, effort_limit=1.2, tolerance=1e-12)
    A, B = np.array([[1.0, h], [0.0, 1.0]]), np.array([h * h / 4, h / 2])
    x, F, rows, right = np.array([-1.0, 0.0]), np.zeros((2, count)), [], []
    for t in range(count + 1):
        weight = np.sqrt(h * cost.Q if t < count else cost.final)
        rows.append(weight @ F)
        right.append(-weight @ x)
        if t < count:
            x, F = A @ x, A @ F
            F[:, t] += B
    rows.append(np.sqrt(h * 0.03) * np.eye(count))
    right.append(np.zeros(count))
    other = lsq_linear(np.concatenate(rows), np.concatenate(right), (-1.2, 1.2), tol=1e-14)
    assert (np.abs(other.x) > 1.2 - 1e-9).sum() > 5
    assert found.cost == pytest.approx(other.cost, rel=1e-9)
    np.testing.assert_allclose(found.tau[:, 0], other.x, atol=1e-5)


def test_costs_only_fall_and_the_feedback_repeats_the_motion():
    arm = sd.load("planar_two_link")
    cost = sd.optimal.Cost(arm, [1.0, 0.5], state_weight=1.0, effort_weight=0.01, final_weight=1e3)
    found = sd.optimal.ilqr(cost, [0.0, 0.0], duration=1.0, starts=5, rng=3, effort_limit=[60.0, 30.0], amplitude=5.0)
    assert found.success.all()
    assert (np.diff(found.cost_history, axis=0) <= 0).all()
    assert (np.abs(found.tau) <= [60.0, 30.0]).all()
    assert np.ptp(found.cost) < 0.02 * found.best.cost
    run = sd.simulate(
        arm,
        np.zeros((5, 2)),
        control=found.feedback(),
        duration=1.0,
        step=found.step,
        sampled=True,
        stops=False,
        effort_limit=None,
    )
    np.testing.assert_allclose(run.q, found.q, atol=1e-9)
    np.testing.assert_allclose(found.best.cost, found.cost.min())


def test_a_start_that_runs_away_leaves_the_others_alone():
    arm = sd.load("planar_two_link")
    cost = sd.optimal.Cost(arm, [1.0, 0.5], state_weight=1.0, effort_weight=0.01, final_weight=1e3)
    torque = np.zeros((50, 2, 2))
    torque[:, 1] = 1e200
    both = sd.optimal.ilqr(cost, [0.0, 0.0], duration=1.0, tau0=torque, limits=False)
    alone = sd.optimal.ilqr(cost, [0.0, 0.0], duration=1.0, tau0=torque[:, 0], limits=False)
    assert both.cost[1] == np.inf
    assert both.cost[0] == pytest.approx(float(alone.cost), rel=1e-9)


def test_states_to_begin_with_and_starts_have_axes_that_broadcast():
    arm = sd.load("planar_two_link")
    cost = sd.optimal.Cost(arm, [1.0, 0.5], state_weight=1.0, effort_weight=0.01, final_weight=1e3)
    q0 = np.array([[[0.0, 0.0]], [[0.2, 0.1]]])
    all_of_them = sd.optimal.ilqr(cost, q0, duration=0.6, starts=3, amplitude=2.0)
    assert all_of_them.q.shape == (31, 2, 3, 2)
    alone = sd.optimal.ilqr(cost, q0[1, 0], duration=0.6)
    np.testing.assert_allclose(all_of_them[1].cost, float(alone.cost), rtol=1e-6)
    assert all_of_them.best.cost == all_of_them.cost.min()


def swing_up(cost, duration, starts, **options):
    """The share of starts that end upright and are held there for three more seconds."""
    robot = cost.robot
    found = sd.optimal.ilqr(cost, np.zeros(robot.nq), duration=duration, starts=starts, rng=1, **options)
    run = sd.simulate(
        robot, np.zeros((starts, robot.nq)), control=found.feedback(hold=True), duration=duration + 3.0,
        step=found.step, sampled=True, record_every=1.0,
    )  # fmt: skip
    return found, np.abs(cost.deviation(run.q[-1], run.v[-1])).max(axis=-1) < 0.05


def test_a_cart_swings_its_pole_up_from_nearly_every_start():
    from cart_pole import UPRIGHT, cart_pole

    cost = sd.optimal.Cost(
        cart_pole(),
        UPRIGHT,
        state_weight=0.05,
        effort_weight=0.05,
        final_weight=[1e3, 1e3, 200.0, 200.0],
        passive=["hinge"],
    )
    found, up = swing_up(cost, 2.0, 24, effort_limit=20.0, amplitude=5.0, tolerance=1e-4)
    assert up.mean() >= 0.9
    assert (found.cost < 1.02 * found.best.cost).mean() >= 0.9


@pytest.mark.slow
def test_an_acrobot_swings_up_from_nearly_every_start():
    from acrobot import UPRIGHT, acrobot

    cost = sd.optimal.Cost(
        acrobot(),
        UPRIGHT,
        state_weight=0.05,
        effort_weight=0.05,
        final_weight=[3e3, 3e3, 500.0, 500.0],
        passive=["shoulder"],
    )
    found, up = swing_up(cost, 4.0, 64, effort_limit=25.0, amplitude=4.0, tolerance=1e-4)
    assert up.mean() >= 0.9
    assert np.abs(found.tau).max() <= 25.0


@pytest.mark.slow
def test_a_free_body_turns_half_round_and_rests(rng):
    b = sd.Builder("satellite", gravity=(0, 0, 0))
    b.link("body", sd.Body(10.0, inertia=np.diag([1.0, 2.0, 2.5])), joint="free", joint_name="root")
    body = sd.build(b)
    goal = body.neutral()
    start = body.integrate(goal, [2.0, 1.0, -1.5, 0.5, 0.0, -0.3])
    cost = sd.optimal.Cost(body, goal, state_weight=0.1, effort_weight=0.1, final_weight=1e3)
    found = sd.optimal.ilqr(cost, start, duration=5.0, step=0.05, effort_limit=3.0)
    assert found.success
    assert np.abs(found.miss).max() < 0.02
    gradient = []
    for i in range(6):  # the cost does not fall along any single force: an optimum, by simulation
        for sign in (-1, 1):
            tau = found.tau.copy()
            tau[10, i] += sign * 1e-3
            free = np.clip(tau, -3.0, 3.0)
            run = sd.simulate(
                body, start, control=sd.TimeSeries(found.t[:-1], free, hold=True), duration=5.0, step=0.05
            )
            gradient.append(cost.of(run.q, run.v, free, 0.05, cost.final) - found.cost)
    assert min(gradient) > -1e-6 * found.cost
