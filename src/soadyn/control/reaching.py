"""Reaching a target in reaction mode: the base is not driven, the joints keep it where it is (004 section 7).

Planned at the level of rates, at zero momentum: at every moment the demanded rows of

    [J_G; J_D] v_a = [V + k (pose error); k (base error)]

are solved for the active rates; the passive ones follow as v_p = J_D v_a, and all is integrated on the manifold. The
errors fed back take away what integration loses.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, final

import numpy as np
from numpy.typing import ArrayLike

from soadyn.control.course import Course, pose_error, target_pose
from soadyn.control.demands import Demands, FrameRows, HoldLike, free_root, rates_named
from soadyn.control.least_squares import Solution, solve_demands
from soadyn.control.plan import Plan, ReachError, checked, positive
from soadyn.errors import ArgumentError, SingularError
from soadyn.evaluation import arguments
from soadyn.evaluation.arguments import FrameLike, PassiveLike
from soadyn.robot import Robot

Tolerance = tuple[float, float]
TOLERANCE: Tolerance = (1e-3, float(np.radians(0.1)))  # 1 mm, 0.1 deg
Preferred = Callable[[np.ndarray], ArrayLike]


@final
@dataclass(frozen=True, eq=False)
class Rule:
    """How a plan decides on the active rates."""

    demands: Demands
    course: Course
    q0: np.ndarray
    gain: float
    hold_gain: float
    damping: float
    weights: np.ndarray
    row_weights: np.ndarray
    preferred: Preferred | None
    limits: np.ndarray
    fixed_base: bool

    def rates(self, t: float, q: np.ndarray) -> tuple[np.ndarray, Solution, float, bool]:
        """The rates of all joints at t, the solution behind them, its damping, and whether limits act."""
        demands, robot = self.demands, self.demands.robot
        wanted = self._wanted(t, q)
        if self.fixed_base:
            J_D = np.zeros((len(demands.passive_places), len(demands.active)))
            J = robot.jacobian(q, demands.frame)[demands.frame_rows][:, demands.active]
        else:
            J_G, J_D = demands.jacobians(q)
            J = demands.rows_of(J_G, J_D)
        x2 = None if self.preferred is None else self.preferred(q)
        damping = self._damping(J)
        solution = solve_demands(
            J,
            wanted,
            weights=self.weights,
            row_weights=self.row_weights,
            damping=damping,
            preferred=x2,
            names=demands.names,
        )
        v_a = solution.x
        excess = float(np.max(np.abs(v_a) / self.limits, initial=0.0))
        if excess > 1:
            v_a = v_a / excess
        return demands.whole(v_a, J_D @ v_a), solution, damping, excess > 1

    def _wanted(self, t: float, q: np.ndarray) -> np.ndarray:
        demands, robot = self.demands, self.demands.robot
        of_frame = self.course.twist(t) + self.gain * pose_error(robot.pose(q, demands.frame), self.course.pose(t))
        if self.fixed_base:
            return of_frame[demands.frame_rows]
        # Back to the start, in the axes the rates have; for small errors that is the shortest way.
        of_passive = self.hold_gain * robot.difference(q, self.q0)[demands.passive_places]
        return demands.stacked(of_frame, of_passive)

    def _damping(self, J: np.ndarray) -> float:
        """λ² = λ₀² (1 - (σ / 2 λ₀)²) near a singularity (Nakamura and Hanafusa 1986), nothing far from it."""
        if not self.damping:
            return 0.0
        s = np.linalg.svd(self.row_weights[:, None] * J / np.sqrt(self.weights), compute_uv=False)[-1]
        return float(self.damping * np.sqrt(max(0.0, 1 - (s / (2 * self.damping)) ** 2)))


def plan_reach(
    robot: Robot,
    q0: ArrayLike,
    frame: FrameLike,
    target: ArrayLike,
    duration: float,
    *,
    passive: PassiveLike = ("root",),
    hold: HoldLike = "attitude",
    hold_weight: float | None = None,
    settle: float = 0.0,
    step: float = 0.02,
    gain: float = 2.0,
    damping: float = 0.0,
    weights: ArrayLike | None = None,
    preferred: Preferred | None = None,
    tolerance: Tolerance = TOLERANCE,
) -> Plan:
    """A motion that takes a frame to a target while the joints' own reactions hold the base.

    q0: where the robot is, (nq,), at rest. target: a pose (4, 4) or only a position (3,), in the world.
    duration, settle: seconds of the way, and after it to take away what is left. step: of the integration.
    passive, hold: joints without actuators, and which of them to hold; see `Demands`.
    hold_weight: where there are more demands than joints, how much the held components' rates count beside the
        frame's; they are then kept small, not brought back.
    gain: of the errors fed back, 1/s. damping: near singularities; without it a singular Jacobian is an error.
    weights: of the active components, (N_a,); by default 1 / (speed limit)², or 1 where a limit is missing.
    preferred: q -> (N_a,), rates wanted as far as the demands leave the joints free.
    tolerance: metres and radians within which it must arrive.

    Rates stay within the speed limits. A motion that does not arrive, or passes a position limit, raises `ReachError`,
    which says where and why and holds the motion as `plan`.

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
    rule = _rule(robot, q0, frame, target, duration, passive, hold, gain, damping, weights, preferred, hold_weight)
    rows, joints = len(rule.demands.names), len(rule.demands.active)
    if rows > joints and hold_weight is None:
        raise ArgumentError(
            f"{rows} demands on {joints} active components of robot {robot.name!r}: not all can be met. Hold less, "
            "give hold_weight= for the nearest motion, or use plan_least_disturbance"
        )
    return checked(_integrated(rule, settle, step), tolerance)


