"""Motions that an optimisation found."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, final

import numpy as np

from soadyn.optimal.cost import Cost
from soadyn.optimal.regulators import lqr, tracking
from soadyn.optimal.state_feedback import TrackingFeedback


@final
@dataclass(frozen=True, eq=False, repr=False)
class ILQRResult:
    """Motions of low cost, made by `ilqr`; the axes "..." are those of its starts.

    t          seconds, (steps + 1,)
    q, v       states, (steps + 1, ..., nq) and (steps + 1, ..., nv)
    tau        joint forces, each held through a step, (steps, ..., nv)
    K          gains of T = T_ref - K x, (steps, ..., motors, 2 nv)
    cost       of each, (...)
    success    whether nothing lowered the cost any more, booleans (...)
    nit        how many corrections lowered the cost, (...)
    cost_history  the costs at the beginning and after each iteration, (iterations + 1, ...)
    objective  the `Cost` that was made least
    effort_limit  the motors' largest forces, (motors,)
    """

    objective: Cost
    t: np.ndarray
    q: np.ndarray
    v: np.ndarray
    tau: np.ndarray
    K: np.ndarray
    effort_limit: np.ndarray
    cost: np.ndarray
    success: np.ndarray
    nit: np.ndarray
    cost_history: np.ndarray

    @property
    def step(self) -> float:
        """Seconds of a step."""
        return float(self.t[-1] / len(self.tau))

    @property
    def miss(self) -> np.ndarray:
        """How far the last state is from the goal, [difference(goal, q); v], (..., 2 nv)."""
        return self.objective.deviation(self.q[-1], self.v[-1])

    @property
    def best(self) -> ILQRResult:
        """The motion of the lowest cost alone."""
        flat = np.where(np.isnan(self.cost), np.inf, self.cost)
        return self[np.unravel_index(int(np.argmin(flat)), flat.shape)] if flat.ndim else self

    def __getitem__(self, rows: Any) -> ILQRResult:
        """Some of the motions, chosen as rows of `cost`."""
        later = (slice(None), *(rows if isinstance(rows, tuple) else (rows,)))
        chosen = {name: getattr(self, name)[later] for name in ("q", "v", "tau", "K", "cost_history")}
        chosen |= {name: getattr(self, name)[rows] for name in ("cost", "success", "nit")}
        return replace(self, **chosen)

    def feedback(self, hold: bool = False) -> TrackingFeedback:
        """Motors that keep the robot on the motion; for `simulate(..., step=found.step, sampled=True)`.

        hold: after the motion's end let the regulator of the cost, `lqr`, hold the robot at the goal.

        >>> import soadyn as sd
        >>> arm = sd.load("planar_two_link")
        >>> cost = sd.optimal.Cost(arm, [0.5, 0.2], state_weight=[100.0, 100.0, 1.0, 1.0], effort_weight=0.001)
        >>> found = sd.optimal.ilqr(cost, [0.0, 0.0], duration=0.5, step=0.02)
        >>> motors = found.feedback(hold=True)
        >>> run = sd.simulate(arm, [0.0, 0.0], control=motors, duration=1.5, step=0.02, sampled=True)
        >>> bool(abs(run.q[-1] - cost.q).max() < 1e-3)
        True
        """
        q, v, tau, K = self.q, self.v, self.tau, self.K
        if hold:
            keep = lqr(self.objective, step=self.step)
            q = np.concatenate([q[:-1], np.broadcast_to(self.objective.q, q[:1].shape)])
            v = np.concatenate([v[:-1], np.zeros_like(v[:1])])
            tau = np.concatenate([tau, np.broadcast_to(self.objective.tau, tau[:1].shape)])
            K = np.concatenate([K, np.broadcast_to(keep.K, K[:1].shape)])
        return tracking(self.objective, q, v, tau, K, self.step, self.effort_limit)

    @property
    def message(self) -> str:
        """How many motions there are, of which least cost, and how many succeeded."""
        many, done = self.cost.size, int(self.success.sum())
        least = f"least cost {np.nanmin(self.cost):.6g}"
        if many == 1:
            return f"{'success' if done else 'not at its least after the iterations allowed'}, {least}"
        return f"{done} of {many} motions at their least, {least}"

    def __repr__(self) -> str:
        return (
            f"<ILQRResult of {self.objective.robot.name!r}: {self.t[-1]:.4g} s in steps of {self.step:.4g} s; "
            f"{self.message}>"
        )
