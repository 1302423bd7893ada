"""What goes wrong with studies: their folders, and rows that have no answer."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import final

import numpy as np

from soadyn.errors import SoadynError


class StudyError(SoadynError):
    """A study cannot go on, or its folder is not what it should be. Chunks that were finished stay."""


class NotDroppedError(StudyError):
    """A chunk is not to be taken away: it may not be read, or it is sound and of another length than is planned."""


@final
@dataclass(frozen=True, slots=True, eq=False)
class Failures:
    """Rows without an answer: their numbers, ascending, and why.

    >>> failed = Failures(np.array([3, 8]), ("a mass is negative",), np.array([0, 0]))
    >>> len(failed), failed.reason(8)
    (2, 'a mass is negative')
    """

    rows: np.ndarray
    reasons: tuple[str, ...]
    which: np.ndarray  # of the reasons, for each row

    def __len__(self) -> int:
        return len(self.rows)

    def reason(self, row: int) -> str:
        """Why a row has no answer; empty if it has one."""
        at = int(np.searchsorted(self.rows, row))
        found = at < len(self.rows) and self.rows[at] == row
        return self.reasons[self.which[at]] if found else ""

    def counts(self) -> dict[str, int]:
        """How many rows each reason has."""
        return {reason: int((self.which == k).sum()) for k, reason in enumerate(self.reasons)}


def failures_of(reasons: dict[int, str]) -> Failures:
    """Failures from reasons by row."""
    rows = sorted(reasons)
    texts = tuple(dict.fromkeys(reasons[row] for row in rows))
    number = {text: k for k, text in enumerate(texts)}
    return Failures(np.array(rows, dtype=np.int64), texts, np.array([number[reasons[row]] for row in rows], np.int64))


def joined(parts: Iterable[Failures]) -> Failures:
    """The failures of several chunks, in the order of the rows."""
    return failures_of(
        {row: part.reasons[k] for part in parts for row, k in zip(part.rows.tolist(), part.which, strict=True)}
    )