def plan_naive(
    robot: Robot,
    q0: ArrayLike,
    frame: FrameLike,
    target: ArrayLike,
    duration: float,
    *,
    passive: PassiveLike = ("root",),
    step: float = 0.02,
    gain: float = 2.0,
    damping: float = 0.0,
    weights: ArrayLike | None = None,
    tolerance: Tolerance = TOLERANCE,
) -> Plan:
    """The same as if the passive joints could not move: resolved rates with the Jacobian of a fixed base.

    What a planner does that knows nothing of reactions; `execute` shows what comes of it. Arguments as `plan_reach`.

    >>> import numpy as np, soadyn as sd
    >>> arm = sd.load("ets_vii")
    >>> q = arm.neutral()
    >>> q[7:] = 0.7, -1.2, -0.3, 1.5, 0.0, 0.6
    >>> target = arm.pose(q, "link_ee")
    >>> target[0, 3] += 0.3
    >>> plan = sd.control.plan_naive(arm, q, "link_ee", target, 20.0, step=0.2)
    >>> bool(plan.position_error[-1] < 1e-4), float(plan.base_turn.max())
    (True, 0.0)
    """
    rule = _rule(
        robot, q0, frame, target, duration, passive, "none", gain, damping, weights, None, None, fixed_base=True
    )
    return checked(_integrated(rule, 0.0, step), tolerance)


def reach_demands(
    robot: Robot, q0: ArrayLike, frame: FrameLike, target: ArrayLike, passive: PassiveLike, hold: HoldLike
) -> tuple[Demands, np.ndarray, np.ndarray]:
    """The demands of reaching a target, the start and the target as a pose, all checked."""
    start = arguments.numbers("q0", q0, robot.nq, meaning=f"the {robot.nq} coordinates of robot {robot.name!r}")
    if start.shape != (robot.nq,):
        raise ArgumentError(f"a plan starts at one configuration, got a batch of shape {start.shape}")
    if not np.isfinite(start).all():
        raise ArgumentError(f"a plan starts at finite coordinates, got q0 = {start.tolist()}")
    start = robot.integrate(start, np.zeros(robot.nv))  # quaternions of unit length
    part: FrameRows = "position" if np.shape(target) == (3,) else "pose"
    demands = Demands(robot, frame, part, passive, hold)
    _refuse_lasting_momentum(demands)
    return demands, start, target_pose(target, robot.pose(start, frame))


def _refuse_lasting_momentum(demands: Demands) -> None:
    """v_p = J_D v_a stays true only where nothing changes the passive joints' momentum: on a free root, weightless."""
    robot = demands.robot
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


def _rule(
    robot: Robot,
    q0: ArrayLike,
    frame: FrameLike,
    target: ArrayLike,
    duration: float,
    passive: PassiveLike,
    hold: HoldLike,
    gain: float,
    damping: float,
    weights: ArrayLike | None,
    preferred: Preferred | None,
    hold_weight: float | None,
    fixed_base: bool = False,
) -> Rule:
    demands, start, pose = reach_demands(robot, q0, frame, target, passive, hold)
    limits = robot.velocity_limit[demands.active]
    limits = np.where(limits > 0, limits, np.inf)  # files write 0 where they mean none
    usual = limits**-2.0 if np.isfinite(limits).all() else np.ones(len(limits))
    W = usual if weights is None else arguments.numbers("weights", weights, len(limits), meaning="one for each joint")
    counts = np.ones(len(demands.names))
    if hold_weight is not None:
        counts[len(demands.frame_rows) :] = positive("hold_weight", hold_weight)
    course = Course(robot.pose(start, frame), pose, positive("duration", duration))
    return Rule(
        demands,
        course,
        start,
        positive("gain", gain),
        # Where not all can be met, a base that is pulled back would keep the frame from its target.
        positive("gain", gain) if hold_weight is None else 0.0,
        positive("damping", damping, zero=True),
        W,
        counts,
        preferred,
        limits,
        fixed_base,
    )


def _integrated(rule: Rule, settle: float, step: float) -> Plan:
    """From node to node; the classical step of fourth order, whose small error the feedback takes away."""
    robot = rule.demands.robot
    end = rule.course.duration + positive("settle", settle, zero=True)
    count = max(1, int(np.ceil(end / positive("step", step) * (1 - 1e-9))))
    times = np.linspace(0.0, end, count + 1)
    h = end / count
    q, nodes = rule.q0, []
    for t in times.tolist():
        try:
            v, solution, damping, slowed = rule.rates(t, q)
            nodes.append((q, v, float(solution.smallest), damping, slowed))
            if t == times[-1]:
                break
            v2 = rule.rates(t + h / 2, robot.integrate(q, h / 2 * v))[0]
            v3 = rule.rates(t + h / 2, robot.integrate(q, h / 2 * v2))[0]
            v4 = rule.rates(t + h, robot.integrate(q, h * v3))[0]
        except SingularError as error:
            raise _stopped(rule, times, nodes, t, error) from None
        q = robot.integrate(q, h / 6 * (v + 2 * v2 + 2 * v3 + v4))
    return _plan(rule, times, nodes)


def _plan(rule: Rule, times: np.ndarray, nodes: list[Any]) -> Plan:
    q, v, smallest, damping, slowed = (np.array(column) for column in zip(*nodes, strict=True))
    return Plan(rule.demands, rule.course.target, times[: len(nodes)], q, v, smallest, damping, slowed)


def _stopped(rule: Rule, times: np.ndarray, nodes: list[Any], t: float, why: SingularError) -> ReachError:
    error = ReachError(f"the motion stops at t = {t:.3g} s of {times[-1]:.3g} s: {why}")
    error.plan = _plan(rule, times, nodes) if nodes else None
    return error
