"""The fastest motions keep their limits between grid places too: looked at where nothing was solved or measured."""

from __future__ import annotations

import numpy as np
import pytest

import soadyn as sd
from soadyn.paths import between_places
from soadyn.paths.between_places import motion_found
from soadyn.paths.bounds import Bounds
from soadyn.paths.constraints import constraints_along
from soadyn.paths.optimal_timing import time_optimal
from soadyn.paths.reachable import both_ends, fastest

KEPT = 1e-6


def random_splines(arm, count, rng):
    lower, upper = np.maximum(arm.lower, -2.5), np.minimum(arm.upper, 2.5)
    return [sd.paths.spline(arm, rng.uniform(lower, upper, (5, arm.nq))) for _ in range(count)]


def largest_share(motion, limits, times=8001):
    """Of any limit, at times that have nothing to do with the grid."""
    s = motion.at(np.linspace(0.0, motion.duration, times))
    taken = (s.v / limits.velocity, s.a / limits.acceleration, s.tau / limits.effort)
    return max(np.abs(x).max() for x in taken)


def checked(name, count, rng, grid, longer, effort="robot", velocity="robot", acceleration=None):
    arm = sd.load(name)
    limits = Bounds.of(arm, effort, velocity, acceleration, "test")
    paths = random_splines(arm, count, rng)
    places = np.linspace(0.0, 1.0, grid + 1)
    for path, motion in zip(paths, time_optimal(paths, effort, velocity, acceleration, grid), strict=True):
        assert largest_share(motion, limits) <= 1 + KEPT
        assert 0.99 < motion.worst <= 1 + KEPT
        found = fastest(both_ends(constraints_along([path], places, limits)))
        ends_only = motion_found(path, places, found, 0)
        assert largest_share(ends_only, limits) > 1 + 1e-4  # what would be passed
        assert motion.duration <= longer * ends_only.duration


def test_rates_and_accelerations_are_kept_everywhere(rng):
    checked("panda", 3, rng, 100, 1.01, acceleration=10.0)


def test_forces_are_kept_everywhere_although_gravity_does_not_slow_down(rng):
    arm = sd.load("panda")
    checked("panda", 3, rng, 50, 1.02, effort=0.8 * arm.effort_limit, velocity=None)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "demands"),
    [
        ("panda", {"acceleration": 10.0}),
        ("ur5", {"acceleration": 10.0}),
        ("ur5", {"velocity": None}),
        ("panda", {"velocity": None}),
    ],
)
def test_no_limit_is_passed_anywhere_on_forty_splines(name, demands, rng):
    checked(name, 40, rng, 100, 1.015, **demands)


def test_forces_that_gravity_alone_passes_are_met_by_shorter_intervals():
    """Where a force is needed that rest does not allow, going slower would pass the limit more, not less."""
    arm = sd.load("planar_two_link")
    path = sd.paths.line(arm, [-np.pi / 2, 0.0], [np.pi / 2, 0.0])
    limits = Bounds.of(arm, [25.0, 10.0], "robot", None, "test")
    motion = time_optimal(path, [25.0, 10.0], grid=7)
    assert largest_share(motion, limits) <= 1 + KEPT
    assert motion.worst <= 1 + KEPT


def test_a_path_with_more_knots_than_the_grid_has_places(rng):
    arm = sd.load("ur5")
    path = sd.paths.spline(arm, 0.5 * np.cumsum(rng.normal(size=(40, 6)), axis=0) / 6)
    motion = time_optimal(path, None, "robot", 10.0, grid=20)
    assert largest_share(motion, Bounds.of(arm, None, "robot", 10.0, "test"), 40001) <= 1 + KEPT


def test_a_limit_that_is_passed_after_all_is_told(rng, monkeypatch):
    arm = sd.load("ur5")
    (path,) = random_splines(arm, 1, rng)
    monkeypatch.setattr(between_places, "_slower", lambda *_: None)
    limits = Bounds.of(arm, "robot", "robot", 10.0, "test")
    with pytest.warns(
        RuntimeWarning, match=r"passes a limit by 0\.\d+ of its size inside an interval; give a finer grid"
    ):
        (motion,) = between_places.fastest_within([path], np.linspace(0.0, 1.0, 21), limits, halvings=0)
    assert motion.worst > 1.01
