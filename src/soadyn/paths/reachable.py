"""The fastest way along paths under constraints that are linear in u = s̈ and x = ṡ² (Pham and Pham 2018, TOPP-RA).

    a(i) u + b(i) x ≤ c(i),    0 ≤ x ≤ x_top(i),    x(i+1) = x(i) + 2 (s(i+1) - s(i)) u(i)

Going back from the end, K(i) is the interval of x from which K(i+1) can be reached; going forward from rest, u is as
large as constraints and K(i+1) allow. x belongs to K(i) if every lower bound set for u is below every upper one:

* those of the constraints at i among each other. The room between them is a concave function of x, whose ends Newton's
  method finds from outside, at all places of all paths at once;
* those of the constraints and those of K(i+1), each pair a single inequality for x.

Where a(i) of a constraint vanishes, at dynamic singularities, it bounds x alone; nothing special is done there. The
constraints of the next place act on its x with the u that led there (`both_ends`), which keeps solutions from swinging
around singularities as they do if every u heeds its own place only.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np

ROUNDING = 1e-11  # of the bounds of u: bounds that miss each other by less are taken to meet
MOST_CUTS = 60


@final
@dataclass(frozen=True, eq=False, slots=True)
class Stages:
    """Constraints of P paths at N + 1 places: a, b, c (N + 1, P, m), x_top (N + 1, P), gaps (N, P) between places."""

    a: np.ndarray
    b: np.ndarray
    c: np.ndarray
    x_top: np.ndarray
    gaps: np.ndarray


@final
@dataclass(frozen=True, eq=False, slots=True)
class Fastest:
    """x (N + 1, P), u (N, P), and for each path the last place that nothing leads on from, -1 if there is none."""

    x: np.ndarray
    u: np.ndarray
    stuck: np.ndarray


def both_ends(stages: Stages) -> Stages:
    """The constraints of each place and, with x(i+1) = x(i) + 2 (s(i+1) - s(i)) u(i), of the one that follows.

    (a(i+1) + 2 (s(i+1) - s(i)) b(i+1)) u + b(i+1) x ≤ c(i+1)
    """
    a, b, c = stages.a, stages.b, stages.c
    ahead = a[1:] + 2 * stages.gaps[..., None] * b[1:]
    last = np.zeros_like(a[-1:])  # nothing follows the end: constraints that say nothing
    return Stages(
        np.concatenate([a, np.concatenate([ahead, last])], axis=-1),
        np.concatenate([b, np.concatenate([b[1:], last])], axis=-1),
        np.concatenate([c, np.concatenate([c[1:], last + 1.0])], axis=-1),
        stages.x_top,
        stages.gaps,
    )


def fastest(stages: Stages) -> Fastest:
    """From rest to rest along every path."""
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        top, bottom = _own_intervals(stages)
        lines = _Lines.of(stages)
        low, high, stuck = _controllable(lines, top, bottom)
        return _greedy(stages, lines, low, high, stuck)


def _own_intervals(stages: Stages) -> tuple[np.ndarray, np.ndarray]:
    """The ends of the interval of x that each place's own constraints leave, (N + 1, P); crossed if there is none."""
    alone = (stages.a == 0) & (stages.b != 0)
    ratio = np.where(alone, stages.c / stages.b, 0.0)
    upper = np.where(alone & (stages.b > 0), ratio, np.inf).min(axis=-1, initial=np.inf)
    lower = np.where(alone & (stages.b < 0), ratio, 0.0).max(axis=-1, initial=0.0)
    shape, m = stages.x_top.shape, stages.a.shape[-1]
    if not m:
        return np.minimum(stages.x_top, upper), lower
    a, b, c = (x.reshape(-1, m) for x in (stages.a, stages.b, stages.c))
    top = _end(a, b, c, np.minimum(stages.x_top, upper).ravel(), 1.0)
    return top.reshape(shape), _end(a, b, c, lower.ravel(), -1.0).reshape(shape)


