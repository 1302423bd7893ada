"""Plans and what comes of them: limits, singularities, failures that say where and why, control of the base."""

from __future__ import annotations

import numpy as np
import pytest

import soadyn as sd
from soadyn import control
from soadyn.control import BaseControl, ReachError
from soadyn.control.planning.execution import WithBaseControl

BENT = (-0.3, -0.6, -1.3, -1.6, -0.2, 1.4, 1.2)
WHEELS = ("wheel_x", "wheel_y", "wheel_z")


@pytest.fixture(scope="module")
def flyer() -> sd.Robot:
    return sd.load("free_flyer")


@pytest.fixture(scope="module")
def q(flyer: sd.Robot) -> np.ndarray:
    q = flyer.neutral()
    q[7:14] = BENT
    return q


@pytest.fixture(scope="module")
def locked(flyer: sd.Robot, q: np.ndarray) -> sd.Robot:
    return flyer.lock(WHEELS, q)


def away(robot: sd.Robot, q: np.ndarray, *displacement: float, frame: str = "tool") -> np.ndarray:
    target = robot.pose(q, frame)
    target[:3, 3] += displacement
    return target


# Plans


def test_a_plan_keeps_zero_momentum_and_its_own_rates(flyer: sd.Robot, q: np.ndarray) -> None:
    plan = control.plan_reach(flyer, q, "tool", away(flyer, q, 0.2, 0.1, 0), 10.0, step=0.1)
    shares = np.abs(control.link_momenta(flyer, plan.q, plan.v)).sum(axis=-2).max(axis=0)
    assert (np.abs(flyer.momentum(plan.q, plan.v)).max(axis=0) < 1e-12 * shares).all()
    com = flyer.center_of_mass(plan.q)
    assert np.abs(com - com[0]).max() < 1e-8  # the mass centre of a robot without momentum rests
    slopes = flyer.difference(plan.q[:-2], plan.q[2:]) / (plan.t[2:] - plan.t[:-2])[:, None]
    assert np.abs(slopes - plan.v[1:-1]).max() < 1e-3 * np.abs(plan.v).max()


def test_between_its_nodes_a_plan_is_smooth(flyer: sd.Robot, q: np.ndarray) -> None:
    plan = control.plan_reach(flyer, q, "tool", away(flyer, q, 0.2, 0, 0), 10.0, step=0.2)
    h = 1e-5
    for t in (0.3, 2.0, 5.55, 9.99):
        before, now, after = (plan.at(t + s) for s in (-h, 0, h))
        assert np.abs(flyer.difference(before.q, after.q)[6:] / (2 * h) - now.v[6:]).max() < 1e-8
        slope = (after.v - before.v)[6:] / (2 * h)
        assert np.abs(slope - now.a[6:]).max() < 1e-6 * max(1.0, np.abs(now.a).max())
    nodes = plan.at(plan.t)
    np.testing.assert_allclose(nodes.q, plan.q, atol=1e-12)
    np.testing.assert_allclose(nodes.v, plan.v, atol=1e-12)
    rests = control.ComputedTorque(flyer, plan).references["v"]
    assert not rests(11.0).any()


def test_what_the_demands_leave_free_can_be_used(flyer: sd.Robot, q: np.ndarray) -> None:
    """Seven joints and three wheels have one motion left over; here it takes the shoulder towards zero."""
    target = away(flyer, q, 0.1, 0, 0)
    plain = control.plan_reach(flyer, q, "tool", target, 10.0, step=0.1)

    def centred(x: np.ndarray) -> np.ndarray:
        return np.concatenate([[-0.5 * x[7]], np.zeros(9)])

    bent = control.plan_reach(flyer, q, "tool", target, 10.0, step=0.1, preferred=centred)
    assert abs(bent.q[-1, 7]) < abs(plain.q[-1, 7]) - 0.01
    assert bent.position_error[-1] < 1e-5
    assert bent.base_turn.max() < 1e-8


def test_rates_stay_within_speed_limits(locked: sd.Robot, q: np.ndarray) -> None:
    plan = control.plan_reach(
        locked, q[:14], "tool", away(locked, q[:14], 0.2, 0, 0)[:3, 3], 0.5, settle=4.0, step=0.02
    )
    assert plan.slowed.any()
    assert (np.abs(plan.v[:, 6:]) <= locked.velocity_limit[6:] * (1 + 1e-12)).all()
    assert plan.position_error[-1] < 1e-3


def test_a_base_position_can_be_held_too() -> None:
    arm = sd.load("dual_arm_flyer")
    q = arm.neutral()
    q[7:] = (1.2, -0.2, 1.4, -0.5, -1.4, -0.4, -0.1, -0.6, -1.5, 1.8, -1.1, 0.0, 0.3, 0.0)
    plan = control.plan_reach(
        arm, q, "left_tool", away(arm, q, 0, -0.1, 0, frame="left_tool"), 8.0, hold="position", step=0.1
    )
    assert np.abs(plan.q[:, 4:7] - q[4:7]).max() < 1e-7
    assert plan.base_turn.max() > 1e-3


