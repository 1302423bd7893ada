"""States between the records of a trajectory, on the manifold of configurations.

Between two records at a distance h the configuration runs along a cubic curve that has the recorded positions and rates
at both ends, made by de Casteljau's construction with geodesics in place of straight lines (Park and Ravani 1995):

    p0 = q(0),  p1 = p0 exp(h v(0) / 3),  p2 = p3 exp(-h v(1) / 3),  p3 = q(1)
    three times: each pair of neighbours p, r becomes p exp(s log(p⁻¹ r))

For joints with one component it is the cubic Hermite polynomial, and the rates are its derivative.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import final

import numpy as np
from numpy.typing import ArrayLike

from soadyn.errors import ArgumentError
from soadyn.mechanics.spatial.reading import NotNumbersError, real_array
from soadyn.model.knots import interval_of
from soadyn.robot import Robot


@final
@dataclass(frozen=True, slots=True)
class Between:
    """Where times lie among records: the record before each, and the share of the way to the next one."""

    before: np.ndarray
    share: np.ndarray
    gap: np.ndarray

    @staticmethod
    def of(records: np.ndarray, times: ArrayLike) -> Between:
        """The places of times (...) among ascending records; a time outside of them is refused."""
        t = checked_times(records, times)
        if len(records) == 1:
            return Between(np.zeros(t.shape, dtype=int), np.zeros(t.shape), np.ones(t.shape))
        before = interval_of(records, t)
        gap = records[before + 1] - records[before]
        return Between(before, (t - records[before]) / gap, gap)

    def ends(self, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """A record's values before and after each time."""
        return x[self.before], x[np.minimum(self.before + 1, len(x) - 1)]

    def column(self, x: np.ndarray, records: np.ndarray) -> np.ndarray:
        """A figure of each time, shaped to multiply values of records."""
        return x.reshape(*x.shape, *(1,) * (records.ndim - 1))

    def line(self, x: np.ndarray) -> np.ndarray:
        """Values on the straight line between records."""
        first, last = self.ends(x)
        s = self.column(self.share, x)
        return np.asarray(first + s * (last - first))

    def held(self, x: np.ndarray) -> np.ndarray:
        """Values of the record before, or of the one that is met."""
        return np.asarray(x[np.where(self.share >= 1.0, np.minimum(self.before + 1, len(x) - 1), self.before)])


def times_of(times: ArrayLike) -> np.ndarray:
    """Numbers in seconds as an array."""
    try:
        return real_array(times)
    except NotNumbersError:
        raise ArgumentError(f"times are numbers in seconds, got {times!r:.80}") from None


def checked_times(records: np.ndarray, times: ArrayLike) -> np.ndarray:
    """Times within the records, as an array; rounding beyond the ends is taken back."""
    t = times_of(times)
    first, last = float(records[0]), float(records[-1])
    slack = 1e-9 * max(last - first, abs(last))
    outside = ~((t >= first - slack) & (t <= last + slack))
    if outside.any():
        raise ArgumentError(f"the trajectory lasts from {first:g} to {last:g} s, got the time {t[outside].flat[0]:g} s")
    return np.clip(t, first, last)


def state_between(robot: Robot, at: Between, q: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Configurations and rates at places between records q (T, ..., nq), v (T, ..., nv)."""
    (q0, q1), (v0, v1) = at.ends(q), at.ends(v)
    s, h = at.column(at.share, v), at.column(at.gap, v)
    points = [q0, robot.integrate(q0, h * v0 / 3), robot.integrate(q1, -h * v1 / 3), q1]
    while len(points) > 1:
        points = [robot.integrate(p, s * robot.difference(p, r)) for p, r in pairwise(points)]
    mean = robot.difference(q0, q1) / h
    rates = 6 * s * (1 - s) * mean + (1 - 4 * s + 3 * s * s) * v0 + (3 * s * s - 2 * s) * v1
    return points[0], rates
