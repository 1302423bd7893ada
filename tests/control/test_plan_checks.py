"""Plans that cannot be: a motion is refused if its momentum, its joints' ways or its steps do not fit."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import soadyn as sd
from soadyn import control
from soadyn.control import Plan, ReachError
from soadyn.control.planning.plan_checks import LONGEST_WAY, checked
from soadyn.control.planning.reaching import TOLERANCE

BENT = (-0.3, -0.6, -1.3, -1.6, -0.2, 1.4, 1.2)


def satellite() -> sd.Robot:
    """A cube of 500 kg with an arm of 30 kg and 3 m, whose joints have no limits."""
    b = sd.Builder("satellite", gravity=(0, 0, 0))
    b.link("bus", sd.Body(500.0, inertia=np.eye(3) * 500 / 6), joint="free", joint_name="root")
    segment = sd.Body(10.0, com=(0, 0, 0.5), inertia=np.diag([10 / 12, 10 / 12, 0.01]))
    parent = "bus"
    for i, axis in enumerate([(0, 0, 1), (0, 1, 0), (0, 1, 0)]):
        origin = (0, 0, 1.0 if i else 0.5)
        b.link(f"segment{i}", segment, parent=parent, axis=axis, origin=origin, joint_name=f"joint{i}")
        parent = f"segment{i}"
    b.frame("tool", parent, (0, 0, 1.0))
    return sd.build(b)


def test_a_target_that_no_way_leads_to_is_refused() -> None:
    """The tool is at most 3.5 m from the bus's centre, which is near the mass centre, which rests."""
    robot = satellite()
    q = robot.neutral()
    q[7:] = -1.06, 1.4, 0.85
    target = robot.pose(q, "tool")[:3, 3] + [2.6, 0.4, -1.5]
    assert np.linalg.norm(target - robot.center_of_mass(q)) > 3.6
    with pytest.raises(ReachError, match="the motion of 'tool'") as refused:
        control.plan_reach(robot, q, "tool", target, 2.0, hold="none", step=0.1, settle=40.0)
    assert refused.value.plan is not None


@pytest.fixture(scope="module")
def plan() -> Plan:
    flyer = sd.load("free_flyer")
    q = flyer.neutral()
    q[7:14] = BENT
    target = flyer.pose(q, "tool")
    target[:3, 3] += 0.3, 0.4, -0.2
    return control.plan_reach(flyer, q, "tool", target, 15.0, step=0.15)


def spoilt(plan: Plan, **changed: np.ndarray) -> Plan:
    """The plan with other states that arrives all the same."""
    q = changed.get("q", plan.q)
    return replace(plan, **changed, target=plan.robot.pose(q[-1], plan.demands.frame))


def test_wheels_may_turn_as_often_as_they_like(plan: Plan) -> None:
    wheels = np.abs(np.diff(plan.q[:, 14:], axis=0)).sum(axis=0)
    assert wheels.max() > LONGEST_WAY
    assert checked(plan, TOLERANCE) is plan


def test_a_joint_that_winds_up_is_refused(plan: Plan) -> None:
    q = np.array(plan.q)
    free = replace(plan.robot.model.joints[4], lower=(-np.inf,), upper=(np.inf,))  # a joint of the arm
    joints = tuple(free if joint.name == free.name else joint for joint in plan.robot.model.joints)
    robot = sd.Robot(replace(plan.robot.model, joints=joints))
    place = robot.joint_coordinates(free.name)[0]
    q[:, place] += np.linspace(0.0, 100.0, len(q))
    wound = spoilt(replace(plan, demands=replace(plan.demands, robot=robot)), q=q)
    with pytest.raises(ReachError, match=rf"takes joint '{free.name}' 1\d\d rad or m to and fro; at most 62\.8 are"):
        checked(wound, TOLERANCE)
    with pytest.raises(ReachError, match="to and fro"):
        checked(wound, TOLERANCE, zero_momentum=False)


def test_a_mass_centre_that_moves_is_refused(plan: Plan) -> None:
    q = np.array(plan.q)
    q[:, 4] += np.linspace(0.0, 0.5, len(q))  # the base and all with it, along x
    moved = spoilt(plan, q=q)
    with pytest.raises(
        ReachError,
        match=r"moves the robot's mass centre by 0\.5 m, though its momentum is zero; at most 0\.001 m",
    ) as refused:
        checked(moved, TOLERANCE)
    assert refused.value.plan is moved
    assert checked(moved, (0.6, 1.0)) is moved
    assert checked(moved, TOLERANCE, zero_momentum=False) is moved


def test_joints_that_move_otherwise_than_their_rates_are_refused(plan: Plan) -> None:
    """To and fro between the nodes: the mass centre would not tell, since the base is moved along with it."""
    v = np.array(plan.v)
    v[::2, 6] += 1.0  # the shoulder's rate at every second node
    with pytest.raises(
        ReachError, match=r"too rough for steps of 0\.15 s: its rates and .* turns of the base of .* deg"
    ):
        checked(spoilt(plan, v=v), TOLERANCE)


def test_longer_steps_of_the_same_motion_are_judged_rougher(plan: Plan) -> None:
    coarse = replace(plan, t=plan.t[::25], q=plan.q[::25], v=plan.v[::25])
    with pytest.raises(ReachError, match=r"too rough for steps of 3\.75 s"):
        checked(coarse, (1e-3, 1e-4))
    assert checked(replace(plan, t=plan.t[::2], q=plan.q[::2], v=plan.v[::2]), TOLERANCE)


def test_a_naive_plan_moves_the_mass_centre_by_design(plan: Plan) -> None:
    naive = control.plan_reach(plan.robot, plan.q[0], "tool", plan.target, 15.0, step=0.15, reactions=False)
    centre = naive.robot.center_of_mass(naive.q)
    assert np.linalg.norm(centre[-1] - centre[0]) > 10 * TOLERANCE[0]


@pytest.mark.parametrize("tolerance", [1e-3, (1e-3,), (1e-3, 0.0), (np.nan, 1.0), ("a", "b"), (1j, 1.0), None])
def test_a_tolerance_is_two_positive_numbers(plan: Plan, tolerance: object) -> None:
    with pytest.raises(sd.ArgumentError, match=r"tolerance must be two positive numbers, \(metres, radians\), got"):
        checked(plan, tolerance)  # type: ignore[arg-type]


def test_plans_of_endless_steps_are_refused(plan: Plan) -> None:
    for make in (control.plan_reach, control.plan_least_disturbance):
        with pytest.raises(sd.ArgumentError, match="step = 1e-300 s divides the duration of 15 s into"):
            make(plan.robot, plan.q[0], "tool", plan.target, 15.0, step=1e-300)
