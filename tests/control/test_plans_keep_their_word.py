"""Plans of ordinary arms, steps that are made shorter, limits of speed and force, executions that stop by name."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from test_plan_checks import satellite

import soadyn as sd
from soadyn import control
from soadyn.control import ReachError
from soadyn.control.planning.plan_checks import checked, step_error
from soadyn.control.planning.reaching import TOLERANCE

ARM = np.array([0.1, -1.0, 1.2, -0.5, 0.8, 0.2])
BENT = (-0.3, -0.6, -1.3, -1.6, -0.2, 1.4, 1.2)


def moved(robot, q, frame, by):
    pose = robot.pose(q, frame)
    pose[:3, 3] += by
    return pose


@pytest.fixture(scope="module")
def ur5():
    return sd.load("ur5")


@pytest.fixture(scope="module")
def flyer():
    return sd.load("free_flyer")


def bent(flyer):
    q = flyer.neutral()
    q[7:14] = BENT
    return q


# Robots without a passive joint


def test_demands_on_an_ordinary_arm_are_rows_of_its_jacobian(ur5):
    demands = control.Demands(ur5, "tool0", "position")
    np.testing.assert_array_equal(demands.jacobian(ARM), ur5.jacobian(ARM, "tool0")[3:])
    there = moved(ur5, ARM, "tool0", [0.1, 0.0, 0.0])
    v = control.ResolvedRate(ur5, {"tool0": there}, bandwidth=1.0).rates(0.0, ARM, np.zeros(6))
    np.testing.assert_allclose(ur5.frame_velocity(ARM, v, "tool0"), [0, 0, 0, 0.1, 0, 0], atol=1e-12)


def test_pinocchio_moves_an_ordinary_arms_tool_as_its_feedback_wants(ur5, rng):
    pinocchio = pytest.importorskip("pinocchio")
    from soadyn.loading import builtin

    v, there = rng.standard_normal(6), moved(ur5, ARM, "tool0", [0.1, -0.2, 0.3])
    tau = control.ResolvedAcceleration(ur5, {"tool0": there}, bandwidth=3.0, damping_ratio=0.5)(0.0, ARM, v)
    model = pinocchio.buildModelFromUrdf(str(builtin.__file__).replace("builtin.py", "robots/ur5.urdf"))
    a = pinocchio.aba(model, model.createData(), ARM, v, tau)
    wanted = 9.0 * np.array([0.0, 0.0, 0.0, 0.1, -0.2, 0.3]) - 3.0 * ur5.frame_velocity(ARM, v, "tool0")
    np.testing.assert_allclose(ur5.frame_acceleration(ARM, v, a, "tool0"), wanted, atol=1e-9)


def test_an_ordinary_arm_reaches_under_gravity_and_the_plan_is_carried_out(ur5):
    target = moved(ur5, ARM, "tool0", [0.05, 0.1, -0.1])
    plan = control.plan_reach(ur5, ARM, "tool0", target, 2.0)
    done = control.execute(plan, step=0.02, bandwidth=5.0)
    assert done.position_error[-1] < 1e-4
    assert done.base_turn.max() == 0
    motion = sd.paths.FrameMotion(ur5.pose(ARM, "tool0"), target, 2.0)
    tracking = control.OperationalSpace(ur5, {"tool0": motion}, bandwidth=4.0)
    run = sd.simulate(ur5, ARM, control=tracking, duration=2.0, step=0.02)
    assert np.abs(control.pose_error(ur5.pose(run.q[-1], "tool0"), target)).max() < 1e-5


def test_a_target_out_of_an_ordinary_arms_reach_is_refused_with_the_reason(ur5):
    with pytest.raises(ReachError, match=r"the motion .*'tool0'|the motion stops"):
        control.plan_reach(ur5, ARM, "tool0", moved(ur5, ARM, "tool0", [2.0, 0.0, 0.0]), 4.0, regularization=0.05)


# Momentum, steps, limits


def test_a_satellite_does_not_arrive_by_moving_its_mass_centre():
    """530 kg, 3 m away: the mass centre would have to move by 2.9 m without momentum."""
    robot = satellite()
    q = robot.neutral()
    q[7:] = -1.06, 1.4, 0.85
    believed = control.plan_reach(robot, q, "tool", robot.pose(q, "tool")[:3, 3] + [0.05, 0, 0], 2.0, reactions=False)
    states = np.array(believed.q)
    states[:, 4:7] += np.linspace(0, 1, len(states))[:, None] * [2.5, 0.4, -1.4]
    arrived = replace(believed, q=states, target=robot.pose(states[-1], "tool"))
    assert arrived.position_error[-1] < 1e-9
    with pytest.raises(ReachError, match=r"moves the robot's mass centre by 2\.\d+ m, though its momentum is zero"):
        checked(arrived, TOLERANCE)


def test_a_plan_with_momentum_is_refused(flyer):
    q = bent(flyer)
    plan = control.plan_reach(flyer, q, "tool", moved(flyer, q, "tool", [0.05, 0, 0]), 5.0, step=0.1)
    v = np.array(plan.v)
    v[:, 0] += 1e-3  # the base turns, a little and in all rates alike, while its coordinates do not
    with pytest.raises(ReachError, match=r"has linear momentum, .* where it began with none"):
        checked(replace(plan, v=v), (1e-3, 0.1))


def test_steps_are_halved_until_the_error_is_met(flyer):
    q = bent(flyer)
    target = moved(flyer, q, "tool", [0.3, 0.4, -0.2])
    tolerance = (1e-3, 1e-5)
    plan = control.plan_reach(flyer, q, "tool", target, 15.0, step=1.0, settle=3.0, tolerance=tolerance)
    assert plan.t[1] - plan.t[0] < 0.6
    assert step_error(plan, *tolerance, zero_momentum=True) <= 1


@pytest.mark.slow
def test_a_speed_limit_that_a_least_disturbance_would_pass_is_refused_with_the_time_it_takes():
    model = sd.load("ets_vii").model
    limited = (joint if joint.kind == "free" else replace(joint, velocity=(0.1,)) for joint in model.joints)
    arm = sd.Robot(replace(model, joints=tuple(limited)))
    q = arm.neutral()
    q[7:] = 0.7, -1.2, -0.3, 1.5, 0.0, 0.6
    options = {"step": 0.05, "iterations": 2}
    fast = moved(arm, q, "link_ee", [0.3, 0, 0])
    with pytest.raises(
        ReachError, match=r"beyond its speed limit of .*; a duration of [\d.]+ s would keep it"
    ) as refused:
        control.plan_least_disturbance(arm, q, "link_ee", fast, 1.0, **options)
    seconds = float(str(refused.value).split("a duration of ")[1].split(" s")[0])
    slow = control.plan_least_disturbance(arm, q, "link_ee", fast, 1.01 * seconds, step=seconds / 20, iterations=2)
    assert (np.abs(slow.v[:, 6:]) <= arm.velocity_limit[6:] * (1 + 1e-6)).all()


def test_a_plan_that_takes_more_than_the_motors_have_is_refused(ur5):
    weak = sd.Robot(replace(ur5.model, joints=tuple(replace(joint, effort=(5.0,)) for joint in ur5.model.joints)))
    with pytest.raises(ReachError, match=r"takes .* N m or N of joint 'shoulder_lift_joint' .* which has 5"):
        control.plan_reach(weak, ARM, "tool0", moved(ur5, ARM, "tool0", [0.05, 0, 0]), 2.0)


# Executions


def test_an_execution_that_runs_away_names_what_did(flyer):
    q = bent(flyer)
    plan = control.plan_reach(flyer, q, "tool", moved(flyer, q, "tool", [0.02, 0, 0]), 2.0, step=0.1)
    with pytest.raises(sd.ArgumentError, match=r"ComputedTorque: bandwidth must be zero or more, at most 1e\+100, got"):
        control.execute(plan, step=0.05, bandwidth=1e160)
    too_long = r"the step of 0.05 s is too long for joint '.*', about h = .* would"
    with sd.errstate("ignore"), pytest.raises(sd.SimulationError, match=too_long):
        control.execute(plan, step=0.05, bandwidth=1e4)
    v = np.array(plan.v)
    v[10] = np.nan
    with pytest.raises(sd.ArgumentError, match="values must be finite real numbers"):
        control.execute(replace(plan, v=v))
