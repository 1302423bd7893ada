"""Rows of a batch that have no answer, and the messages about them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, final

import numpy as np


@final
@dataclass(frozen=True, slots=True)
class Fault:
    """Rows that are bad for one reason."""

    reason: str
    rows: np.ndarray  # booleans of batch shape


@final
@dataclass(slots=True)
class Faults:
    """All the bad rows of a call; a row keeps the first reason found."""

    batch: tuple[int, ...]
    found: list[Fault] = field(default_factory=list)
    rows: np.ndarray = field(init=False)

    def __post_init__(self) -> None:
        self.rows = np.zeros(self.batch, dtype=bool)

    def add(self, reason: str, rows: Any) -> None:
        fresh = np.broadcast_to(rows, self.batch) & ~self.rows
        if fresh.any():
            self.found.append(Fault(reason, fresh))
            self.rows |= fresh

    def __bool__(self) -> bool:
        return bool(self.found)

    def summary(self, quantity: str) -> str:
        """One line: how many rows, and why."""
        total = int(np.prod(self.batch, dtype=int))
        what = "the state" if not self.batch else f"{int(self.rows.sum())} of {total} rows"
        reasons = "; ".join(fault.reason for fault in self.found[:3]) + ("; ..." if len(self.found) > 3 else "")
        return f"{quantity}: {what} came out NaN: {reasons}"

    def first(self, quantity: str) -> str:
        """One line about the first bad row."""
        index = tuple(int(i) for i in np.argwhere(self.rows)[0])
        fault = next(fault for fault in self.found if fault.rows[index])
        where = f" row {index[0] if len(index) == 1 else index}" if index else ""
        return f"{quantity}:{where}{':' if where else ''} {fault.reason}"
