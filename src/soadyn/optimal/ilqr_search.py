"""Motions on their way to least cost: corrected by the Riccati recursion, followed, kept where that helps."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, final

import numpy as np

from soadyn.optimal.cost import Cost, in_places
from soadyn.optimal.riccati import LARGEST, Corrections, QuadraticModel, corrections
from soadyn.optimal.step_derivatives import Steps

# Scales of a correction, tried at once; the short ones where no long one helps. Those beyond 1 pay near the end, where
# corrections are all alike and too short: the steps' second derivatives are left out.
LONG, SHORT = np.array([8.0, 3.0, 1.0, 0.4]), np.array([0.15, 0.05, 0.015, 0.004])
MILDEST, STRONGEST = 1e-6, 1e9  # damping, as a share of R's smallest eigenvalue


@final
class Search:
    """Motions under way: states (rows, steps + 1, n), motors' forces u (rows, steps, motors), costs."""

    def __init__(
        self, cost: Cost, steps: Steps, S: np.ndarray, effort_limit: np.ndarray, q: Any, v: Any, u: np.ndarray
    ) -> None:
        self.objective, self.steps, self.S, self.effort_limit = cost, steps, S, effort_limit
        self.u = np.clip(u, -effort_limit, effort_limit)
        rows, count, m = u.shape
        self.K = np.zeros((rows, count, m, 2 * cost.robot.nv))
        at_q, at_v = (np.broadcast_to(x[:, None], (rows, count, x.shape[-1])) for x in (q, v))
        self.q, self.v = steps.followed(q, v, self._references(at_q, at_v, self.u, self.K))
        self.cost = self._costs(self.q, self.v, self.u)
        self.damping = np.full(rows, 1e-3)
        self.growth = np.ones(rows)
        self.done = ~np.isfinite(self.cost)
        self.success = np.zeros(rows, dtype=bool)
        self.nit = np.zeros(rows, dtype=int)
        self.cost_history = [self.cost.copy()]

    def _references(self, q: Any, v: Any, u: np.ndarray, K: np.ndarray) -> dict[str, np.ndarray]:
        given = {"q": q, "v": v, "tau": in_places(self.objective, u), "K": K.reshape(*K.shape[:-2], -1)}
        return {name: np.ascontiguousarray(x) for name, x in given.items()}

    def _costs(self, q: np.ndarray, v: np.ndarray, u: np.ndarray) -> np.ndarray:
        with np.errstate(over="ignore", invalid="ignore"):
            found = self.objective.of(q, v, u, self.steps.step, self.S)
        return np.where(np.isfinite(found), found, np.inf)

    def near(self, rows: np.ndarray) -> QuadraticModel:
        """The steps and costs near some of the motions, time first."""
        cost, h = self.objective, self.steps.step
        q, v, u = (np.ascontiguousarray(x[rows].swapaxes(0, 1)) for x in (self.q, self.v, self.u))
        A, B = self.steps.matrices(q[:-1], v[:-1], in_places(cost, u))
        x, n = cost.deviation(q, v), A.shape[-1]
        weights = np.concatenate([np.broadcast_to(h * cost.Q, (len(u), n, n)), self.S[None]])[:, None]
        slope = (weights @ x[..., None])[..., 0]
        E = cost.turned(q)
        if E is not None:
            slope, weights = (E.mT @ slope[..., None])[..., 0], E.mT @ weights @ E
        force = h * (u - cost.tau[cost.active]) @ cost.R
        limit = np.minimum(self.effort_limit, LARGEST)
        return QuadraticModel(A, B, slope, force, weights, h * cost.R, -limit - u, limit - u)

    def improve(self, tolerance: float) -> None:
        """One correction of every motion that is not done."""
        rows = np.flatnonzero(~self.done)
        scale = self.steps.step * np.linalg.eigvalsh(self.objective.R)[0]
        found = corrections(self.near(rows), self.damping[rows] * scale, self.objective.robot.engine)
        self._follow(rows, found, tolerance)
        self.cost_history.append(self.cost.copy())

    def _follow(self, rows: np.ndarray, found: Corrections, tolerance: float) -> None:
        """Take each correction in the best of its scales, where that lowers the cost."""
        k, K = found.k.swapaxes(0, 1), found.K.swapaxes(0, 1)
        before = self.cost[rows]
        well = self._tried(rows, k, K, LONG)
        left = np.flatnonzero(~well)
        better = well.copy()
        if len(left):
            better[left] = self._tried(rows[left], k[left], K[left], SHORT)
        self.K[rows] = K
        self.nit[rows[better]] += 1
        gain, little = before - self.cost[rows], tolerance * np.abs(before)
        self._settle(rows, well, better, (well & (gain <= little)) | (-found.promise <= little))

    def _tried(self, rows: np.ndarray, k: np.ndarray, K: np.ndarray, scales: np.ndarray) -> np.ndarray:
        """Follow corrections in several scales at once, and keep the best of each motion; says which costs fell."""
        many, trials = len(rows), len(scales)
        wanted = self.u[rows] + scales[:, None, None, None] * k
        old_q, old_v = (np.broadcast_to(x[rows, :-1], (trials, many, *x[0, :-1].shape)) for x in (self.q, self.v))
        gains = np.broadcast_to(K, (trials, *K.shape))
        flat = (x.reshape(trials * many, *x.shape[2:]) for x in (old_q, old_v, wanted, gains))
        references = self._references(*flat)
        q, v = self.steps.followed(references["q"][:, 0], references["v"][:, 0], references)
        u = self._used(q[:, :-1], v[:, :-1], references)
        value = self._costs(q, v, u).reshape(trials, many)
        best = np.argmin(value, axis=0)
        lowest = value[best, np.arange(many)]
        better = lowest < self.cost[rows]
        place, at = (best * many + np.arange(many))[better], rows[better]
        self.q[at], self.v[at], self.u[at], self.cost[at] = q[place], v[place], u[place], lowest[better]
        return better

    def _used(self, q: np.ndarray, v: np.ndarray, references: Mapping[str, np.ndarray]) -> np.ndarray:
        """The motors' forces along motions that were followed."""
        with np.errstate(invalid="ignore", over="ignore"):
            tau = self.steps.tracking.torque(self.objective.robot, q, v, references)
        return tau[..., self.objective.active]

    def _settle(self, rows: np.ndarray, well: np.ndarray, better: np.ndarray, success: np.ndarray) -> None:
        """Less damping where a long correction helped; more where only a short one did; ever more where none did."""
        growth = np.where(better, 2.0, np.maximum(2.0, self.growth[rows] * 2))
        growth = np.where(well, np.minimum(1 / 2, self.growth[rows] / 2), growth)
        self.growth[rows] = growth
        self.damping[rows] = np.maximum(self.damping[rows] * growth, MILDEST)
        self.success[rows] = success
        self.done[rows] = success | (self.damping[rows] > STRONGEST)
