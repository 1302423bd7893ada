"""What a study is, in short texts for those who find its folder; nothing is computed from them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from soadyn.errors import visible

MOST = 16  # numbers of an array, and entries of a table, that are written out
LONGEST = 400  # characters of a text


def told(content: Mapping[str, Any]) -> dict[str, Any]:
    """Values as JSON has them: short numbers and texts, long arrays as their shape.

    >>> told({"step": 0.01, "q0": np.zeros(3), "way": np.zeros((100, 2))})
    {'step': 0.01, 'q0': [0.0, 0.0, 0.0], 'way': 'array of shape (100, 2)'}
    """
    found = {name: _told(x) for name, x in list(content.items())[:MOST]}
    return found if len(content) <= MOST else found | {"...": f"{len(content) - MOST} more"}


def _told(x: Any) -> Any:
    if x is None or isinstance(x, bool | int):
        return x
    if isinstance(x, float | np.ndarray | np.generic | list | tuple):
        try:
            numbers = np.asarray(x, dtype=float)
        except (TypeError, ValueError):
            return short(repr(x))
        if numbers.size <= MOST and np.isfinite(numbers).all():
            return numbers.tolist()
        return f"array of shape {numbers.shape}" if numbers.ndim else str(x)
    return told(x) if isinstance(x, Mapping) else short(x if isinstance(x, str) else repr(x))


def short(text: str) -> str:
    """A text that fits on a few lines, its unseen letters spelled out."""
    shown = visible(text)
    return shown if len(shown) <= LONGEST else shown[:LONGEST] + "..."
