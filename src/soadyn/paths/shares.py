"""How much of its limits a motion takes, everywhere: measured on the motion itself, whatever found it.

A share is a joint force, acceleration or rate over its limit. Between neighbours among the places of the motion's grid
and the path's knots shares are smooth; the largest are sought from samples there by parabolas.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np

from soadyn.paths.bounds import Bounds
from soadyn.paths.motion import Motion

EVEN = 101  # places of a path at which shares are looked at, whatever the grid
NEARLY = 0.999  # samples below this share are taken to have no larger one than the limit beside them


@final
@dataclass(frozen=True, eq=False, slots=True)
class Looks:
    """Places (n,) of a motion and the interval of each (n,), interval by interval, both ends of each among them."""

    s: np.ndarray
    interval: np.ndarray

    @staticmethod
    def at(motion: Motion, parts: int) -> Looks:
        """Cuts of every piece on which the motion is smooth into so many parts."""
        pieces = np.concatenate([motion.s, motion.path.knots, np.linspace(0.0, 1.0, EVEN)])
        pieces = np.unique(np.minimum(pieces, 1.0))
        cuts = pieces[:-1, None] + np.diff(pieces)[:, None] * (np.arange(parts) / parts)
        begun = np.searchsorted(motion.s, cuts.ravel(), side="right") - 1
        s, interval = np.concatenate([cuts.ravel(), motion.s[1:]]), np.concatenate([begun, np.arange(len(motion.push))])
        order = np.lexsort((s, interval))
        return Looks(s[order], interval[order])

    def times(self, motion: Motion) -> np.ndarray:
        """When a motion without jolts is there; at the end of an interval, the last instant before the next."""
        k = self.interval
        way, begun = self.s - motion.s[k], motion.speed[k]
        speeds = begun + np.sqrt(np.maximum(begun**2 + 2 * motion.push[k] * way, 0.0))
        t = motion.t[k] + np.divide(2 * way, speeds, out=np.zeros_like(way), where=speeds > 0)
        ends = np.append(np.nextafter(motion.t[1:-1], 0.0), motion.t[-1])
        return np.asarray(np.minimum(t, ends[k]))

    def shares(self, motion: Motion, limits: Bounds) -> np.ndarray:
        """Forces, accelerations and rates over their limits, with their signs, (n, 3 nv)."""
        x = motion.at(self.times(motion))
        assert x.tau is not None
        assert x.a is not None
        assert x.v is not None
        return np.concatenate([x.tau / limits.effort, x.a / limits.acceleration, x.v / limits.velocity], axis=-1)


def largest(motion: Motion, limits: Bounds, parts: int) -> tuple[float, Looks]:
    """The largest share of any limit, and the places where shares that are nearly one or more are largest.

    Of samples in `parts` parts of every piece of the motion, those that are larger than their neighbours are moved to
    the top of a parabola through three.
    """
    looks = Looks.at(motion, parts)
    taken = looks.shares(motion, limits)
    size = np.abs(taken)
    jump = np.diff(looks.interval, prepend=-1, append=len(size)) != 0  # before each sample, and after the last
    before = np.where(jump[:-1, None], -np.inf, np.roll(size, 1, axis=0))
    after = np.where(jump[1:, None], -np.inf, np.roll(size, -1, axis=0))
    at, limit = np.nonzero((size >= NEARLY) & (size >= before) & (size >= after))
    if not len(at):
        return float(size.max()), Looks(looks.s[at], looks.interval[at])
    moved = Looks(_tops(looks, taken, at + jump[at] - jump[at + 1], limit), looks.interval[at])
    there = np.abs(moved.shares(motion, limits)[np.arange(len(at)), limit])
    s = np.where(there > size[at, limit], moved.s, looks.s[at])
    return float(max(size.max(), there.max())), Looks(s, moved.interval)


def _tops(looks: Looks, taken: np.ndarray, at: np.ndarray, limit: np.ndarray) -> np.ndarray:
    """Where the parabolas through samples `at` and both neighbours are level; the sample if there is no such place."""
    s, k = looks.s, looks.interval
    left, right = np.maximum(at - 1, 0), np.minimum(at + 1, len(s) - 1)
    earlier, later = s[at] - s[left], s[right] - s[at]
    with np.errstate(divide="ignore", invalid="ignore"):
        rise, fall = (taken[at, limit] - taken[left, limit]) / earlier, (taken[right, limit] - taken[at, limit]) / later
        top = np.clip(0.5 * (rise * later + fall * earlier) / (rise - fall), -earlier, later)
    return s[at] + np.where((k[left] == k[right]) & np.isfinite(top), top, 0.0)
