"""Reductions: mean and variance, extremes, quantiles and histograms of rows that are not kept.

Rows are reduced in leaves of a fixed number, leaves are combined in pairs, pairs in pairs, and so on: a tree over the
rows' numbers. A chunk is a node of the tree, so the bits of a result depend neither on the chunks' sizes nor on who
computed which. Rows that failed do not count.
"""

from __future__ import annotations

from typing import Any, final

import numpy as np

from soadyn.errors import ArgumentError
from soadyn.robot.arguments.plain_values import shown, single
from soadyn.studies.reduction import Node, Reduction
from soadyn.studies.sketch import Sketch

MOST_BINS = 1_000_000


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


REDUCTIONS: dict[str, Reduction] = {"moments": Moments(), "extremes": Extremes(), "quantiles": Sketch()}
DEFAULT = tuple(REDUCTIONS)
