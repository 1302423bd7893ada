"""Paths and simple time scalings: derivatives, ends, limits; Cartesian curves are met between their poses."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.interpolate import CubicSpline

import soadyn as sd


def test_splines_are_scipys_natural_ones(rng):
    arm = sd.load("ur5")
    points = rng.uniform(-1, 1, (7, 6))
    path = sd.paths.spline(arm, points)
    theirs = CubicSpline(path.knots, points, bc_type="natural")
    s = np.linspace(0, 1, 77)
    for order, mine in enumerate(path.at(s)):
        np.testing.assert_allclose(mine, theirs(s, order), atol=1e-10 * 100**order)


def test_a_line_of_a_free_flyer_is_the_exponential(rng):
    flyer = sd.load("free_flyer")
    start, end = flyer.random_configuration(rng, 2)
    path = sd.paths.line(flyer, start, end)
    q, first, second = path.at([0.0, 0.3, 1.0])
    assert np.abs(flyer.difference(q[0], start)).max() < 1e-12
    assert np.abs(flyer.difference(q[2], end)).max() < 1e-12
    near = path.at([0.3 - 1e-6, 0.3 + 1e-6])[0]
    np.testing.assert_allclose(flyer.difference(near[0], near[1]) / 2e-6, first[1], atol=1e-7)
    assert not second.any()


@pytest.mark.parametrize("make", ["quintic", "trapezoidal", "jerk_limited", "time_optimal"])
def test_rates_and_accelerations_are_derivatives_of_the_motion(make, rng):
    arm = sd.load("ur5")
    ends = rng.uniform(-1, 1, (2, 6))
    path = sd.paths.line(arm, *ends)
    options = {
        "quintic": {"duration": 1.5},
        "trapezoidal": {"acceleration_limit": 3.0},
        "jerk_limited": {"acceleration_limit": 3.0, "jerk_limit": 20.0},
        "time_optimal": {},
    }[make]
    motion = getattr(sd.paths, make)(path, **options)
    t = rng.uniform(0.05, 0.95, 40) * motion.duration
    h = 1e-6
    t = t[(np.abs(t[:, None] - motion.t) > 2 * h).all(axis=1)]  # away from jumps of the acceleration
    before, now, after = (motion.at(t + shift) for shift in (-h, 0.0, h))
    np.testing.assert_allclose((after.q - before.q) / (2 * h), now.v, atol=1e-6)
    np.testing.assert_allclose((after.v - before.v) / (2 * h), now.a, atol=1e-5)
    for t_end, q_end in ((0.0, ends[0]), (motion.duration, ends[1])):
        state = motion.at(t_end)
        np.testing.assert_allclose(state.q, q_end, atol=1e-9)
        np.testing.assert_allclose(state.v, 0.0, atol=1e-9)
    np.testing.assert_allclose(now.tau, arm.inverse_dynamics(now.q, now.v, now.a), atol=1e-9)


@pytest.mark.parametrize(("velocity", "acceleration", "jerk"), [(1.0, 3.0, 20.0), (0.1, 3.0, 20.0), (5.0, 1.0, 400.0),
                                                                (5.0, 50.0, 5.0), (0.5, 50.0, 5.0)])  # fmt: skip
def test_jerk_limited_motion_keeps_every_limit_and_reaches_one(velocity, acceleration, jerk):
    arm = sd.load("planar_two_link")
    path = sd.paths.line(arm, [0.0, 0.0], [1.0, -2.0])
    motion = sd.paths.jerk_limited(path, acceleration, jerk, velocity)
    fine = motion.at(np.linspace(0, motion.duration, 3001))
    jerks = np.abs(motion.jolt[:, None] * path.at(0.0)[1]).max()
    assert np.abs(fine.v).max() <= velocity * (1 + 1e-9)
    assert np.abs(fine.a).max() <= acceleration * (1 + 1e-9)
    assert jerks == pytest.approx(jerk)
    np.testing.assert_allclose(motion.along(motion.duration)[0], 1.0, atol=1e-12)
    # The pieces themselves end on the path's end, at rest; nothing is left to be rounded away.
    h = motion.t[-1] - motion.t[-2]
    assert motion.s[-2] + h * (motion.speed[-2] + h * (motion.push[-1] / 2 + h * motion.jolt[-1] / 6)) == pytest.approx(
        1
    )
    assert motion.speed[-2] + h * (motion.push[-1] + h * motion.jolt[-1] / 2) == pytest.approx(0, abs=1e-9)


def test_trapezoidal_motion_along_a_bent_path_keeps_limits(rng):
    arm = sd.load("ur5")
    path = sd.paths.spline(arm, rng.uniform(-1, 1, (5, 6)))
    motion = sd.paths.trapezoidal(path, acceleration_limit=4.0, velocity_limit=1.0)
    fine = motion.at(np.linspace(0, motion.duration, 2001))
    assert np.abs(fine.v).max() <= 1.0 + 1e-3
    assert np.abs(fine.a).max() <= 4.0 + 1e-2


def test_cartesian_lines_are_straight_and_turn_evenly():
    arm = sd.load("panda")
    q0 = np.array([0.1, -0.4, 0.2, -2.0, 0.1, 1.9, 0.5])
    start = arm.pose(q0, "panda_link8")
    end = arm.pose(q0 + np.array([0.2, 0.2, -0.1, 0.2, 0.1, 0.1, -0.3]), "panda_link8")
    path = sd.paths.cartesian_line(arm, q0, "panda_link8", end, accuracy=1e-6)
    s = np.linspace(0, 1, 101)
    poses = arm.pose(path.at(s)[0], "panda_link8")
    wanted = start[:3, 3] + s[:, None] * (end[:3, 3] - start[:3, 3])
    assert np.abs(poses[:, :3, 3] - wanted).max() < 3e-6
    turned = np.arccos(np.clip((np.trace(start[:3, :3].T @ poses[:, :3, :3], axis1=1, axis2=2) - 1) / 2, -1, 1))
    np.testing.assert_allclose(turned, s * turned[-1], atol=1e-4)
    np.testing.assert_allclose(poses[-1], end, atol=1e-7)


def test_curves_that_leave_the_reach_are_refused_with_the_place():
    arm = sd.load("panda")
    q0 = [0.0, -0.3, 0.0, -2.0, 0.0, 1.8, 0.8]
    with pytest.raises(sd.ArgumentError, match=r"'panda_link8' cannot follow: at s = 0\.\d+ it misses by"):
        sd.paths.cartesian_line(arm, q0, "panda_link8", [2.0, 0.0, 0.5])


def test_a_frame_may_have_an_offset_that_is_an_array():
    arm, q = sd.load("ur5"), np.array([0.0, -1.2, 1.6, -0.5, 1.3, 0.0])
    offset = np.eye(4)
    offset[:3, 3] = [0.0, 0.02, 0.1]
    end = arm.pose(q, ("tool0", offset))
    end[2, 3] += 0.05
    path = sd.paths.cartesian_line(arm, q, ("tool0", offset), end)
    np.testing.assert_allclose(arm.pose(path.points[-1], ("tool0", offset)), end, atol=1e-6)
