"""Simulations of robots with closures: they stay closed, keep their energy, and have derivatives."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest

import soadyn as sd
from closed_robots import four_bar
from soadyn.model.steppers import Moment, Rates, rk4
from soadyn.programs.sweep.closed import shape_of
from soadyn.programs.sweep.projecting import consistent_rates, nearer_configuration
from soadyn.robot.calling.function import program_function
from soadyn.simulation.run.closing import onto_closures
from soadyn.simulation.run.integrators import ROWS, Integrator

CALM = {"stops": False, "joint_forces": False}


@pytest.fixture(scope="module")
def bar() -> sd.Robot:
    return four_bar()


@pytest.fixture(scope="module")
def start(bar: sd.Robot) -> tuple[np.ndarray, np.ndarray]:
    q = bar.closed([0.3, 0.4, 1.0])
    return q, bar.consistent(q, [3.0, 0.0, 0.0])


def held_body() -> sd.Robot:
    """A floating body held by a ball at the ground and carrying a gear of two wheels: quaternions and couplings."""
    b = sd.Builder("held body")
    body = b.link("body", sd.Body(2.0, com=(0.1, 0.0, 0.2), inertia=np.diag([0.1, 0.2, 0.25])), joint="free")
    for i, place in enumerate([(0.3, 0.0, 0.0), (-0.3, 0.1, 0.0)]):
        b.link(f"wheel_{i}", sd.Body(0.5, inertia=np.diag([0.02, 0.02, 0.04])), parent=body, origin=place)
    b.loop("ball", body, None, "ball")
    b.couple("gear", {"wheel_0_joint": 1.0, "wheel_1_joint": -2.0})
    return b.robot()


def test_a_four_bar_keeps_its_energy_and_stays_closed(bar: sd.Robot, start: tuple[np.ndarray, np.ndarray]) -> None:
    run = sd.simulate(bar, *start, duration=100.0, step=0.001, record_every=0.01, **CALM)
    assert not run.notes  # all of it in machine code
    assert np.abs(run.closure_error).max() < 1e-10
    assert run.relative_energy_drift < 1e-8
    assert np.abs(np.diff(run.q[:, 0])).max() > 0.01  # it moves


def test_projection_is_the_nearest_closed_state(bar: sd.Robot, start: tuple[np.ndarray, np.ndarray]) -> None:
    rng, shape = np.random.default_rng(0), shape_of(bar.model)
    q = bar.integrate(start[0], 1e-3 * rng.standard_normal(bar.nv))
    v = rng.standard_normal(bar.nv)
    added = program_function(bar.engine, consistent_rates(shape))(q, v)
    np.testing.assert_allclose(v + added, bar.consistent(q, v), atol=1e-12)
    # The least motion in the mass metric: no motion along the closures makes it shorter.
    dq = program_function(bar.engine, nearer_configuration(shape))(q)
    J = bar.closure_jacobian(q)
    along = np.linalg.svd(J)[2][bar.nv - bar.mobility :]
    assert np.abs(along @ bar.mass_matrix(q) @ dq).max() < 1e-12
    np.testing.assert_allclose(J @ dq, -bar.closure_error(q), atol=1e-10)


@pytest.mark.parametrize("backend", ["numpy", "straight"])
@pytest.mark.parametrize("method", ["rk4", "semi-implicit", "adaptive"])
def test_all_that_steps_ends_on_the_closures(method: str, backend: str) -> None:
    robot = held_body().with_backend(backend)
    q = robot.closed(robot.integrate(robot.neutral(), np.linspace(0.1, 0.8, robot.nv)))
    v = robot.consistent(q, np.ones(robot.nv))
    run = sd.simulate(robot, q, v, duration=0.05, step=0.005, method=method, **CALM)
    assert np.abs(run.closure_error).max() < 1e-12
    opened = robot.closure_jacobian(run.q) @ run.v[..., None]
    assert np.abs(opened).max() < 1e-12
    assert run.momentum is None  # the ground holds it
    exact = sd.simulate(robot, q, v, duration=0.05, step=0.0005, record_every=0.05, **CALM)
    assert np.abs(run.v[-1] - exact.v[-1]).max() < {"rk4": 1e-6, "semi-implicit": 0.1, "adaptive": 1e-4}[method]


def test_rows_of_a_batch_and_steppers_move_as_simulations_do(
    bar: sd.Robot, start: tuple[np.ndarray, np.ndarray]
) -> None:
    one = sd.simulate(bar, *start, duration=0.3, step=0.001, record_every=0.3)
    many = sd.simulate(bar, *(np.tile(x, (5, 1)) for x in start), duration=0.3, step=0.001, record_every=0.3)
    np.testing.assert_allclose(many.q[-1], np.tile(one.q[-1], (5, 1)), atol=1e-13)
    stepper, state = sd.Stepper(bar, 0.001), start
    for _ in range(3):
        state = stepper(*state, n=100)
    np.testing.assert_allclose(state, (one.q[-1], one.v[-1]), atol=1e-13)


def test_joint_laws_and_feedbacks_act(bar: sd.Robot, start: tuple[np.ndarray, np.ndarray]) -> None:
    goal = bar.closed(start[0] + [0.4, 0.0, 0.0], hold=["crank_joint"])
    damper = [sd.Damper(name, 0.2) for name in bar.joint_names]
    for control in (
        sd.control.JointFeedback(bar, goal, stiffness=30.0, damping=10.0),
        sd.control.ComputedTorque(bar, goal),
    ):
        run = sd.simulate(bar, start[0], control=control, duration=8.0, step=0.002, record_every=8.0,
                          joint_forces=damper)  # fmt: skip
        assert np.abs(run.q[-1] - goal).max() < 1e-2
        assert np.abs(run.closure_error).max() < 1e-12


def test_a_slightly_open_start_is_closed(bar: sd.Robot, start: tuple[np.ndarray, np.ndarray]) -> None:
    q = start[0] + 1e-7
    run = sd.simulate(bar, q, duration=0.01, step=0.001)
    assert np.abs(run.closure_error[0]).max() < 1e-6
    assert np.abs(run.closure_error[1:]).max() < 1e-14


@pytest.mark.slow
def test_gradients_of_a_rollout_are_those_of_complex_steps(bar: sd.Robot, start: tuple[np.ndarray, np.ndarray]) -> None:
    """500 steps; the complex step goes through the same formulas in the reference, all directions as rows."""
    torque, weights, steps = np.array([0.1, 0.05, -0.2]), np.array([[1.0, 0.5, 0.2], [0.3, 0.1, -0.4]]), 500
    run = sd.simulate(bar, *start, control=torque, duration=0.001 * steps, step=0.001, record_every=0.001 * steps,
                      method="rk4", **CALM)  # fmt: skip
    found = run.vjp(*weights)
    nv, eps = bar.nv, 1e-30
    turned = 1j * eps * np.eye(3 * nv)
    q, v, tau = (x + turned[:, i * nv : (i + 1) * nv] for i, x in enumerate((*start, torque)))
    plain = bar.with_backend("numpy")
    closing = onto_closures(plain, lambda q, dv: q + dv, partial(program_function, plain.engine))
    assert closing is not None

    def rates(t: float, q: np.ndarray, v: np.ndarray) -> Rates:
        return Rates(plain.forward_dynamics(q, v, tau), np.zeros((*q.shape[:-1], 1)))

    now = Moment(0.0, q, v, np.zeros((3 * nv, 1)))
    for _ in range(steps):
        now = closing.after(rk4)(lambda q, dv: q + dv, rates, now, 0.001)
    wanted = (now.q @ weights[0] + now.v @ weights[1]).imag / eps
    np.testing.assert_allclose(
        np.concatenate([found[x] for x in ("q0", "v0", "control")]), wanted, rtol=1e-8, atol=1e-8
    )
    dq, dv = run.jvp(q0=[1.0, 0.0, 0.0])
    np.testing.assert_allclose(weights[0] @ dq + weights[1] @ dv, found["q0"][0], rtol=1e-9)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_an_integrator_knows_closures_or_says_that_it_does_not(
    row: Integrator, bar: sd.Robot, start: tuple[np.ndarray, np.ndarray]
) -> None:
    if row.closed:
        run = sd.simulate(bar, *start, duration=0.01, step=0.005, method=row.name)
        assert np.abs(run.closure_error).max() < 1e-12
    else:
        with pytest.raises(sd.ArgumentError, match=f'method "{row.name}" knows no closures yet'):
            sd.simulate(bar, *start, duration=0.01, step=0.005, method=row.name)


def test_what_a_robot_says_of_its_energy_holds_with_gravity_and_springs(bar: sd.Robot) -> None:
    heavy = bar.with_gravity([0.0, -9.81, 0.0])
    q = heavy.closed([0.3, 0.4, 1.0])
    laws = [sd.Spring("rocker_joint", 5.0), sd.Damper("crank_joint", 0.1)]
    run = sd.simulate(heavy, q, duration=2.0, step=0.001, record_every=0.1, joint_forces=laws)
    assert run.relative_energy_drift < 1e-7
    assert run.work[-1] < 0  # the damper takes energy
    assert np.abs(run.closure_error).max() < 1e-12
