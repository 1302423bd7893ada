"""The steppers: their order, motions that textbooks give, and what becomes of energy over many steps."""

from __future__ import annotations

import numpy as np
import pytest

import soadyn as sd
from small_robots import ball, slider
from soadyn.simulation import simulate


def errors(robot, q0, v0, torque, duration, steps, method):
    """How far the last states with several steps are from one with a much finer step."""
    finest = simulate(robot, q0, v0, control=torque, duration=duration, step=min(steps) / 4, record_every=duration)
    found = []
    for step in steps:
        run = simulate(
            robot, q0, v0, control=torque, duration=duration, step=step, method=method, record_every=duration
        )
        away = robot.difference(finest.q[-1], run.q[-1])
        found.append(max(np.abs(away).max(), np.abs(run.v[-1] - finest.v[-1]).max()))
    return found


# Order


@pytest.mark.parametrize("kind", ["planar", "free base and ball joints", "planar, cylindrical and universal joints"])
@pytest.mark.heavy(2)
def test_rk4_is_of_fourth_order(kind, rng):
    if kind == "planar":
        robot = sd.load("planar_two_link")
    elif kind.startswith("free"):
        robot = sd.chain(2, kind="spherical", root="free")
    else:
        b = sd.Builder("mixed")
        body = sd.Body(1.0, com=(0.1, 0.2, -0.1), inertia=np.diag([0.02, 0.03, 0.04]))
        b.link("a", body, joint="planar")
        b.link("b", body, parent="a", joint="cylindrical", axis=(1, 0, 0), origin=(0.2, 0, 0))
        b.link("c", body, parent="b", joint="universal", axis=(1, 0, 0), axis2=(0, 1, 0), origin=(0.1, 0.3, 0))
        robot = sd.build(b)
    q0 = robot.random_configuration(rng)
    v0 = rng.standard_normal(robot.nv)
    push = rng.standard_normal(robot.nv)
    coarse, fine = errors(robot, q0, v0, lambda t, q, v: push * np.sin(3 * t) - 0.1 * v, 0.24, (0.02, 0.01), "rk4")
    assert 3.5 < np.log2(coarse / fine) < 4.7
    assert fine < 1e-3


def test_semi_implicit_euler_is_of_first_order(rng):
    robot = sd.load("planar_two_link")
    coarse, fine = errors(robot, [0.3, 0.4], [0.5, -0.5], None, 0.2, (0.004, 0.002), "semi-implicit")
    assert 0.8 < np.log2(coarse / fine) < 1.6


def test_a_mass_on_a_spring_swings_as_the_textbook_says():
    # x'' = -(k/m) (x - rest): x = rest + A cos(w t), w = 2
    robot = slider(stiffness=8.0, rest=0.1)
    run = simulate(robot, [0.4], duration=2.0, step=0.02)
    np.testing.assert_allclose(run.q[:, 0], 0.1 + 0.3 * np.cos(2 * run.t), atol=1e-7)
    np.testing.assert_allclose(run.energy, 0.5 * 8.0 * 0.3**2, atol=1e-7)


def test_a_constant_external_force_on_a_free_body_gives_a_parabola():
    robot = ball("free", gravity=(0, 0, 0))
    com = np.array([0.1, 0.05, -0.2])
    force = np.array([1.0, 2.0, -0.5])
    # the force acts at the mass centre, so the body does not turn
    run = simulate(robot, robot.neutral(), external={"body": [*np.cross(com, force), *force]}, duration=1.0, step=0.1)
    np.testing.assert_allclose(run.q[-1, 4:], 0.5 * force / 1.5, atol=1e-12)
    np.testing.assert_allclose(run.q[-1, :4], [1, 0, 0, 0], atol=1e-12)
    np.testing.assert_allclose(run.momentum[-1, 3:], force, atol=1e-12)
    assert np.abs(run.momentum_drift).max() < 1e-12
    assert np.abs(run.energy_drift).max() < 1e-12


# Energy over many steps


def test_semi_implicit_steps_keep_the_energy_where_the_mass_matrix_is_constant():
    run = simulate(slider(stiffness=8.0), [0.3], duration=40.0, step=0.05, method="semi-implicit", record_every=1.0)
    early, late = np.abs(run.energy_drift[:10]).max(), np.abs(run.energy_drift[-10:]).max()
    assert late < 2 * early


