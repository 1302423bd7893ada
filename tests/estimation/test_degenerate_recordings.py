"""Recordings that do not tell what is asked of them: refused by name, never answered with a guess."""

from __future__ import annotations

import numpy as np
import pytest

import soadyn as sd
from soadyn.estimation import RandomField, identify, identify_drive_gains

K = np.array([8.0, 12.0])


def runs(arm, q, v, a):
    """The same motion without and with two kilograms at the tool, in currents."""
    both = (arm, arm.with_payload("tool", 2.0))
    return [(q, v, a, robot.inverse_dynamics(q, v, a) / K) for robot in both]


def motions(rng):
    """Motions of two joints by name."""
    still, one = np.zeros((60, 2)), np.ones((60, 1))
    return {
        "nothing": np.zeros((3, 0, 2)),
        "one sample": rng.standard_normal((3, 1, 2)),
        "two samples": rng.standard_normal((3, 2, 2)),
        "at rest at zero": (still, still, still),
        "at rest elsewhere": (one * rng.standard_normal(2), still, still),
        "one sample repeated": [one * x for x in rng.standard_normal((3, 2))],
        "two samples repeated": [np.repeat(x, 30, axis=0) for x in rng.standard_normal((3, 2, 2))],
    }


@pytest.mark.parametrize("name", motions(np.random.default_rng(0)))
def test_gains_that_the_runs_do_not_tell_are_refused(name, rng):
    arm = sd.load("planar_two_link")
    with pytest.raises(sd.ArgumentError, match=r"identify_drive_gains: the runs do not tell all gains: .* have rank"):
        identify_drive_gains(arm, *runs(arm, *motions(rng)[name]), 2.0, "tool", terms=())


@pytest.mark.parametrize("size", [(1.0, 1.0, 1.0), (1e-7, 1e-7, 1e-7), (1.0, 1e8, 1e8), (1.0, 0.0, 0.0)])
def test_gains_are_found_however_small_and_fast_the_motion_is(size, rng):
    arm = sd.load("planar_two_link")
    motion = [s * x for s, x in zip(size, rng.standard_normal((3, 60, 2)), strict=True)]
    found = identify_drive_gains(arm, *runs(arm, *motion), 2.0, "tool", terms=())
    assert np.allclose(found.gains, K, rtol=1e-6)
    assert np.allclose(found.com[[0, 2]], 0.0, atol=1e-6)
    assert np.isnan(found.com[1])  # along the axes of both joints


@pytest.mark.slow
@pytest.mark.parametrize("terms", [(), ("viscous", "offset")])
def test_torques_without_noise_are_explained_from_bodies_that_are_far_off(terms):
    """The links' tensors are other ones by a third in every direction; noise is as small as rounding."""
    from soadyn.estimation.physical import parameters_of, pseudo_inertia

    rng, arm = np.random.default_rng(0), sd.load("ur5")
    turn = np.eye(4) + 0.3 * rng.standard_normal((6, 4, 4))
    bodies = pseudo_inertia(arm.inertial_parameters().reshape(-1, 10))
    true = arm.with_inertial_parameters(parameters_of(turn @ bodies @ turn.mT).reshape(-1))
    q, (v, a) = arm.random_configuration(rng, 200), rng.standard_normal((2, 200, 6))
    tau = true.inverse_dynamics(q, v, a) + (0.3 * v if terms else 0.0)
    found = identify(arm, q, v, a, tau, terms=terms)
    assert found.torque_std.max() <= 1e-6 * np.abs(tau).max()  # before: a fifth of the largest torque
    assert abs(found.loss) < 1e3  # of what 1e-8 of the torques counts


def test_a_random_field_of_no_configuration_has_no_estimate():
    field = RandomField(sd.load("planar_two_link").with_backend("numpy"), np.zeros((0, 2)))
    found = field.smooth(np.zeros((0, 2)))
    assert found.theta_ddot.shape == found.filtered.T.shape == (0, 2)
    assert field.log_likelihood(np.zeros((0, 2))).shape == (0,)
