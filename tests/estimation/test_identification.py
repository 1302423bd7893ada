"""Inertial parameters from torques: base parameters, possible bodies, excitation, payload."""

from __future__ import annotations

import numpy as np
import pytest

import soadyn as sd
from random_robots import random_body
from soadyn.estimation import PayloadEstimator, design_excitation, identify
from soadyn.estimation.physical import from_log_cholesky, log_cholesky, parameters_of, possible, pseudo_inertia
from soadyn.estimation.regression import Columns, independent_columns


def parameters(body):
    """Ten parameters of a Body."""
    c, m = np.array(body.com), body.mass
    J = np.array(body.inertia) + m * (c @ c * np.eye(3) - np.outer(c, c))
    return np.array([m, *(m * c), J[0, 0], J[0, 1], J[1, 1], J[0, 2], J[1, 2], J[2, 2]])


def test_log_cholesky_reaches_every_body_and_its_derivative_is_right(rng):
    for _ in range(20):
        x = parameters(random_body(rng))
        assert possible(x)
        assert np.allclose(parameters_of(pseudo_inertia(x)), x)
        theta = log_cholesky(x)
        found, slope = from_log_cholesky(theta)
        assert np.allclose(found, x, rtol=1e-10, atol=1e-12)
        d = 1e-6 * rng.standard_normal(10)
        ahead, behind = from_log_cholesky(theta + d)[0], from_log_cholesky(theta - d)[0]
        assert np.allclose((ahead - behind) / 2, slope @ d, rtol=1e-6, atol=1e-14)


def test_whatever_the_numbers_the_body_is_possible(rng):
    x, _ = from_log_cholesky(rng.standard_normal((100, 10)))
    assert possible(x).all()
    for m, *rest in x[:10]:
        J = rest[3:]
        body = sd.Body.about_origin(
            m, np.array(rest[:3]) / m, [[J[0], J[1], J[3]], [J[1], J[2], J[4]], [J[3], J[4], J[5]]]
        )
        a, b, c = np.linalg.eigvalsh(body.inertia)
        assert a > 0
        assert a + b >= c * (1 - 1e-9)


def test_a_rotor_takes_the_place_of_a_base_parameter_that_it_cannot_be_told_from():
    arm = sd.load("ur5")
    count = len(arm.base_parameters())
    for terms, extra in ((("coulomb", "viscous", "offset"), 18), (("armature",), 4)):  # of two joints it cannot be told
        chosen, names = independent_columns(arm, Columns.of(arm, terms))
        assert len(chosen) == len(names) == count + extra
    assert sum(name.endswith(".armature") for name in names) == 6


@pytest.fixture(scope="module")
def ur5():
    """A UR5 recorded on an excitation motion, with friction and noise; the robot to start from knows nothing of it."""
    rng = np.random.default_rng(5)
    arm = sd.load("ur5")
    motion = design_excitation(arm, duration=10.0, harmonics=5, rng=rng, trials=20, acceleration_limit=6.0)
    q, v, a = motion(np.arange(0.0, 10.0, 0.01))
    coulomb, viscous = np.array([3.0, 3.0, 2.0, 0.8, 0.8, 0.6]), np.array([4.0, 4.0, 3.0, 1.0, 1.0, 0.8])
    noise = np.array([0.8, 0.8, 0.5, 0.2, 0.2, 0.2])
    tau = arm.inverse_dynamics(q, v, a) + coulomb * np.tanh(v / 0.01) + viscous * v
    tau += noise * rng.standard_normal(tau.shape)
    guess = arm.with_inertial_parameters(np.tile(parameters(sd.Body(3.0, (0, 0, 0.05), 0.02 * np.eye(3))), 6))
    return arm, motion, identify(guess, q, v, a, tau), noise, (coulomb, viscous)


def test_torques_on_another_motion_are_within_half_a_noise_deviation(ur5):
    arm, _, found, noise, (coulomb, viscous) = ur5
    other = design_excitation(
        arm, duration=8.0, harmonics=4, rng=np.random.default_rng(77), trials=5, acceleration_limit=6.0
    )
    q, v, a = other(np.arange(0.0, 8.0, 0.01))
    true = arm.inverse_dynamics(q, v, a) + coulomb * np.tanh(v / 0.01) + viscous * v
    error = np.sqrt(((found.torques(q, v, a) - true) ** 2).mean(0))
    assert (error < 0.5 * noise).all()


