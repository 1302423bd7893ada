"""The active rates of a reach at every moment, and the plan that integrating them gives (004 section 7).

At zero momentum the demanded rows of

    [J_G; J_D] v_a = [V + k (pose error); k (base error)]

are solved for the active rates; the passive ones follow as v_p = J_D v_a.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, final

import numpy as np
from numpy.typing import ArrayLike

from soadyn.control.planning.course import Course
from soadyn.control.planning.demands import Demands
from soadyn.control.planning.least_squares import Solution, positive_weights, solve_demands
from soadyn.control.planning.plan import Plan, ReachError
from soadyn.errors import ArgumentError, SingularError
from soadyn.mechanics.spatial import rigid
from soadyn.model.steppers import Moment, rk4_along
from soadyn.robot.arguments.plain_values import positive
from soadyn.simulation.run.times import checked_steps

Preferred = Callable[[np.ndarray], ArrayLike]


@final
@dataclass(frozen=True, eq=False)
class ReachRule:
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
        of_frame = self.course.twist(t) + self.gain * rigid.error(robot.pose(q, demands.frame), self.course.pose(t))
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


def rule_of(
    demands: Demands,
    start: np.ndarray,
    target: np.ndarray,
    duration: float,
    gain: float,
    damping: float,
    weights: ArrayLike | None,
    preferred: Preferred | None = None,
    hold_weight: float | None = None,
    fixed_base: bool = False,
) -> ReachRule:
    """The rule for a straight way of the demands' frame to the target, its arguments checked; see `plan_reach`."""
    if preferred is not None and not callable(preferred):
        raise ArgumentError(f"preferred must be a function of q, got {preferred!r:.80}")
    robot = demands.robot
    limits = robot.velocity_limit[demands.active]
    usual = limits**-2.0 if np.isfinite(limits).all() else np.ones(len(limits))
    counts = np.ones(len(demands.names))
    if hold_weight is not None:
        counts[len(demands.frame_rows) :] = positive("hold_weight", hold_weight)
    return ReachRule(
        demands,
        Course(robot.pose(start, demands.frame), target, positive("duration", duration)),
        start,
        positive("gain", gain),
        # Where not all can be met, a base that is pulled back would keep the frame from its target.
        positive("gain", gain) if hold_weight is None else 0.0,
        positive("damping", damping, zero=True),
        usual if weights is None else positive_weights("weights", weights, len(limits)),
        counts,
        preferred,
        limits,
        fixed_base,
    )


def integrated(rule: ReachRule, settle: float, step: float) -> Plan:
    """The plan from node to node, by Runge-Kutta steps; what they lose of the pose, the feedback takes away."""
    robot = rule.demands.robot
    end = rule.course.duration + positive("settle", settle, zero=True)
    count = max(1, int(np.ceil(checked_steps(end, positive("step", step), "plan") * (1 - 1e-9))))
    times = np.linspace(0.0, end, count + 1)
    h = end / count
    nodes: list[Any] = []
    last: list[Any] = []  # what was found with the rates: the solution, its damping, whether limits act

    def rates(t: float, q: np.ndarray) -> np.ndarray:
        v, *last[:] = rule.rates(t, q)
        return v

    t = 0.0
    try:
        now = Moment(t, rule.q0, rates(t, rule.q0), np.zeros(()))
        for t in times.tolist():
            solution, damping, slowed = last
            nodes.append((now.q, now.v, float(solution.smallest), damping, slowed))
            if t < times[-1]:
                now = rk4_along(robot.integrate, rates, now, h)
    except SingularError as error:
        raise _stopped(rule, times, nodes, t, error) from None
    return _plan(rule, times, nodes)


def _plan(rule: ReachRule, times: np.ndarray, nodes: list[Any]) -> Plan:
    q, v, smallest, damping, slowed = (np.array(column) for column in zip(*nodes, strict=True))
    return Plan(rule.demands, rule.course.target, times[: len(nodes)], q, v, smallest, damping, slowed)


def _stopped(rule: ReachRule, times: np.ndarray, nodes: list[Any], t: float, why: SingularError) -> ReachError:
    error = ReachError(f"the motion stops at t = {t:.3g} s of {times[-1]:.3g} s: {why}")
    error.plan = _plan(rule, times, nodes) if nodes else None
    return error
