"""What feedbacks of joints follow: motions of paths, trajectories, optimal motions; and which joints are passive."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import soadyn as sd
from soadyn import control
from soadyn.control.feedback.references import SPACING

ENDS = np.array([[0.0, 0.2], [0.6, 1.0]])


def followed(arm: sd.Robot, reference: Any, q0: np.ndarray, t: np.ndarray) -> np.ndarray:
    """Configurations at times of an arm that follows a reference, (T, nq)."""
    follow = control.ComputedTorque(arm, reference, bandwidth=60.0)
    return np.asarray(sd.simulate(arm, q0, control=follow, duration=float(t[-1]), step=0.001).at(t).q)


def test_joints_follow_a_motion_of_a_path() -> None:
    arm = sd.load("planar_two_link")
    motion = sd.paths.quintic(sd.paths.line(arm, *ENDS), duration=0.5)
    t = np.linspace(0.0, 0.5, 26)
    # TimeSeries lie a millisecond apart; between them the path is a chord, off by a h²/8, 3e-6 rad here.
    np.testing.assert_allclose(followed(arm, motion, ENDS[0], t), motion.at(t).q, atol=3e-6)
    at, state = 0.2, motion.at(0.2)
    law = control.ComputedTorque(arm, motion)  # on the path nothing is to be corrected
    np.testing.assert_allclose(law(at, state.q, state.v), arm.inverse_dynamics(state.q, state.v, state.a), atol=1e-9)
    springs = control.JointFeedback(arm, motion, stiffness=10.0, damping=1.0)
    np.testing.assert_allclose(springs(at, state.q, state.v), arm.gravity_force(state.q), atol=1e-9)


def test_joints_follow_a_trajectory_and_rest_where_it_ends(rng: np.random.Generator) -> None:
    arm = sd.load("planar_two_link").with_gravity([0, 0, 0])
    thrown = sd.simulate(arm, ENDS[0], rng.standard_normal(2), duration=0.4, step=0.002)
    follow = control.ComputedTorque(arm, thrown, bandwidth=30.0)
    again = sd.simulate(arm, thrown.q[0], thrown.v[0], control=follow, duration=1.5, step=0.002)
    np.testing.assert_allclose(again.at(thrown.t[:200]).q, thrown.q[:200], atol=1e-4)
    np.testing.assert_allclose(again.q[-1], thrown.q[-1], atol=1e-6)
    assert np.abs(again.v[-1]).max() < 1e-5
    assert not follow.references["v"](0.4 + SPACING).any()


def test_joints_follow_an_optimal_motion() -> None:
    arm = sd.load("planar_two_link")
    cost = sd.optimal.Cost(arm, ENDS[1], state_weight=[100.0, 100.0, 1.0, 1.0], effort_weight=0.001)
    found = sd.optimal.ilqr(cost, ENDS[0], duration=0.5, step=0.01)
    apart = np.abs(followed(arm, found, ENDS[0], found.t) - found.q).max(axis=-1)
    # It begins with a jump of the forces, which differences of its rates spread over two steps.
    assert apart.max() < 5e-3
    assert apart[found.t > 0.2].max() < 2e-4


def test_a_frame_follows_a_trajectory() -> None:
    arm = sd.load("ur5").with_backend("numpy")
    q0 = np.array([0.0, -1.2, 1.6, -0.5, 1.3, 0.0])
    motion = sd.paths.quintic(sd.paths.line(arm, q0, q0 + 0.3), duration=0.5)
    run = sd.simulate(arm, q0, control=control.ComputedTorque(arm, motion, bandwidth=50.0), duration=0.5, step=0.002)
    state = motion.at(0.3)
    both = [control.OperationalSpace(arm, {"tool0": x})(0.3, state.q, state.v) for x in (motion, run)]
    np.testing.assert_allclose(both[0], both[1], atol=0.05)


@pytest.mark.parametrize("kind", [control.ComputedTorque, control.DecoupledControl])
def test_a_free_root_is_passive_unless_the_caller_says_otherwise(kind: Any, rng: np.random.Generator) -> None:
    flyer = sd.load("free_flyer")
    q, v = flyer.random_configuration(rng), rng.standard_normal(flyer.nv)
    floating, driven, named = (
        kind(flyer, flyer.neutral(), **said)(0.0, q, v) for said in ({}, {"passive": []}, {"passive": ["root"]})
    )
    assert not floating[:6].any()
    assert np.abs(driven[:6]).min() > 0
    np.testing.assert_array_equal(floating, named)