def test_too_many_demands_need_a_weight(locked: sd.Robot, q: np.ndarray) -> None:
    target = away(locked, q[:14], 0.05, 0, 0)
    with pytest.raises(sd.ArgumentError, match="9 demands on 7 active components"):
        control.plan_reach(locked, q[:14], "tool", target, 10.0)
    held = control.plan_reach(locked, q[:14], "tool", target, 10.0, hold_weight=0.5, settle=10.0, step=0.1)
    free = control.plan_reach(locked, q[:14], "tool", target, 10.0, hold="none", step=0.1)
    assert held.position_error[-1] < 1e-3
    assert held.base_turn.max() < free.base_turn.max()


# Failures


def test_a_target_out_of_reach_is_told_with_its_reasons(flyer: sd.Robot, q: np.ndarray) -> None:
    with pytest.raises(ReachError, match=r"'tool' ends .* mm .* from its target: .*smallest singular value") as told:
        control.plan_reach(flyer, q, "tool", away(flyer, q, 0, 0.4, 0), 15.0, step=0.15)
    plan = told.value.plan
    assert plan is not None
    assert plan.position_error[-1] > 1e-3
    assert plan.slowed.any()


def test_a_position_limit_that_is_passed_is_named(locked: sd.Robot, q: np.ndarray) -> None:
    with pytest.raises(ReachError, match=r"takes joint 'forearm_roll' past its position limit at t = .* s: 3"):
        control.plan_reach(locked, q[:14], "tool", away(locked, q[:14], 0.5, 0, 0)[:3, 3], 15.0, step=0.1)


def test_a_singular_start_stops_a_plan_unless_damped(flyer: sd.Robot) -> None:
    """Stretched out, the arm cannot be pulled in along its axis: to first order no joint moves the tool that way."""
    straight = flyer.lock(WHEELS, flyer.neutral())
    q = straight.neutral()
    target = away(straight, q, 0, 0, -0.3)[:3, 3]
    with pytest.raises(
        ReachError, match=r"stops at t = 0 s of 10 s: .*6 demands on 7 joint components has rank 5"
    ) as told:
        control.plan_reach(straight, q, "tool", target, 10.0, step=0.1)
    assert told.value.plan is None
    damped = control.plan_reach(straight, q, "tool", target, 10.0, regularization=0.02, settle=5.0, step=0.1)
    assert damped.regularization[0] > 0
    assert damped.position_error[-1] < 1e-6
    assert np.degrees(damped.base_turn.max()) < 0.1
    bent = control.plan_reach(
        straight, q, "tool", away(straight, q, 0, 0, -0.3), 10.0, hold="none", regularization=0.02
    )
    assert bent.regularization[0] > 0
    assert bent.regularization[-1] == 0  # once it is bent the arm is far from that singularity


def test_passing_a_singularity_with_damping_arrives(flyer: sd.Robot, q: np.ndarray) -> None:
    """The way of `test_a_target_out_of_reach...`, which runs into a singularity, with less demanded and damping."""
    target = away(flyer, q, 0, 0.4, 0)
    plan = control.plan_reach(flyer, q, "tool", target[:3, 3], 15.0, step=0.15, regularization=0.05, settle=3.0)
    assert plan.position_error[-1] < 1e-3
    assert np.degrees(plan.base_turn.max()) < 0.01


# Carrying out


def test_what_is_carried_out_is_what_was_planned(locked: sd.Robot, q: np.ndarray) -> None:
    plan = control.plan_reach(locked, q[:14], "tool", away(locked, q[:14], 0.1, 0, 0)[:3, 3], 6.0, step=0.1)
    run = control.execute(plan, step=0.05, record_every=0.1)
    assert np.abs(locked.difference(plan.q, run.trajectory.q)).max() < 1e-5
    assert run.base_impulse == (0.0, 0.0)


def test_friction_in_the_joints_is_fought_by_feedback(locked: sd.Robot, q: np.ndarray) -> None:
    """Damping that the plan knows nothing of acts in the simulation."""
    from dataclasses import replace

    joints = [replace(j, damping=(0.2,)) if j.kind == "revolute" else j for j in locked.model.joints]
    sticky = sd.Robot(replace(locked.model, joints=tuple(joints)))
    plan = control.plan_reach(sticky, q[:14], "tool", away(sticky, q[:14], 0.1, 0, 0)[:3, 3], 8.0, step=0.1)
    off = [control.execute(plan, step=0.05, bandwidth=w, settle=3.0).position_error[-1] for w in (1.0, 4.0)]
    assert off[1] < off[0]
    assert off[1] < 2e-3


# The base's control


def test_inside_its_bounds_the_base_is_left_alone() -> None:
    control_ = BaseControl(angle=0.01, distance=0.1, lead=2.0)
    error = np.array([0.004, -0.004, 0, 0.05, 0, -0.05])
    assert not control_.force(error, np.full(6, 1e-4)).any()
    pushed = control_.force(error, np.array([0.01, 0, 0, 0, 0, -0.1]))
    assert pushed[0] < 0
    assert pushed[5] > 0
    assert not pushed[1:5].any()


