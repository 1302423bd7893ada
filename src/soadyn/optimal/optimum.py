"""Motions that an optimisation found."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, final

import numpy as np

from soadyn.optimal.along import following
from soadyn.optimal.cost import Cost
from soadyn.optimal.following import Following
from soadyn.optimal.regulators import lqr


@final
@dataclass(frozen=True, eq=False, repr=False)
class Optimum:
    """Motions of low cost, made by `ilqr`; the axes "..." are those of its starts.

    t          seconds, (steps + 1,)
    q, v       states, (steps + 1, ..., nq) and (steps + 1, ..., nv)
    tau        joint forces, each held through a step, (steps, ..., nv)
    K          gains of T = T_ref - K x, (steps, ..., motors, 2 nv)
    value      the cost of each, (...)
    converged  whether nothing lowered the cost any more, booleans (...)
    iterations how many corrections lowered the cost, (...)
    history    the costs at the beginning and after each iteration, (iterations + 1, ...)
    """

    cost: Cost
    t: np.ndarray
    q: np.ndarray
    v: np.ndarray
    tau: np.ndarray
    K: np.ndarray
    bound: np.ndarray
    value: np.ndarray
    converged: np.ndarray
    iterations: np.ndarray
    history: np.ndarray

    @property
    def step(self) -> float:
        """Seconds of a step."""
        return float(self.t[-1] / len(self.tau))

    @property
    def miss(self) -> np.ndarray:
        """How far the last state is from the goal, [difference(goal, q); v], (..., 2 nv)."""
        return self.cost.deviation(self.q[-1], self.v[-1])

    @property
    def best(self) -> Optimum:
        """The motion of the lowest cost alone."""
        flat = np.where(np.isnan(self.value), np.inf, self.value)
        return self[np.unravel_index(int(np.argmin(flat)), flat.shape)] if flat.ndim else self

    def __getitem__(self, rows: Any) -> Optimum:
        """Some of the motions, chosen as rows of `value`."""
        later = (slice(None), *(rows if isinstance(rows, tuple) else (rows,)))
        chosen = {name: getattr(self, name)[later] for name in ("q", "v", "tau", "K", "history")}
        chosen |= {name: getattr(self, name)[rows] for name in ("value", "converged", "iterations")}
        return replace(self, **chosen)

    def feedback(self, hold: bool = False) -> Following:
        """Motors that keep the robot on the motion; for `simulate(..., step=optimum.step, sampled=True)`.

        hold: after the motion's end let the regulator of the cost, `lqr`, hold the robot at the goal.

        >>> import soadyn as sd
        >>> arm = sd.load("planar_two_link")
        >>> cost = sd.optimal.Cost(arm, [0.5, 0.2], state=[100.0, 100.0, 1.0, 1.0], effort=0.001)
        >>> found = sd.optimal.ilqr(cost, [0.0, 0.0], duration=0.5, step=0.02)
        >>> motors = found.feedback(hold=True)
        >>> run = sd.simulate(arm, [0.0, 0.0], control=motors, duration=1.5, step=0.02, sampled=True)
        >>> bool(abs(run.q[-1] - cost.q).max() < 1e-3)
        True
        """
        q, v, tau, K = self.q, self.v, self.tau, self.K
        if hold:
            keep = lqr(self.cost, step=self.step)
            q = np.concatenate([q[:-1], np.broadcast_to(self.cost.q, q[:1].shape)])
            v = np.concatenate([v[:-1], np.zeros_like(v[:1])])
            tau = np.concatenate([tau, np.broadcast_to(self.cost.tau, tau[:1].shape)])
            K = np.concatenate([K, np.broadcast_to(keep.K, K[:1].shape)])
        return following(self.cost, q, v, tau, K, self.step, self.bound)

    def __repr__(self) -> str:
        many = "a motion" if not self.value.ndim else f"{self.value.size} motions"
        return (
            f"<Optimum: {many} of {self.cost.robot.name!r}, {self.t[-1]:.4g} s in steps of {self.step:.4g} s, least "
            f"cost {np.nanmin(self.value):.6g}, {int(self.converged.sum())} converged>"
        )