def test_semi_implicit_steps_drain_the_energy_of_an_arm():
    """What the docstring of `semi_implicit` says: the step is not symplectic where the mass matrix changes."""
    arm = sd.load("planar_two_link")
    start = [1.5, 0.5]
    run = simulate(
        arm, start, duration=40.0, step=0.005, method="semi-implicit", record_every=10.0, stops=False, effort_limit=None
    )
    hanging = arm.potential_energy([-np.pi / 2, 0.0])
    available = arm.potential_energy(start) - hanging
    assert 37 < available < 40
    drift = run.energy_drift
    assert (np.diff(drift) < 0).all()
    assert -35 < drift[-1] < -15  # the motion is chaotic: roundings decide on some joules


# The diagonalized equations (000 Algorithm 8.1)


def test_the_diagonalized_motion_is_the_motion_to_fourth_order(rng):
    robot = sd.chain(2, kind="spherical", root="free")
    q0, v0, push = robot.random_configuration(rng), rng.standard_normal(robot.nv), rng.standard_normal(robot.nv)
    torque = lambda t, q, v: push * np.sin(3 * t) - 0.1 * v  # noqa: E731
    coarse, fine = errors(robot, q0, v0, torque, 0.24, (0.02, 0.01), "diagonalized")
    assert 3.5 < np.log2(coarse / fine) < 4.7
    assert fine < 1e-3


@pytest.mark.slow
def test_the_motion_in_normalized_rates_is_the_motion(rng):
    """(q, ν) by hand, as the paper integrates it, against (q, ξ) and (q, v)."""
    arm = sd.load("panda").with_backend("numpy")
    q0, v0, tau = arm.random_configuration(rng), rng.standard_normal(7), rng.standard_normal(7)
    h, steps = 2.5e-3, 20

    def flow(q, nu):
        v = arm.rates_from_normalized(q, nu)
        return v, arm.normalized_forces(q, tau - arm.gravity_force(q)) - arm.normalized_bias(q, v)

    q, nu = q0, arm.normalized_rates(q0, v0)
    for _ in range(steps):
        k1 = flow(q, nu)
        k2 = flow(*(x + h / 2 * k for x, k in zip((q, nu), k1, strict=True)))
        k3 = flow(*(x + h / 2 * k for x, k in zip((q, nu), k2, strict=True)))
        k4 = flow(*(x + h * k for x, k in zip((q, nu), k3, strict=True)))
        q, nu = (x + h / 6 * (a + 2 * b + 2 * c + d) for x, a, b, c, d in zip((q, nu), k1, k2, k3, k4, strict=True))
    for method in ("rk4", "diagonalized"):
        run = simulate(arm, q0, v0, control=tau, duration=h * steps, step=h, method=method, joint_forces=False)
        assert np.abs(run.q[-1] - q).max() < 1e-7
        assert np.abs(run.v[-1] - arm.rates_from_normalized(q, nu)).max() < 1e-5


@pytest.mark.parametrize("method", ["diagonalized", "two-sweep"])
def test_methods_of_joint_forces_refuse_prescribed_accelerations(method):
    arm = sd.load("planar_two_link")
    with pytest.raises(sd.ArgumentError, match=f'"{method}" takes joint forces'):
        simulate(arm, [0.0, 0.0], prescribed=sd.Prescribed([1.0, 0.0]), method=method, duration=0.01)


# Two sweeps (001 section VII.D)


def test_two_sweeps_take_the_semi_implicit_steps(rng):
    """With a feedback, wrenches, a spring, a damper, a failing motor, a batch and records between the steps."""
    flyer = sd.load("free_flyer")
    q0, v0 = flyer.random_configuration(rng, 3), 0.1 * rng.standard_normal((3, flyer.nv))
    given = {
        "control": lambda t, q, v: -0.3 * v + np.sin(5 * t),
        "external": {"tool": [0, 0, 0, 0, 0.2, 0.1]},
        "joint_forces": [sd.Spring("elbow", 2.0), sd.Damper("elbow", 0.1)],
        "failures": [(0.021, "elbow")],
    }
    runs = [
        simulate(flyer, q0, v0, duration=0.05, step=0.002, record_every=0.005, method=method, **given)
        for method in ("semi-implicit", "two-sweep")
    ]
    for name in ("t", "q", "v", "tau", "energy_drift", "momentum_drift"):
        one, other = (getattr(run, name) for run in runs)
        assert one.shape == other.shape
        assert np.abs(one - other).max() <= 1e-12 * max(1.0, np.abs(one).max()), name


def test_two_sweeps_refuse_hidden_links():
    builder = sd.Builder("gimbal")
    builder.link("body", sd.Body(1.0, [0.1, 0, 0], np.eye(3)), None, "universal", [1, 0, 0], axis2=[0, 1, 0])
    with pytest.raises(sd.ArgumentError, match="two sweeps keep the velocity of every link"):
        simulate(sd.build(builder), [0.0, 0.0], method="two-sweep", duration=0.01)
