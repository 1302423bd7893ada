"""A sketch of a distribution, for quantiles of rows that are not kept."""

from __future__ import annotations

from typing import final

import numpy as np

from soadyn.studies.reduction import Node, Reduction

MANTISSA = 10  # bits of a number that tell the buckets apart: each is 2^-10 of its value wide
SHIFT = 52 - MANTISSA
MOST_SPREAD = 1 << 17  # buckets that are counted by an array rather than by sorting


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
