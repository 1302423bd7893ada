"""How much of its limits a motion takes, everywhere: measured on the motion itself, whatever found it.

A share is a joint force, acceleration or rate over its limit. Between two neighbours of the motion's intervals, the
path's knots and even places, shares are smooth; largest ones are sought from samples there by parabolas.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np

from soadyn.paths.bounds import Bounds
from soadyn.paths.motion import Motion

EVEN = 401  # places of a path at which shares are looked at, whatever the grid
NEARLY = 0.999  # samples below this share are taken to have no larger one than the limit beside them


@final
@dataclass(frozen=True, eq=False, slots=True)
class Peaks:
    """Times (n,) at which a share is largest, which of the 3 nv limits it is of (n,), and the share with its sign (n,).

    Limits in turn: of forces, of accelerations, of rates.
    """

    t: np.ndarray
    limit: np.ndarray
    share: np.ndarray

    def above(self, share: float) -> Peaks:
        kept = np.abs(self.share) > share
        return Peaks(self.t[kept], self.limit[kept], self.share[kept])


def largest(motion: Motion, limits: Bounds, parts: int) -> float:
    """The largest share of any limit, looked for at `parts` times as many places as motion and path have of their own."""
    t = looks(motion, parts)
    taken = shares(motion, limits, t)
    found = np.abs(_peaks(motion, limits, t, taken).share)
    return float(max(np.abs(taken).max(), found.max(initial=0.0)))


def peaks(motion: Motion, limits: Bounds, parts: int) -> Peaks:
    """Where shares that are nearly one or more are largest."""
    t = looks(motion, parts)
    return _peaks(motion, limits, t, shares(motion, limits, t))


def shares(motion: Motion, limits: Bounds, t: np.ndarray) -> np.ndarray:
    """Forces, accelerations and rates over their limits at times (n,), with their signs, (n, 3 nv)."""
    s = motion.at(t)
    assert s.tau is not None and s.a is not None and s.v is not None
    return np.concatenate([s.tau / limits.torque, s.a / limits.acceleration, s.v / limits.velocity], axis=-1)


def looks(motion: Motion, parts: int) -> np.ndarray:
    """Times, ascending, that cut every piece on which the motion is smooth; both its ends are among them.

    Accelerations jump from one interval of the motion to the next: the last instant of each is there too.
    """
    pieces = np.unique(np.concatenate([motion.s, motion.path.knots, np.linspace(0.0, 1.0, EVEN)]))
    cuts = pieces[:-1, None] + np.diff(pieces)[:, None] * (np.arange(parts) / parts)
    t = when(motion, np.append(cuts.ravel(), 1.0))
    return np.unique(np.clip(np.concatenate([t, np.nextafter(motion.t[1:-1], 0.0)]), 0.0, motion.duration))


def when(motion: Motion, s: np.ndarray) -> np.ndarray:
    """The times (n,) at which a motion without jolts is at places s (n,)."""
    k = np.clip(np.searchsorted(motion.s, s, side="right") - 1, 0, len(motion.s) - 2)
    way, begun = s - motion.s[k], motion.speed[k]
    speeds = begun + np.sqrt(np.maximum(begun**2 + 2 * motion.push[k] * way, 0.0))
    return np.asarray(motion.t[k] + np.divide(2 * way, speeds, out=np.zeros_like(way), where=speeds > 0))


def _peaks(motion: Motion, limits: Bounds, t: np.ndarray, taken: np.ndarray) -> Peaks:
    """From samples (n, 3 nv): the largest of neighbours, moved to the top of the parabola through the three."""
    size = np.abs(taken)
    outside = np.full_like(size[:1], -np.inf)
    before, after = np.concatenate([outside, size[:-1]]), np.concatenate([size[1:], outside])
    at, limit = np.nonzero((size >= NEARLY) & (size >= before) & (size >= after))
    if not len(at):
        return Peaks(t[at], limit, taken[at, limit])
    moved = t[at] + _to_the_top(motion, t, taken, at, limit)
    there = shares(motion, limits, moved)[np.arange(len(at)), limit]
    better = np.abs(there) > size[at, limit]
    return Peaks(np.where(better, moved, t[at]), limit, np.where(better, there, taken[at, limit]))


def _to_the_top(motion: Motion, t: np.ndarray, taken: np.ndarray, at: np.ndarray, limit: np.ndarray) -> np.ndarray:
    """How far the tops of the parabolas are from samples `at`; zero where a neighbour is in another interval."""
    left, right = np.maximum(at - 1, 0), np.minimum(at + 1, len(t) - 1)
    interval = np.searchsorted(motion.t[:-1], t, side="right")
    inside = (left < at) & (at < right) & (interval[left] == interval[right])
    earlier, later = t[at] - t[left], t[right] - t[at]
    with np.errstate(divide="ignore", invalid="ignore"):
        rise, fall = (taken[at, limit] - taken[left, limit]) / earlier, (taken[right, limit] - taken[at, limit]) / later
        top = 0.5 * (rise * later + fall * earlier) / (rise - fall)
    return np.where(inside & np.isfinite(top), np.clip(top, -earlier, later), 0.0)
