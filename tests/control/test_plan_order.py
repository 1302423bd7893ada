"""The steps in which plans are integrated are of fourth order, also where the base turns."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

import soadyn as sd
from soadyn.control.planning.least_disturbance import Shapes
from soadyn.control.planning.reach_rule import ReachRule, integrated
from soadyn.control.planning.reaching import reach_demands


def orders(robot: Any, ends: dict[int, np.ndarray]) -> list[float]:
    """log₂ of how much halves of steps leave of the error, {steps: last q}, the finest being the truth."""
    *some, finest = sorted(ends)
    errors = [np.abs(robot.difference(ends[finest], ends[n])).max() for n in some]
    return [float(np.log2(a / b)) for a, b in pairwise(errors)]


def test_a_reach_whose_base_turns() -> None:
    robot: Any = sd.load("free_flyer")
    q = robot.neutral()
    q[7:14] = -0.3, -0.6, -1.3, -1.6, -0.2, 1.4, 1.2
    target = robot.pose(q, "tool")
    target[:3, :3] = target[:3, :3] @ [[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]
    target[:3, 3] += 0.4, -0.5, 0.3
    demands, start, motion = reach_demands(robot, q, "tool", target, 10.0, hold=[])
    rule = ReachRule(demands, motion, start, bandwidth=0.5)
    ends = {n: integrated(rule, 0.0, 10.0 / n).q[-1] for n in (20, 40, 80, 640)}
    assert np.linalg.norm(robot.difference(start, ends[640])[:3]) > 0.4
    assert all(3.7 < order < 4.3 for order in orders(robot, ends))


def test_a_motion_whose_base_turns_as_joints_swing() -> None:
    robot: Any = sd.load("ets_vii")
    q = robot.neutral()
    q[7:] = 0.7, -1.2, -0.3, 1.5, 0.0, 0.6
    demands, start, way = reach_demands(robot, q, "link_ee", robot.pose(q, "link_ee"), 40.0)
    c = 0.5 * np.random.default_rng(0).standard_normal((6, 5))
    motions = {n: Shapes(demands, start, way.end, 40.0, 4, n).motion(c) for n in (40, 80, 160, 640)}
    assert all(3.7 < order < 4.3 for order in orders(robot, {n: q[-1] for n, (_, q, _) in motions.items()}))
    _, q, v = motions[640]
    way, rate = Shapes(demands, start, way.end, 40.0, 4, 640).active(c, 20.0)
    np.testing.assert_allclose(q[320, demands.active_coordinates], start[demands.active_coordinates] + way, atol=1e-14)
    np.testing.assert_allclose(v[320, demands.active], rate, atol=1e-14)
    np.testing.assert_allclose(robot.momentum(q, v), 0.0, atol=1e-8)
