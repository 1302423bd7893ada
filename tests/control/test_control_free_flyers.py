"""What examples/free_flyers.py shows, held to its figures; durations and steps are those of the example.

The motions are simulated: joint forces act, forward dynamics answers, T_p = 0 throughout.
"""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import soadyn as sd
from soadyn import control

SCRIPT = Path(__file__).resolve().parents[2] / "examples" / "free_flyers.py"
MM, DEG = 1e-3, np.radians(1.0)


@pytest.fixture(scope="module")
def example() -> Any:
    spec = importlib.util.spec_from_file_location("free_flyers", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["free_flyers"] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


def undriven(run: control.Execution) -> bool:
    """Nothing ever acted on the base."""
    return not run.trajectory.tau[:, run.plan.demands.passive_places].any()


def test_arm_and_wheels_reach_a_pose_and_hold_the_attitude(example: Any) -> None:
    reach = example.with_wheels()
    run, rows = reach.held, len(reach.held.plan.demands.names)
    assert (rows, len(run.plan.demands.active)) == (9, 10)
    assert reach.distance >= 0.3 - 1e-12
    assert undriven(run)
    assert run.position_error[-1] < 1 * MM
    assert run.angle_error[-1] < 0.1 * DEG
    assert run.base_turn.max() < 0.01 * DEG
    active = run.plan.demands.active
    assert (np.abs(run.trajectory.tau[:, active]) < run.robot.effort_limit[active]).all()
    assert reach.naive.base_turn.max() > 1 * DEG
    assert reach.naive.position_error[-1] > 10 * MM


def test_the_arm_alone_reaches_a_position_and_holds_the_attitude(example: Any) -> None:
    reach = example.wheels_locked()
    run, rows = reach.held, len(reach.held.plan.demands.names)
    assert (rows, len(run.plan.demands.active)) == (6, 7)
    assert reach.distance >= 0.3 - 1e-12
    assert undriven(run)
    assert run.plan.smallest.min() > 1e-3
    assert not run.plan.regularization.any()
    assert run.position_error[-1] < 1 * MM
    assert run.base_turn.max() < 0.01 * DEG
    assert reach.naive.base_turn.max() > 0.1 * DEG


def test_two_arms_reach_a_pose_and_hold_the_base(example: Any) -> None:
    reach = example.two_arms()
    run, rows = reach.held, len(reach.held.plan.demands.names)
    assert (rows, len(run.plan.demands.active)) == (12, 14)
    assert reach.distance >= 0.3 - 1e-12
    assert undriven(run)
    assert run.plan.smallest.min() > 1e-3
    assert not run.plan.regularization.any()
    assert run.position_error[-1] < 1 * MM
    assert run.angle_error[-1] < 0.1 * DEG
    assert run.base_shift.max() < 1 * MM
    assert run.base_turn.max() < 0.01 * DEG


@pytest.mark.slow
def test_ets_vii_disturbs_its_base_least(example: Any) -> None:
    reach = example.least_disturbance()
    run = reach.held
    assert undriven(run)
    assert run.position_error[-1] < 1 * MM
    assert run.angle_error[-1] < 0.1 * DEG
    # The same target: 0.62 degrees where the base is taken for fixed, and the hand misses by 30 mm.
    assert reach.naive.base_turn.max() > 0.5 * DEG
    assert reach.naive.position_error[-1] > 20 * MM
    assert run.base_turn.max() < 0.02 * DEG
    assert run.base_turn.max() < reach.naive.base_turn.max() / 20


@pytest.mark.slow
def test_momentum_is_kept_over_a_minute_of_joint_forces(example: Any) -> None:
    """60 s with rk4 and steps of 0.04 s; relative to the largest sum over the links of their momenta's lengths."""
    flyer = sd.load("free_flyer")
    q = example.started(flyer, example.ARM)
    target = flyer.pose(q, "tool")
    target[0, 3] += 0.3
    run = control.execute(control.plan_reach(flyer, q, "tool", target, 60.0, step=0.4), step=0.04)
    assert run.trajectory.t[-1] == 60.0
    assert undriven(run)
    angular, linear = run.momentum_drift
    assert angular < 1e-10
    assert linear < 1e-10
    assert run.position_error[-1] < 1 * MM
    assert run.base_turn.max() < 0.01 * DEG
