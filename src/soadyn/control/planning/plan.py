"""A planned motion: states at nodes in time, and polynomials between them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np

from soadyn.control.planning.demands import Demands
from soadyn.control.planning.reach import Reach
from soadyn.errors import ArgumentError, SoadynError
from soadyn.fork_safe import cached_property
from soadyn.robot.arguments.plain_values import single


@final
class ReachError(SoadynError, ArithmeticError):
    """A planned motion does not arrive. `plan` is what was planned until then, None if nothing was.

    >>> import soadyn as sd
    >>> flyer = sd.load("free_flyer")
    >>> q = flyer.neutral()
    >>> q[7:14] = -0.3, -0.6, -1.3, -1.6, -0.2, 1.4, 1.2
    >>> try:
    ...     sd.control.plan_reach(flyer, q, "tool", [9.0, 0.0, 0.0], 5.0, step=0.1)
    ... except sd.control.ReachError as error:
    ...     print(str(error)[:20])
    the motion of 'tool'
    """

    plan: Plan | None = None


@final
@dataclass(frozen=True, eq=False, repr=False)
class Plan(Reach):
    """A motion of all joints that takes a frame to a target, made by `plan_reach` and its like.

    t         seconds, (T,)
    q, v      coordinates (T, nq) and rates (T, nv); the passive joints as the plan believes they move
    target    the pose (4, 4) to reach; `demands` says which of it, and what is held meanwhile
    smallest  the smallest singular value of the demands' Jacobian on the way, (T,)
    damping   what was used, (T,)
    slowed    where speed limits held the joints back, (T,)

    >>> import soadyn as sd
    >>> flyer = sd.load("free_flyer")
    >>> q = flyer.neutral()
    >>> q[7:14] = -0.3, -0.6, -1.3, -1.6, -0.2, 1.4, 1.2
    >>> target = flyer.pose(q, "tool")
    >>> target[0, 3] += 0.1
    >>> plan = sd.control.plan_reach(flyer, q, "tool", target, 10.0, step=0.1)
    >>> bool(plan.position_error[-1] < 1e-4), bool(plan.base_turn.max() < 1e-6)
    (True, True)
    """

    demands: Demands
    target: np.ndarray
    t: np.ndarray
    q: np.ndarray
    v: np.ndarray
    smallest: np.ndarray
    damping: np.ndarray
    slowed: np.ndarray

    @property
    def duration(self) -> float:
        """Seconds from the start to the end."""
        return float(self.t[-1])

    def _states(self) -> tuple[Demands, np.ndarray, np.ndarray]:
        return self.demands, self.target, self.q

    def __repr__(self) -> str:
        return (
            f"<Plan for {self.robot.name!r}: {self.demands.frame_name!r} to its target in {self.duration:.4g} s, "
            f"{self._missing()} off at the end>"
        )

    def active_at(self, t: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Coordinates, rates and accelerations (N_a,) of the active joints at any time; at rest after the end.

        Between the nodes by polynomials of fifth degree that meet the nodes' coordinates, rates and accelerations, so
        that forces have no jumps, which would cost a simulation its order.
        """
        if np.isnan(t := single(t)):
            raise ArgumentError("active_at takes a time in seconds")
        q, v, a = self._nodes
        if t >= self.t[-1]:
            return q[-1], np.zeros_like(q[-1]), np.zeros_like(q[-1])
        i = min(max(int(np.searchsorted(self.t, t, side="right")) - 1, 0), len(self.t) - 2)
        h = float(self.t[i + 1] - self.t[i])
        s = (t - float(self.t[i])) / h
        b, c = h * v[i], h * h / 2 * a[i]
        # What the polynomial b s + c s² lacks at the end of the interval, in place, rate and acceleration
        x = q[i + 1] - q[i] - b - c
        y = h * v[i + 1] - b - 2 * c
        z = h * h * a[i + 1] - 2 * c
        d3, d4, d5 = 10 * x - 4 * y + z / 2, -15 * x + 7 * y - z, 6 * x - 3 * y + z / 2
        way = s * (b + s * (c + s * (d3 + s * (d4 + s * d5))))
        rate = b + s * (2 * c + s * (3 * d3 + s * (4 * d4 + s * 5 * d5)))
        bend = 2 * c + s * (6 * d3 + s * (12 * d4 + s * 20 * d5))
        return q[i] + way, rate / h, bend / (h * h)

    @cached_property
    def _nodes(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        v = self.v[:, self.demands.active]
        if len(self.t) < 2:
            return self.q[:, self.demands.active_coordinates], v, np.zeros_like(v)
        return self.q[:, self.demands.active_coordinates], v, np.gradient(v, self.t, axis=0)
