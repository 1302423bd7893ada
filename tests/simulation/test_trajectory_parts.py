"""Trajectories taken apart and put together: records, rows, times between records, motions that go on."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import soadyn as sd
from random_robots import model_of_every_kind
from soadyn.simulation import Trajectory, simulate

ARRAYS = ("t", "q", "v", "tau", "kinetic", "potential", "work")


@pytest.fixture
def flight(rng):
    flyer = sd.load("free_flyer")
    v0 = 0.3 * rng.standard_normal((2, 3, flyer.nv))
    return simulate(flyer, flyer.neutral(), v0, duration=0.1, step=0.01)


def test_records_and_rows_are_indexed_as_arrays_are(flight):
    for key in (
        slice(2, 5),
        slice(None, None, 3),
        (slice(None), 1),
        (slice(1, 4), 1, 2),
        (slice(None), slice(0, 1), [0, 2]),
    ):
        part = flight[key]
        np.testing.assert_array_equal(part.q, flight.q[key])
        np.testing.assert_array_equal(part.momentum, flight.momentum[key])
        np.testing.assert_array_equal(part.t, flight.t[key[0] if isinstance(key, tuple) else key])
    np.testing.assert_array_equal(flight[-1].q, flight.q[-1:])
    np.testing.assert_array_equal(flight[3, 1, 2].v, flight.v[3:4, 1, 2])
    np.testing.assert_array_equal(flight[flight.t > 0.05].v, flight.v[flight.t > 0.05])


@pytest.mark.parametrize("key", [99, -12, (0, 2), "q", slice(5, 5), slice(None, None, -1), (0, 0, 0, 0), None])
def test_what_does_not_pick_records_is_refused(flight, key):
    with pytest.raises(sd.ArgumentError, match=r"does not pick|leaves no records|do not ascend"):
        flight[key]


def test_states_between_records_are_those_of_the_motion_to_fourth_order(rng):
    """Rates to second order; each joint by itself, on a tree with a joint of every kind."""
    robot = sd.Robot(model_of_every_kind())
    q0, v0 = robot.random_configuration(rng), 0.5 * rng.standard_normal(robot.nv)
    fine = simulate(robot, q0, v0, duration=0.32, step=0.005, joint_forces=False)
    errors, rate_errors = [], []
    for every in (16, 8):
        found = fine[::every].at(fine.t)
        errors.append(np.abs(robot.difference(fine.q, found.q)).max(axis=0))
        rate_errors.append(np.abs(fine.v - found.v).max(axis=0))
    for joint in robot.joint_names:
        places = robot.joint_dofs(joint)
        assert errors[1][places].max() < errors[0][places].max() / 8 + 1e-12, joint  # 16 where h is small enough
        assert rate_errors[1][places].max() < rate_errors[0][places].max() / 3 + 1e-10, joint


def test_records_themselves_are_met(flight):
    at = flight.at(flight.t)
    robot = flight.robot
    assert np.abs(robot.difference(flight.q, at.q)).max() < 1e-12
    np.testing.assert_allclose(at.v, flight.v, atol=1e-12)
    np.testing.assert_array_equal(flight.end.q, flight.q[-1])


def test_resampled_motions_keep_energy_and_momentum(flight):
    fine, coarse = flight.resample(0.001), flight[::2].resample(0.001)
    assert len(fine) == len(coarse) == 101
    assert fine.relative_energy_drift < min(1e-4, coarse.relative_energy_drift / 3)
    assert np.abs(fine.momentum_drift).max() < np.abs(coarse.momentum_drift).max() / 3
    part = flight.between(0.015, 0.04)
    np.testing.assert_allclose(part.t, [0.015, 0.02, 0.03, 0.04])


@pytest.mark.parametrize("times", [-0.1, 0.2, np.nan, "soon", [0.0, 1.0]])
def test_times_outside_of_the_motion_are_refused(flight, times):
    with pytest.raises(sd.ArgumentError, match=r"lasts from 0 to 0\.1 s, got the time|times are numbers"):
        flight.at(times)


def test_a_motion_that_goes_on_joins_the_first_one_as_if_it_had_not_stopped(tmp_path, rng):
    flyer = sd.load("free_flyer")
    v0 = 0.3 * rng.standard_normal(flyer.nv)
    whole = simulate(flyer, flyer.neutral(), v0, duration=0.2, step=0.01)
    first = simulate(flyer, flyer.neutral(), v0, duration=0.1, step=0.01)
    saved = Trajectory.load(first.save(tmp_path / "first.npz")).of(flyer)
    joined = saved.joined(simulate(flyer, saved.end.q, saved.end.v, duration=0.1, step=0.01))
    for name in (*ARRAYS, "momentum", "impulse"):
        np.testing.assert_allclose(getattr(joined, name), getattr(whole, name), atol=1e-12)


def test_what_only_one_motion_has_the_whole_has_not():
    flyer = sd.load("free_flyer")
    first = simulate(flyer, flyer.neutral(), duration=0.02, step=0.01)
    bare = replace(first, momentum=None, impulse=None)
    for whole in (bare.joined(first), first.joined(bare)):
        assert whole.momentum is None
        assert whole.momentum_drift is None
        assert len(whole) == 5


def test_joints_at_which_limits_acted_in_either_motion_are_told():
    arm = sd.load("planar_two_link")
    first = replace(simulate(arm, [0.3, 0.0], duration=0.02, step=0.01), acted={"effort": ("joint1",)})
    then = simulate(arm, first.end.q, first.end.v, duration=0.02, step=0.01)
    then = replace(then, acted={"effort": ("joint1", "joint2"), "position": ("joint2",)})
    assert first.joined(then).acted == {"effort": ("joint1", "joint2"), "position": ("joint2",)}


def test_motions_that_do_not_meet_are_not_joined(flight):
    arm = sd.load("planar_two_link")
    fall = simulate(arm, [0.3, 0.0], duration=0.1, step=0.01)
    with pytest.raises(sd.ArgumentError, match=r"ends with 'joint\d' elsewhere than the second begins, 0\.\d+ apart"):
        fall.joined(fall)
    with pytest.raises(sd.ArgumentError, match="have other coordinates"):
        fall.joined(flight)
    with pytest.raises(sd.ArgumentError, match=r"a batch \(2, 3\) and a batch \(\)"):
        flight.joined(flight.row(0))
    with pytest.raises(sd.ArgumentError, match="takes a Trajectory, got str"):
        fall.joined("fall")