def test_all_identified_bodies_are_possible_and_noise_and_friction_are_found(ur5):
    _, _, found, noise, (coulomb, viscous) = ur5
    assert possible(found.robot.inertial_parameters().reshape(-1, 10)).all()
    assert np.allclose(found.torque_std, noise, rtol=0.1)
    assert np.allclose(found.joints["coulomb"], coulomb, atol=0.3)
    assert np.allclose(found.joints["viscous"], viscous, atol=0.3)
    assert found.loss < 0.02
    assert found.condition < 200


def test_base_parameters_are_within_their_standard_deviations(ur5):
    arm, _, found, _, _ = ur5
    true = arm.base_parameters().values
    off = (found.base[: len(true)] - true) / found.base_std[: len(true)]
    assert np.sqrt((off**2).mean()) < 1.5
    assert np.abs(off).max() < 4.5


def test_excitation_keeps_its_limits_and_is_better_than_chance(ur5):
    arm, motion, *_ = ur5
    q, v, a = motion(np.linspace(0.0, 10.0, 3000))
    assert (q <= arm.upper).all()
    assert (q >= arm.lower).all()
    assert (np.abs(v) <= arm.velocity_limit).all()
    assert np.abs(a).max() <= 6.0
    h = 1e-5
    ahead, behind = motion(np.array([3.0 + h])), motion(np.array([3.0 - h]))
    assert np.allclose((ahead[0] - behind[0]) / (2 * h), motion(np.array([3.0]))[1], atol=1e-8)
    assert np.allclose((ahead[1] - behind[1]) / (2 * h), motion(np.array([3.0]))[2], atol=1e-8)
    ordinary = [design_excitation(arm, 10.0, 5, np.random.default_rng(k), trials=1).condition for k in range(9)]
    assert motion.condition < np.median(ordinary)


def test_a_payload_is_weighed_while_the_arm_moves_and_noticed_when_it_is_dropped():
    rng = np.random.default_rng(3)
    arm = sd.load("panda")
    mass, com, J = 1.7, np.array([0.02, -0.03, 0.09]), np.diag([0.004, 0.005, 0.003])
    loaded = arm.with_payload("panda_link8", mass, com, J)
    t = np.arange(0.0, 8.0, 0.01)
    w = rng.uniform(1.0, 2.5, 7)
    q = np.array([0.0, -0.4, 0.0, -2.0, 0.0, 1.6, 0.5]) + 0.4 * np.sin(w * t[:, None])
    v, a = 0.4 * w * np.cos(w * t[:, None]), -0.4 * w**2 * np.sin(w * t[:, None])
    tau = np.where((t < 5.0)[:, None], loaded.inverse_dynamics(q, v, a), arm.inverse_dynamics(q, v, a))
    tau += 0.2 * rng.standard_normal(tau.shape)
    found = PayloadEstimator(arm, "panda_link8", 0.2, forget=3.0)
    seen = []
    for state in zip(q, v, a, tau, strict=True):
        found.update(*state, step=0.01)
        seen.append((found.mass, found.mass_std, *found.com))
    seen = np.array(seen)
    settled = (t > 2.0) & (t < 5.0)
    assert np.abs(seen[settled, 0] - mass).max() < 0.15
    assert np.abs(seen[settled, 2:] - com).max() < 0.03
    assert ((seen[settled, 0] - mass) / seen[settled, 1]).std() < 3.0
    assert np.abs(seen[t > 7.0, 0]).max() < 0.15
    assert np.isnan(seen[-1, 2:]).all()


def test_all_ten_parameters_of_a_payload_are_found_from_a_rich_motion(rng):
    arm = sd.load("ur5")
    mass, com, J = 2.0, np.array([0.03, 0.02, 0.1]), np.diag([0.02, 0.03, 0.01])
    loaded = arm.with_payload("tool0", mass, com, J)
    q = arm.random_configuration(rng, 400)
    v, a = rng.standard_normal((2, 400, 6))
    found = PayloadEstimator(arm, "tool0", 1e-3, inertia=True)
    found.update(q, v, a, loaded.inverse_dynamics(q, v, a))
    assert np.allclose(found.parameters, parameters(sd.Body(mass, com, J)), atol=1e-4)


def test_torques_may_be_a_batch_at_one_state_of_a_payload(rng):
    """Several readings at one configuration weigh as if each came with its own copy of the configuration."""
    arm = sd.load("panda")
    q, still = arm.random_configuration(rng), np.zeros(7)
    tau = arm.with_payload("panda_link8", 2.0).gravity_force(q) + 0.1 * rng.standard_normal((20, 7))
    together, apart = (PayloadEstimator(arm, "panda_link8", torque_std=0.1) for _ in range(2))
    together.update(q, still, still, tau)
    for row in tau:
        apart.update(q, still, still, row)
    np.testing.assert_allclose(together.parameters, apart.parameters, atol=1e-9)