def test_thrusters_keep_the_base_and_cost_impulse(flyer: sd.Robot, q: np.ndarray) -> None:
    plan = control.plan_reach(flyer, q, "tool", away(flyer, q, 0.3, 0, 0), 15.0, step=0.15, reactions=False)
    bound = np.radians(1.0)
    thrusters = BaseControl(angle=bound, angular_stiffness=400.0, lead=2.0, moment_limit=5.0)
    free, driven = control.execute(plan, step=0.05), control.execute(plan, step=0.05, base_control=thrusters)
    assert free.base_turn.max() > 4 * bound
    assert driven.base_turn.max() < 2 * bound
    on = np.abs(driven.trajectory.tau[:, :6]).max(axis=-1) > 0
    assert 0.05 < on.mean() < 0.95  # off at first, then on
    assert not on[0]
    moment, force = driven.base_impulse
    assert moment > 0
    assert force == 0
    assert np.abs(driven.trajectory.tau[:, :3]).max() <= 5.0
    # The momentum that came in is what the thrusters gave, at most their impulse.
    assert driven.trajectory.impulse is not None
    gained = driven.trajectory.impulse[-1]
    assert 0 < np.linalg.norm(gained[:3]) <= moment * (1 + 1e-3)
    assert max(driven.momentum_drift) < 1e-7


def test_thrusters_and_joints_are_one_law_as_numbers_and_as_machine_code(
    flyer: sd.Robot, q: np.ndarray, rng: np.random.Generator
) -> None:
    """T_a gives the joints what the plan asks for while the thrusters push; forward dynamics is the judge."""
    plan = control.plan_reach(flyer, q, "tool", away(flyer, q, 0.1, 0, 0), 5.0, step=0.1)
    thrusters = BaseControl(angle=0.01, distance=0.05, angular_stiffness=50.0, lead=2.0, moment_limit=5.0)
    law = WithBaseControl(plan, thrusters, bandwidth=2.0)
    at, v = flyer.integrate(q, 0.05 * rng.standard_normal((8, 16))), 0.1 * rng.standard_normal((8, 16))
    tau = law(2.0, at, v)
    np.testing.assert_allclose(law.compiled()(2.0, at, v), tau, rtol=1e-10, atol=1e-10)
    np.testing.assert_allclose(tau[:, :6], thrusters.force(flyer.difference(q, at)[:, :6], v[:, :6]), atol=1e-12)
    assert 0 < (tau[:, :6] != 0).mean() < 1
    there = plan.at(2.0)
    wanted = there.a + 4.0 * (there.v - v) + 4.0 * flyer.difference(at, np.broadcast_to(there.q, at.shape))
    np.testing.assert_allclose(flyer.forward_dynamics(at, v, tau)[:, 6:], wanted[:, 6:], atol=1e-6)


def test_reaction_mode_needs_no_thrusters(flyer: sd.Robot, q: np.ndarray) -> None:
    plan = control.plan_reach(flyer, q, "tool", away(flyer, q, 0.3, 0, 0), 15.0, step=0.15)
    thrusters = BaseControl(angle=np.radians(0.01), angular_stiffness=1e4, lead=1.0)
    assert control.execute(plan, step=0.1, base_control=thrusters).base_impulse == (0.0, 0.0)


# Least disturbance


def test_a_shaped_way_disturbs_less_than_the_straight_one(locked: sd.Robot, q: np.ndarray) -> None:
    target = away(locked, q[:14], 0.1, 0, 0)
    straight = control.plan_reach(locked, q[:14], "tool", target, 20.0, hold="none", step=0.2)
    shaped = control.plan_least_disturbance(locked, q[:14], "tool", target, 20.0, step=0.4, iterations=8)
    assert shaped.base_turn.max() < straight.base_turn.max() / 5
    assert shaped.position_error[-1] < 1e-6
    assert shaped.angle_error[-1] < 1e-6
    shares = np.abs(control.link_momenta(locked, shaped.q, shaped.v)).sum(axis=-2).max(axis=0)
    assert (np.abs(locked.momentum(shaped.q, shaped.v)).max(axis=0) < 1e-12 * shares).all()


def test_a_plot_of_several_executions_is_drawn(locked: sd.Robot, q: np.ndarray, tmp_path) -> None:
    plan = control.plan_reach(locked, q[:14], "tool", away(locked, q[:14], 0.05, 0, 0)[:3, 3], 4.0, step=0.2)
    run = control.execute(plan, step=0.1)
    assert run.plot(tmp_path / "runs.png", ("again", run)).stat().st_size > 1000
    with pytest.raises(sd.ArgumentError, match=r"cannot write .*runs\.png': there is no folder"):
        run.plot(tmp_path / "none" / "runs.png")
