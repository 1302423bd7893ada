"""Least disturbance of a base that too few joints cannot hold: the joints' paths are optimised.

The active joints follow  q_a(t) = q_a(0) + Σ_k c_k φ_k(σ(t)),  φ₀ = σ, φ_k = sin(k π σ). The base's turn follows from
v_p = J_D v_a, which cannot be integrated to a function of q_a: two paths to one end turn the base differently. So

    minimise  w² mean |turn|² + e² |c|²    such that the frame arrives

by constrained Gauss-Newton steps; a batch of motions, each with one coefficient changed, gives all derivatives.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import final

import numpy as np
from numpy.typing import ArrayLike

from soadyn.control.feedback.free_root import HoldLike
from soadyn.control.planning.demands import Demands
from soadyn.control.planning.plan import Plan, ReachError
from soadyn.control.planning.plan_checks import Tolerance, refined
from soadyn.control.planning.reaching import TOLERANCE, reach_demands
from soadyn.control.planning.singularity_maps import measure_singularity
from soadyn.errors import ArgumentError
from soadyn.mechanics.spatial import rigid
from soadyn.model.steppers import Moment, rk4_along
from soadyn.paths.scaling import smooth
from soadyn.robot import Robot
from soadyn.robot.arguments.arguments import FrameLike, PassiveLike
from soadyn.robot.arguments.plain_values import positive, whole
from soadyn.simulation.run.times import checked_steps

DIFFERENCE = 1e-6  # change of a coefficient by which derivatives are found
LONGEST = 0.3  # rad or m, the longest change of a coefficient in one iteration
MARGIN = 0.05  # rad or m, kept from position limits
COARSE = 24  # steps of a motion while its shape is looked for
# Weights of the disturbance, used one after the other: the first problem is easy, the last is the one to solve.
WEIGHTS = (1.0, 10.0, 100.0)


@final
@dataclass(frozen=True, eq=False)
class Shapes:
    """Motions of the active joints by coefficients c (..., N_a, 1 + harmonics), and what follows from them."""

    demands: Demands
    q0: np.ndarray
    target: np.ndarray
    duration: float
    harmonics: int
    steps: int

    def active(self, c: np.ndarray, t: float) -> tuple[np.ndarray, np.ndarray]:
        """How far the active joints have gone at t, and their rates, (..., N_a)."""
        sigma, rate, _ = smooth(t / self.duration)
        k = np.pi * np.arange(1, self.harmonics + 1)
        phi = np.concatenate([[sigma], np.sin(k * sigma)])
        slope = np.concatenate([[1.0], k * np.cos(k * sigma)]) * rate / self.duration
        return c @ phi, c @ slope

    def motion(self, c: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Times (T,), coordinates (T, ..., nq) and rates (T, ..., nv) of motions at zero momentum."""
        demands, robot = self.demands, self.demands.robot
        times = np.linspace(0.0, self.duration, self.steps + 1)
        h = self.duration / self.steps
        q = np.broadcast_to(self.q0, (*c.shape[:-2], robot.nq)).copy()
        still = np.zeros(len(demands.active))
        first = self.q0[demands.active_coordinates]

        def rates(t: float, q: np.ndarray) -> np.ndarray:
            """The passive rates with the active joints where they are at t, which they are put to."""
            way, v_a = self.active(c, t)
            q[..., demands.active_coordinates] = first + way
            return demands.whole(still, robot.disturbance_jacobian_times(q, v_a, passive=demands.mask))

        now = Moment(0.0, q, rates(0.0, q), np.zeros(()))
        qs, vs = [], []
        for t in times.tolist():
            v = now.v.copy()
            v[..., demands.active] = self.active(c, t)[1]
            qs.append(now.q)
            vs.append(v)
            if t < self.duration:
                now = rk4_along(robot.integrate, rates, now, h)
        return times, np.array(qs), np.array(vs)

    def results(self, c: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """What is left to the target (..., rows of the frame), and what should be small on the way (..., m).

        That is the held components' motion, and how far joints go beyond their position limits less `MARGIN`.
        """
        demands, robot, places = self.demands, self.demands.robot, self.demands.active_coordinates
        _, q, _ = self.motion(c)
        left = rigid.error(robot.pose(q[-1], demands.frame), self.target)[..., demands.frame_rows]
        turn = robot.difference(self.q0, q)[..., demands.passive_places[demands.held]]
        above = np.maximum(q[..., places] - (robot.upper[places] - MARGIN), 0.0)
        below = np.maximum((robot.lower[places] + MARGIN) - q[..., places], 0.0)
        small = np.moveaxis(np.concatenate([turn, above, below], axis=-1), 0, -2)
        return left, small.reshape(*small.shape[:-2], -1) / np.sqrt(len(q))


def plan_least_disturbance(
    robot: Robot,
    q0: ArrayLike,
    frame: FrameLike,
    target: ArrayLike,
    duration: float,
    *,
    passive: PassiveLike | None = None,
    hold: HoldLike | None = None,
    harmonics: int = 4,
    effort_weight: float = 1e-2,
    iterations: int = 20,
    step: float = 0.1,
    tolerance: Tolerance = TOLERANCE,
) -> Plan:
    """A motion that takes a frame to a target and moves the held passive components as little as it can.

    For robots with too few joints to hold the base exactly: of all ways to the target, which is met, that of least
    disturbance. harmonics: of the joints' ways; more can disturb less. effort_weight: what an amplitude of one radian
    counts beside a disturbance of 0.01 (rad or m). iterations: for each of three weights. Other arguments as
    `plan_reach`; a motion that passes a speed limit is refused: a longer `duration` keeps it and changes nothing else.

    >>> import numpy as np, soadyn as sd
    >>> arm = sd.load("ets_vii")
    >>> q = arm.neutral()
    >>> q[7:] = 0.7, -1.2, -0.3, 1.5, 0.0, 0.6
    >>> target = arm.pose(q, "link_ee")
    >>> target[0, 3] += 0.3
    >>> plan = sd.control.plan_least_disturbance(arm, q, "link_ee", target, 40.0, step=1.0, iterations=6)
    >>> bool(np.degrees(plan.base_turn.max()) < 0.1), bool(plan.position_error[-1] < 1e-3)
    (True, True)
    """
    demands, start, way = reach_demands(robot, q0, frame, target, duration, passive, hold)
    if not len(demands.held):
        raise ArgumentError("least disturbance of what? hold= names no passive component")
    duration = way.duration
    steps = max(10, int(np.ceil(checked_steps(duration, positive("step", step), "plan") * (1 - 1e-9))))
    harmonics, iterations = whole("harmonics", harmonics, 0, 1000), whole("iterations", iterations, 0)
    coarse = Shapes(demands, start, way.end, way.duration, harmonics, min(steps, COARSE))
    c = np.zeros((len(demands.active), 1 + harmonics))
    try:
        for weight in WEIGHTS:
            c = _improved(coarse, c, weight, np.float64(positive("effort_weight", effort_weight)), iterations)
        return refined(lambda h: _plan(replace(coarse, steps=round(duration / h)), c), duration / steps, tolerance)
    except np.linalg.LinAlgError:
        raise ReachError("the least disturbance overflows: duration or effort_weight is too far from 1") from None


def _plan(shapes: Shapes, c: np.ndarray) -> Plan:
    """The plan of a motion whose coefficients are changed a little, so that it arrives with these steps."""
    demands = shapes.demands
    times, q, v = shapes.motion(_arrived(shapes, c))
    nothing = np.zeros(len(times))
    smallest = measure_singularity(Demands(demands.robot, demands.frame, demands.of_frame, demands.passive), q).smallest
    return Plan(demands, shapes.target, times, q, v, smallest, nothing, np.zeros(len(times), dtype=bool))


def _derivatives(shapes: Shapes, c: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Both results at c and their derivatives: one batch of motions."""
    n = c.size
    batch = np.concatenate([c[None], c[None] + DIFFERENCE * np.eye(n).reshape(n, *c.shape)])
    left, small = shapes.results(batch)
    if not (np.isfinite(left).all() and np.isfinite(small).all()):
        raise np.linalg.LinAlgError
    return left[0], (left[1:] - left[0]).T / DIFFERENCE, small[0], (small[1:] - small[0]).T / DIFFERENCE


def _improved(shapes: Shapes, c: np.ndarray, weight: float, effort: float, iterations: int) -> np.ndarray:
    """Iterates  min w² |small + R δ|² + e² |c + δ|²  such that  left + E δ = 0."""
    n = c.size
    for _ in range(iterations):
        left, E, small, R = _derivatives(shapes, c)
        hessian = weight**2 * R.T @ R + effort**2 * np.eye(n)
        gradient = weight**2 * R.T @ small + effort**2 * c.ravel()
        bordered = np.block([[hessian, E.T], [E, np.zeros((len(left), len(left)))]])
        change = np.linalg.lstsq(bordered, np.concatenate([-gradient, -left]), rcond=None)[0][:n]
        largest = np.abs(change).max()
        c = c + min(1.0, LONGEST / largest if largest else 1.0) * change.reshape(c.shape)
        if largest < 1e-3:
            break
    return c


def _arrived(shapes: Shapes, c: np.ndarray, iterations: int = 4) -> np.ndarray:
    """The smallest changes that make the frame arrive."""
    for _ in range(iterations):
        left, E, _, _ = _derivatives(shapes, c)
        if np.abs(left).max() < 1e-9:
            break
        c = c - (np.linalg.pinv(E) @ left).reshape(c.shape)
    return c
