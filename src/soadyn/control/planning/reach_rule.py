"""The active rates of a reach at every moment, and the plan that integrating them gives (004 section 7).

At zero momentum the demanded rows of

    [J_G; J_D] v_a = [V + ω (pose error); ω (base error)]

are solved for the active rates; the passive ones follow as v_p = J_D v_a.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, final

import numpy as np
from numpy.typing import ArrayLike

from soadyn.control.planning.demands import Demands
from soadyn.control.planning.least_squares import Solution, solve_demands, weights_of
from soadyn.control.planning.plan import Plan, ReachError
from soadyn.errors import ArgumentError, SingularError
from soadyn.fork_safe import cached_property
from soadyn.mechanics.spatial import rigid
from soadyn.model.steppers import Moment, rk4_along
from soadyn.paths import FrameMotion
from soadyn.robot.arguments.plain_values import positive
from soadyn.simulation.run.times import checked_steps

Preferred = Callable[[np.ndarray], ArrayLike]


@final
@dataclass(frozen=True, eq=False)
class ReachRule:
    """How a plan decides on the active rates; `plan_reach` says what its figures are."""

    demands: Demands
    motion: FrameMotion
    q0: np.ndarray
    bandwidth: float = 2.0
    regularization: float = 0.0
    weights: ArrayLike | None = None
    preferred: Preferred | None = None
    hold_weight: float | None = None
    reactions: bool = True

    def __post_init__(self) -> None:
        if self.preferred is not None and not callable(self.preferred):
            raise ArgumentError(f"preferred must be a function of q, got {self.preferred!r:.80}")
        positive("bandwidth", self.bandwidth)
        positive("regularization", self.regularization, zero=True)

    @cached_property
    def limits(self) -> np.ndarray:
        """Of the active joints' speeds."""
        return self.demands.robot.velocity_limit[self.demands.active]

    @cached_property
    def joint_weights(self) -> np.ndarray:
        """How much each active rate counts: what it takes of its limit, if nothing else is said."""
        usual = self.limits**-2.0 if np.isfinite(self.limits).all() else 1.0
        given = usual if self.weights is None else self.weights
        return weights_of("weights", given, len(self.limits), "active components")

    @cached_property
    def row_weights(self) -> np.ndarray:
        """How much each demand counts."""
        counts = np.ones(len(self.demands.names))
        if self.hold_weight is not None:
            counts[len(self.demands.frame_rows) :] = positive("hold_weight", self.hold_weight)
        return counts

    def rates(self, t: float, q: np.ndarray) -> tuple[np.ndarray, Solution, float, bool]:
        """The rates of all joints at t, the solution behind them, its regularization, and whether limits act."""
        demands, robot = self.demands, self.demands.robot
        wanted = self._wanted(t, q)
        if not self.reactions:
            J_D = np.zeros((len(demands.passive_places), len(demands.active)))
            J = robot.jacobian(q, demands.frame)[demands.frame_rows][:, demands.active]
        else:
            J_G, J_D = demands.jacobians(q)
            J = demands.rows_of(J_G, J_D)
        x2 = None if self.preferred is None else self.preferred(q)
        regularization = self._regularization(J)
        solution = solve_demands(
            J,
            wanted,
            weights=self.joint_weights,
            row_weights=self.row_weights,
            regularization=regularization,
            preferred=x2,
            names=demands.names,
        )
        v_a = solution.x
        excess = float(np.max(np.abs(v_a) / self.limits, initial=0.0))
        if excess > 1:
            v_a = v_a / excess
        return demands.whole(v_a, J_D @ v_a), solution, regularization, excess > 1

    def _wanted(self, t: float, q: np.ndarray) -> np.ndarray:
        demands, robot = self.demands, self.demands.robot
        error = rigid.error(robot.pose(q, demands.frame), self.motion.pose(t))
        of_frame = self.motion.twist(t) + self.bandwidth * error
        if not self.reactions:
            return of_frame[demands.frame_rows]
        # Back to the start, in the axes the rates have; for small errors that is the shortest way. Where not all can be
        # met, a base that is pulled back would keep the frame from its target.
        back = self.bandwidth if self.hold_weight is None else 0.0
        of_passive = back * robot.difference(q, self.q0)[demands.passive_places]
        return demands.stacked(of_frame, of_passive)

    def _regularization(self, J: np.ndarray) -> float:
        """λ² = λ₀² (1 - (σ / 2 λ₀)²) near a singularity (Nakamura and Hanafusa 1986), nothing far from it."""
        if not self.regularization:
            return 0.0
        s = np.linalg.svd(self.row_weights[:, None] * J / np.sqrt(self.joint_weights), compute_uv=False)[-1]
        return float(self.regularization * np.sqrt(max(0.0, 1 - (s / (2 * self.regularization)) ** 2)))


def integrated(rule: ReachRule, settle: float, step: float) -> Plan:
    """The plan from node to node, by Runge-Kutta steps; what they lose of the pose, the feedback takes away."""
    robot = rule.demands.robot
    end = rule.motion.duration + positive("settle", settle, zero=True)
    count = max(1, int(np.ceil(checked_steps(end, positive("step", step), "plan") * (1 - 1e-9))))
    times = np.linspace(0.0, end, count + 1)
    h = end / count
    nodes: list[Any] = []
    last: list[Any] = []  # what was found with the rates: the solution, its regularization, whether limits act

    def rates(t: float, q: np.ndarray) -> np.ndarray:
        v, *last[:] = rule.rates(t, q)
        return v

    t = 0.0
    try:
        now = Moment(t, rule.q0, rates(t, rule.q0), np.zeros(()))
        for t in times.tolist():
            solution, regularization, slowed = last
            nodes.append((now.q, now.v, float(solution.smallest), regularization, slowed))
            if t < times[-1]:
                now = rk4_along(robot.integrate, rates, now, h)
    except SingularError as error:
        done = _plan(rule, times, nodes) if nodes else None
        raise ReachError(f"the motion stops at t = {t:.3g} s of {end:.3g} s: {error}", done) from None
    return _plan(rule, times, nodes)


def _plan(rule: ReachRule, times: np.ndarray, nodes: list[Any]) -> Plan:
    q, v, smallest, regularization, slowed = (np.array(column) for column in zip(*nodes, strict=True))
    return Plan(rule.demands, rule.motion.end, times[: len(nodes)], q, v, smallest, regularization, slowed)
