"""Reaching a target in reaction mode: nothing drives the base, the joints keep it where it is (004 section 7)."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from soadyn.control.feedback.free_root import HoldLike, floating, free_root, rates_named
from soadyn.control.planning.demands import Demands
from soadyn.control.planning.plan import Plan
from soadyn.control.planning.plan_checks import Tolerance, refined
from soadyn.control.planning.reach_rule import Preferred, ReachRule, integrated
from soadyn.errors import ArgumentError
from soadyn.paths import FrameMotion
from soadyn.paths.frame_motion import target_pose
from soadyn.robot import Robot
from soadyn.robot.arguments import arguments
from soadyn.robot.arguments.arguments import FrameLike, PassiveLike
from soadyn.robot.arguments.plain_values import flag, positive, real
from soadyn.robot.checked import checked_robot

TOLERANCE: Tolerance = (1e-3, float(np.radians(0.1)))  # 1 mm, 0.1 deg


def plan_reach(
    robot: Robot,
    q0: ArrayLike,
    frame: FrameLike,
    target: ArrayLike,
    duration: float,
    *,
    passive: PassiveLike | None = None,
    hold: HoldLike | None = None,
    hold_weight: float | None = None,
    settle: float = 0.0,
    step: float = 0.02,
    bandwidth: float = 2.0,
    regularization: float = 0.0,
    weights: ArrayLike | None = None,
    preferred: Preferred | None = None,
    reactions: bool = True,
    tolerance: Tolerance = TOLERANCE,
) -> Plan:
    """A motion that takes a frame to a target while the joints' own reactions hold the base, if it floats.

    q0: where the robot is, (nq,), at rest. target: a pose (4, 4) or only a position (3,), in the world.
    duration, settle: seconds of the way, and after it to take away what is left.
    step: of the integration; halved as long as the motion's own error is too large and that helps.
    passive, hold: joints without actuators, and which of them to hold; see `Demands`. By default the free root, if the
        robot has one, and its attitude.
    hold_weight: where there are more demands than joints, how much the held components' rates count beside the
        frame's; they are then kept small, not brought back.
    bandwidth: of the errors fed back, rad/s.
    regularization: λ near singularities; without it a singular Jacobian is an error.
    weights: of the active components, (N_a,); by default 1 / (speed limit)², or 1 where a limit is missing.
    preferred: q -> (N_a,), rates wanted as far as the demands leave the joints free.
    reactions: False plans as if the passive joints could not move, with the Jacobian of a fixed base, as a planner does
        that knows nothing of reactions; `execute` shows what comes of it.
    tolerance: metres and radians within which it must arrive.

    Rates stay within the speed limits. `ReachError` says where and why a motion does not arrive, passes a position
    limit or takes more force than a motor has, or what shows that it cannot be: a joint that winds up, a mass centre
    that moves at zero momentum, steps too long for what happens between them. It holds the motion as `plan`.

    >>> import soadyn as sd
    >>> flyer = sd.load("free_flyer")
    >>> q = flyer.neutral()
    >>> q[7:14] = -0.3, -0.6, -1.3, -1.6, -0.2, 1.4, 1.2
    >>> there = flyer.pose(q, "tool")[:3, 3] + [0.1, 0, 0]
    >>> without_wheels = flyer.lock(["wheel_x", "wheel_y", "wheel_z"], q)
    >>> plan = sd.control.plan_reach(without_wheels, q[:14], "tool", there, 8.0, step=0.1)
    >>> bool(plan.position_error[-1] < 1e-6), bool(plan.base_turn.max() < 1e-6)
    (True, True)
    """
    hold = hold if flag("reactions", reactions) else "none"
    demands, start, motion = reach_demands(robot, q0, frame, target, duration, passive, hold)
    rule = ReachRule(demands, motion, start, bandwidth, regularization, weights, preferred, hold_weight, reactions)
    rows, joints = len(demands.names), len(demands.active)
    if rows > joints and hold_weight is None:
        raise ArgumentError(
            f"{rows} demands on {joints} active components of robot {robot.name!r}: not all can be met. Hold less, "
            "give hold_weight= for the nearest motion, or use plan_least_disturbance"
        )
    return refined(lambda h: integrated(rule, settle, h), step, tolerance, zero_momentum=reactions)


def reach_demands(
    robot: Robot,
    q0: ArrayLike,
    frame: FrameLike,
    target: ArrayLike,
    duration: float,
    passive: PassiveLike | None = None,
    hold: HoldLike | None = None,
) -> tuple[Demands, np.ndarray, FrameMotion]:
    """The demands of reaching a target, the start and the frame's straight way to the target, all checked."""
    checked_robot(robot, "a plan")
    meaning = f"the {robot.nq} coordinates of robot {robot.name!r}"
    start = real("q0", q0, robot.nq, meaning=meaning, of="a plan")
    if start.shape != (robot.nq,):
        raise ArgumentError(f"a plan starts at one configuration, got a batch of shape {start.shape}")
    if not np.isfinite(start).all():
        raise ArgumentError(f"a plan starts at finite coordinates, got q0 = {start.tolist()}")
    start = robot.integrate(start, np.zeros(robot.nv))  # quaternions of unit length
    arguments.frame(robot.model, frame)
    begin = robot.pose(start, frame)
    pose, part = target_pose(target, begin, "target", "a plan")
    if hold is None:
        hold = "attitude" if floating(robot) else "none"
    demands = Demands(robot, frame, part, passive, hold)
    _refuse_lasting_momentum(demands)
    return demands, start, FrameMotion(begin, pose, positive("duration", duration))


def _refuse_lasting_momentum(demands: Demands) -> None:
    """v_p = J_D v_a stays true only where nothing changes the passive joints' momentum: on a free root, weightless."""
    robot = demands.robot
    if not demands.mask.any():
        return
    root = free_root(robot, "planning at zero momentum")
    if demands.passive_places.tolist() != list(root):
        raise ArgumentError(
            "planning at zero momentum takes the free root as the passive joint, all of it and nothing else; "
            f"passive names {', '.join(map(repr, rates_named(robot, demands.passive_places)))}"
        )
    if robot.gravity.any():
        raise ArgumentError(
            f"planning at zero momentum needs a robot without weight, but gravity is {robot.gravity.tolist()}; "
            "see with_gravity"
        )
