"""Reductions: mean and variance, extremes, quantiles and histograms of rows that are not kept.

Rows are reduced in leaves of a fixed number, leaves are combined in pairs, pairs in pairs, and so on: a tree over the
rows' numbers. A chunk is a node of the tree, so the bits of a result depend neither on the chunks' sizes nor on who
computed which. Rows that failed do not count.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, final

import numpy as np

from soadyn.errors import ArgumentError
from soadyn.robot.arguments.plain_values import shown, single

MOST_BINS = 1_000_000
MANTISSA = 10  # bits of a number that tell the buckets apart: each is 2^-10 of its value wide
SHIFT = 52 - MANTISSA
MOST_SPREAD = 1 << 17  # buckets that are counted by an array rather than by sorting
Node = dict[str, np.ndarray]


class Reduction(ABC):
    """Many rows made into a node, and two nodes into one."""

    @abstractmethod
    def of(self, x: np.ndarray, good: np.ndarray, begin: int, leaf: int) -> Node:
        """The node of rows (n, m) from number `begin` on; those count that are `good`."""

    @abstractmethod
    def merged(self, a: Node, b: Node) -> Node:
        """The node of both, a's rows before b's."""


@final
class Moments(Reduction):
    """Count, mean and sum of squares about the mean, combined by the formula of Chan, Golub and LeVeque (1979).

    n = n_a + n_b     δ = mean_b - mean_a     mean = mean_a + δ n_b / n     S = S_a + S_b + δ² n_a n_b / n
    """

    def of(self, x: np.ndarray, good: np.ndarray, begin: int, leaf: int) -> Node:
        leaves = -(-len(x) // leaf)
        if good.all() and len(x) == leaves * leaf:  # the same sums without zeros for what does not count
            shaped, counts = x.reshape(leaves, leaf, -1), np.ones((1, leaf, 1))
        else:
            padded, weights = np.zeros((leaves * leaf, x.shape[1])), np.zeros((leaves * leaf, 1))
            padded[: len(x)] = np.where(good[:, None], x, 0.0)
            weights[: len(x), 0] = good
            shaped, counts = padded.reshape(leaves, leaf, -1), weights.reshape(leaves, leaf, 1)
        n = np.broadcast_to(_tree_sum(counts), (leaves, 1))
        mean = _tree_sum(shaped) / np.maximum(n, 1.0)
        apart = shaped - mean[:, None]
        np.square(apart, out=apart)
        S = _tree_sum(apart if len(counts) < leaves else apart * counts)
        level = {"n": n, "mean": mean, "S": S}
        while (count := len(level["n"])) > 1:
            left, right = ({name: x[k : count // 2 * 2 : 2] for name, x in level.items()} for k in (0, 1))
            pairs = self.merged(left, right)
            level = {name: np.concatenate([x, level[name][count // 2 * 2 :]]) for name, x in pairs.items()}
        return {name: x[0] for name, x in level.items()}

    def merged(self, a: Node, b: Node) -> Node:
        n = a["n"] + b["n"]
        share = b["n"] / np.maximum(n, 1.0)
        delta = b["mean"] - a["mean"]
        mean = np.where(a["n"] > 0, a["mean"] + delta * share, b["mean"])
        S = a["S"] + b["S"] + np.square(delta) * a["n"] * share
        return {"n": n, "mean": np.where(b["n"] > 0, mean, a["mean"]), "S": S}


def _tree_sum(x: np.ndarray) -> np.ndarray:
    """The sum along the second axis, of a power of two entries, by adding one half to the other."""
    while x.shape[1] > 1:
        half = x.shape[1] // 2
        x = x[:, :half] + x[:, half:]
    return x[:, 0]


@final
class Extremes(Reduction):
    """The smallest and the largest number, and the first rows that have them."""

    def of(self, x: np.ndarray, good: np.ndarray, begin: int, leaf: int) -> Node:
        node: Node = {}
        for name, worst, place in (("smallest", np.inf, np.argmin), ("largest", -np.inf, np.argmax)):
            seen = x if good.all() else np.where(good[:, None], x, worst)
            at = place(seen, axis=0)
            node[name] = seen[at, np.arange(x.shape[1])]
            node[f"{name}_row"] = np.where(np.isfinite(node[name]), begin + at, -1).astype(np.int64)
        return node

    def merged(self, a: Node, b: Node) -> Node:
        smaller, larger = b["smallest"] < a["smallest"], b["largest"] > a["largest"]
        chosen = {"smallest": smaller, "smallest_row": smaller, "largest": larger, "largest_row": larger}
        return {name: np.where(later, b[name], a[name]) for name, later in chosen.items()}


@final
class Histogram(Reduction):
    """Counts in equal bins between two bounds; what lies below and above them is counted too.

    >>> from soadyn.studies import Histogram
    >>> Histogram(0.0, 1.0, bins=4).edges.tolist()
    [0.0, 0.25, 0.5, 0.75, 1.0]
    """

    def __init__(self, low: float, high: float, bins: int = 100) -> None:
        first, last = single(low), single(high)
        if not -np.inf < first < last < np.inf or not isinstance(bins, int) or not 1 <= bins <= MOST_BINS:
            raise ArgumentError(
                f"Histogram takes low < high and 1 to {MOST_BINS:,} bins, got {shown(low)}, {shown(high)}, "
                f"{shown(bins)}"
            )
        self.low, self.high, self.bins = first, last, bins

    def __repr__(self) -> str:
        return f"Histogram({self.low}, {self.high}, bins={self.bins})"

    @property
    def edges(self) -> np.ndarray:
        """The bounds of the bins, (bins + 1,)."""
        return np.linspace(self.low, self.high, self.bins + 1)

    def content(self) -> tuple[Any, ...]:
        return (self.low, self.high, self.bins)

    def of(self, x: np.ndarray, good: np.ndarray, begin: int, leaf: int) -> Node:
        seen = x if good.all() else x[good]
        place = np.clip(np.floor((seen - self.low) * (self.bins / (self.high - self.low))), -1, self.bins) + 1
        place = np.where(seen == self.high, self.bins, place).astype(np.int64)
        counts = [np.bincount(column, minlength=self.bins + 2) for column in place.T]
        return {"counts": np.stack(counts).astype(np.int64)}

    def merged(self, a: Node, b: Node) -> Node:
        return {"counts": a["counts"] + b["counts"]}


@final
class Sketch(Reduction):
    """Counts in buckets whose width is 2^-10 of their value: a quantile is within 2^-11, 0.05 %, of its value.

    A bucket is a number's sign, exponent and first ten bits after it, so buckets cover all finite numbers and two
    sketches add up exactly (as of HdrHistogram, G. Tene, and DDSketch, Masson, Rim and Lee, VLDB 2019).
    """

    def of(self, x: np.ndarray, good: np.ndarray, begin: int, leaf: int) -> Node:
        parts = [counted(np.ascontiguousarray(column)) for column in (x if good.all() else x[good]).T]
        component = np.repeat(np.arange(len(parts)), [len(keys) for keys, _ in parts])
        empty = np.zeros(0, np.int64)
        keys = np.concatenate([keys for keys, _ in parts]) if parts else empty
        counts = np.concatenate([counts for _, counts in parts]) if parts else empty
        return {"component": component.astype(np.int64), "bucket": keys, "count": counts}

    def merged(self, a: Node, b: Node) -> Node:
        component = np.concatenate([a["component"], b["component"]])
        bucket, count = (np.concatenate([a[name], b[name]]) for name in ("bucket", "count"))
        order = np.lexsort((bucket, component))
        component, bucket, count = component[order], bucket[order], count[order]
        first = np.ones(len(order), dtype=bool)
        first[1:] = (np.diff(component) != 0) | (np.diff(bucket) != 0)
        sums = np.add.reduceat(count, np.flatnonzero(first)) if len(order) else count
        return {"component": component[first], "bucket": bucket[first], "count": sums}


def counted(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The buckets that numbers fall into, ascending, and how many fall into each."""
    bits = x.view(np.int64)
    magnitude = (bits & np.int64(2**63 - 1)) >> SHIFT
    negative = bits < 0
    below, its_counts = _used(magnitude[negative])
    above, counts = _used(magnitude[~negative])
    return np.concatenate([-1 - below[::-1], above]), np.concatenate([its_counts[::-1], counts])


def _used(keys: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Different whole numbers, ascending, and how often each is there."""
    if not len(keys):
        return keys, keys
    low = keys.min()
    if keys.max() - low > MOST_SPREAD:
        found, counts = np.unique(keys, return_counts=True)
        return found, counts.astype(np.int64)
    counts = np.bincount(keys - low)
    used = np.flatnonzero(counts)
    return used + low, counts[used].astype(np.int64)


def bucket_middle(bucket: np.ndarray) -> np.ndarray:
    """The number in the middle of a bucket."""
    magnitude = np.where(bucket < 0, -1 - bucket, bucket)
    x = ((magnitude << SHIFT) + (1 << (SHIFT - 1))).astype(np.int64).view(np.float64)
    return np.asarray(np.where(bucket < 0, -x, x))


REDUCTIONS: dict[str, Reduction] = {"moments": Moments(), "extremes": Extremes(), "quantiles": Sketch()}
DEFAULT = tuple(REDUCTIONS)
