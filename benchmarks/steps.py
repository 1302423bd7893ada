"""A step of the ladder: somebody's call over a batch, and what it is compared with."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Step:
    """A call over all states of a batch."""

    who: str
    call: Callable[[], Any]
    rows: Callable[[], np.ndarray] | None = None  # what it finds for the first states at least, in our order
    before: str = ""  # the step that it is compared with
    note: str = ""
