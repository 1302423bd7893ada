"""Normalized coordinates of what the motors move: Mass = m m*, or with passive joints S_aa = m_a m_a* (000, 004).

m comes from the sweeps of 000 Tables 1 and 2, or as the Cholesky factor of S_aa. On numbers and on recorded scalars.
"""

from __future__ import annotations

from typing import final

import numpy as np

from soadyn.mechanics.link.crossing import Pivot
from soadyn.mechanics.spatial.arithmetic import Array, back_substituted, factor, sqrt
from soadyn.programs.sweep.under_actuated import ACTUATION_MATRICES
from soadyn.robot import Robot
from soadyn.simulation.drive.dynamics import Dynamics


@final
class Motors:
    """A robot's motors: every component's, or all but the passive ones'."""

    def __init__(self, robot: Robot, passive: np.ndarray) -> None:
        self.robot, self.passive, self.active = robot, passive, ~passive
        self.spread = np.eye(robot.nv)[:, self.active]  # from the active components to all, zero for the others
        self.count = int(self.active.sum())

    def rates(self, dynamics: Dynamics, q: Array, v: Array) -> Array:
        """ν = m* v, (..., Na), of rates or joint motions v (..., nv)."""
        if not self.passive.any():
            return dynamics.quantity("normalized_rates", q=q, v=v)
        return times(self._pivot(dynamics, q).root().mT, v[..., self.active])

    def from_rates(self, dynamics: Dynamics, q: Array, nu: Array) -> Array:
        """m⁻* ν, (..., nv), zero for passive components."""
        if not self.passive.any():
            return dynamics.quantity("rates_from_normalized", q=q, nu=nu)
        pivot = self._pivot(dynamics, q)
        rows = [nu[..., i] / sqrt(pivot.d[i]) for i in range(self.count)]
        x = back_substituted(pivot.L, [np.asarray(row)[..., None] for row in rows])
        return times(self.spread, np.concatenate(x, axis=-1))

    def forces(self, dynamics: Dynamics, q: Array, epsilon: Array) -> Array:
        """T = m ε, (..., nv), zero for passive components."""
        if not self.passive.any():
            return dynamics.quantity("forces_from_normalized", q=q, epsilon=epsilon)
        return times(self.spread, times(self._pivot(dynamics, q).root(), epsilon))

    def _pivot(self, dynamics: Dynamics, q: Array) -> Pivot:
        """S_aa and its factors."""
        S = dynamics.run(ACTUATION_MATRICES, {"q": q, "passive": self.passive.astype(float)})[0]
        places = np.flatnonzero(self.active)
        S_aa = S[..., places[:, None], places]
        return Pivot(S_aa, *factor(S_aa, [0.0] * self.count))


def times(A: Array, x: Array) -> Array:
    """A x for matrices (..., m, n) and vectors (..., n)."""
    return (A @ x[..., None])[..., 0]