def _end(a: np.ndarray, b: np.ndarray, c: np.ndarray, x: np.ndarray, side: float) -> np.ndarray:
    """The end of the interval of x with room for u, sought inward from x, which lies above (1) or below it (-1).

    Each cut is where the two bounds in conflict meet. Where there is no interval, x is infinitely far beyond.
    """
    inverse = np.divide(1.0, a, out=np.zeros_like(a), where=a != 0)
    left = np.arange(len(x))
    for _ in range(MOST_CUTS):
        rows = np.arange(len(left))
        u = (c[left] - b[left] * x[left, None]) * inverse[left]
        above, below = np.where(a[left] > 0, u, np.inf), np.where(a[left] < 0, u, -np.inf)
        least, most = above.argmin(axis=1), below.argmax(axis=1)
        high, low = above[rows, least], below[rows, most]
        short = low - high > ROUNDING * (1 + np.abs(high) + np.abs(low))
        if not short.any():
            break
        left, rows, least, most = left[short], rows[short], least[short], most[short]
        slope = b[left, least] * inverse[left, least] - b[left, most] * inverse[left, most]
        inward = side * slope > 0
        x[left] = np.where(inward, x[left] - (low - high)[short] / slope, -side * np.inf)
        left = left[inward]
    return x


@final
@dataclass(frozen=True, eq=False, slots=True)
class _Lines:
    """What constraints say of the next x, as lines g + d x of this one (N, P, m), and the inequalities that follow.

    The next x is at most g + d x. With K(i+1) from low to high, x is at most (n - top) top_factor and at least
    (n - bottom) bottom_factor, n being high for the first, low for the second m of them: (N, 2, P, m) each.
    """

    g: np.ndarray
    d: np.ndarray
    top: np.ndarray
    top_factor: np.ndarray
    bottom: np.ndarray
    bottom_factor: np.ndarray

    @staticmethod
    def of(stages: Stages) -> _Lines:
        a, b, c, gaps = stages.a[:-1], stages.b[:-1], stages.c[:-1], 2 * stages.gaps[..., None]
        inverse = np.divide(1.0, a, out=np.zeros_like(a), where=a != 0)
        g, d = gaps * c * inverse, 1 - gaps * b * inverse
        rising, falling = a > 0, a < 0
        factor = np.divide(1.0, d, out=np.zeros_like(d), where=d != 0)
        # Lower bounds of u stay below the next interval's upper end, upper ones above its lower end.
        below = np.stack([falling & (d > 0), rising & (d < 0)], axis=1)
        over = np.stack([falling & (d < 0), rising & (d > 0)], axis=1)
        g2, factor2 = g[:, None], factor[:, None]
        return _Lines(
            np.where(rising, g, np.inf),
            np.where(rising, d, 0.0),
            np.where(below, g2, -np.inf),
            np.where(below, factor2, 1.0),
            np.where(over, g2, np.inf),
            np.where(over, factor2, 1.0),
        )


def _controllable(lines: _Lines, top: np.ndarray, bottom: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The ends of K(i), (N + 1, P) each, and the last place where it is empty, -1 if there is none."""
    high, low = top.copy(), bottom.copy()
    ends = np.zeros((2, top.shape[1]))  # of the next interval: high, low
    high[-1] = low[-1] = 0.0
    for i in reversed(range(len(lines.g))):
        n = ends[:, :, None]
        upper = ((n - lines.top[i]) * lines.top_factor[i]).min(axis=(0, 2), initial=np.inf)
        lower = ((n - lines.bottom[i]) * lines.bottom_factor[i]).max(axis=(0, 2), initial=-np.inf)
        np.minimum(upper, high[i], out=high[i])
        np.maximum(lower, low[i], out=low[i])
        ends[0], ends[1] = high[i], low[i]
    empty = ~((high >= 0) & (low <= high * (1 + 1e-9) + 1e-12))
    places = np.arange(len(high))[:, None]
    stuck = np.where(empty, places, -1).max(axis=0)
    return low, np.maximum(high, low), np.where((stuck < 0) & (low[0] > 1e-12), 0, stuck)


def _greedy(stages: Stages, lines: _Lines, low: np.ndarray, high: np.ndarray, stuck: np.ndarray) -> Fastest:
    """As fast as possible from rest, within the controllable intervals."""
    x = np.zeros_like(high)
    for i in range(len(lines.g)):
        wanted = (lines.g[i] + lines.d[i] * x[i, :, None]).min(axis=-1, initial=np.inf)
        np.maximum(np.minimum(wanted, high[i + 1]), low[i + 1], out=x[i + 1])
    return Fastest(x, np.diff(x, axis=0) / (2 * stages.gaps), stuck)
