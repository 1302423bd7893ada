"""Where a number lies among ascending knots."""

from __future__ import annotations

import numpy as np


def interval_of(knots: np.ndarray, x: np.ndarray) -> np.ndarray:
    """The number of the interval in which each x (...) lies: from knot k up to the next; outside the nearest interval.

    >>> interval_of(np.array([0.0, 1.0, 3.0]), np.array([-1.0, 0.0, 1.0, 3.0, 9.0])).tolist()
    [0, 0, 1, 1, 1]
    """
    return np.clip(np.searchsorted(knots, x, side="right") - 1, 0, len(knots) - 2)
