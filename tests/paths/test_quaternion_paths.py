"""Paths of robots with quaternions: free bases and ball joints."""

from __future__ import annotations

import numpy as np
import pytest

import soadyn as sd
from random_robots import random_model
from soadyn.paths.bounds import Bounds

H = 1e-5


def rates_by_differences(path, s):
    """dq/ds and d²q/ds² by central differences along the tangent space."""
    robot = path.robot

    def rate(s):
        return robot.difference(path.at(s - H)[0], path.at(s + H)[0]) / (2 * H)

    return rate(s), (rate(s + 1e-4) - rate(s - 1e-4)) / 2e-4


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.heavy(2)
def test_a_spline_moves_joints_of_all_kinds_as_its_derivatives_say(seed, rng):
    model = random_model(np.random.default_rng(seed), 5, root="free" if seed % 2 else "fixed")
    robot = sd.Robot(model)
    points = robot.random_configuration(rng, size=4)
    path = sd.paths.spline(robot, points)
    at_points = robot.difference(points, path.at(path.knots)[0])
    assert np.abs(at_points).max() < 1e-9
    s = np.linspace(0.02, 0.98, 23)
    _, first, second = path.at(s)
    by_first, by_second = rates_by_differences(path, s)
    assert np.abs(first - by_first).max() < 1e-6 * np.abs(first).max()
    assert np.abs(second - by_second).max() < 1e-3 * np.abs(second).max()


def test_quaternions_of_either_sign_are_the_same_points(rng):
    flyer = sd.load("free_flyer")
    points = flyer.random_configuration(rng, size=5)
    turned = points.copy()
    turned[[1, 4], :4] *= -3.0
    s = np.linspace(0, 1, 40)
    one, other = (sd.paths.spline(flyer, x).at(s)[0] for x in (points, turned))
    assert np.abs(flyer.difference(one, other)).max() < 1e-9


@pytest.mark.slow
def test_a_flyers_tool_moves_straight_and_as_fast_as_its_joints_allow():
    flyer = sd.load("free_flyer")
    q = flyer.neutral()
    q[7:14] = -0.3, -0.6, -1.3, -1.6, -0.2, 1.4, 1.2
    start = flyer.pose(q, "tool")[:3, 3]
    way = np.array([0.2, 0.3, -0.1])
    path = sd.paths.cartesian_line(flyer, q, "tool", start + way)
    places = flyer.pose(path.at(np.linspace(0, 1, 60))[0], "tool")[:, :3, 3] - start
    assert np.abs(places - np.outer(places @ way / (way @ way), way)).max() < 2e-5
    motion = sd.paths.time_optimal(path, acceleration_limit=2.0)
    limits = Bounds.of(flyer, "robot", "robot", 2.0, "test")
    assert (np.abs(motion.v) <= limits.velocity * (1 + 1e-6)).all()
    assert (np.abs(motion.a[:-1]) <= 2.0 * (1 + 1e-6)).all()
    assert (np.abs(motion.tau[:-1]) <= limits.effort * (1 + 1e-6)).all()
    # The joint forces of the motion, given to simulate, lead along the path.
    smooth = sd.paths.quintic(path, 2.0)
    t = np.linspace(0, 2.0, 401)
    exact = smooth.at(t)
    done = sd.simulate(
        flyer, q, control=sd.TimeSeries(t, exact.tau), duration=2.0, step=0.005, stops=False, effort_limit=None
    )
    assert np.abs(flyer.difference(done.q[-1], exact.q[-1])).max() < 1e-3
