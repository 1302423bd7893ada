"""What a recording tells of unknowns in which its equations are linear, and what it does not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

import numpy as np

from soadyn.errors import ArgumentError

# Singular values below this part of the largest, columns scaled to length one, are rounding.
ROUNDING = 1e-12
# A parameter with no more than this part in what is not told is told itself.
PART = 1e-6
LISTED = 8


@final
@dataclass(frozen=True, eq=False)
class Told:
    """Counts and rank of equations A x = b, and which unknowns they leave open.

    without   names of unknowns that no equation holds
    combined  names of unknowns of which combinations alone are told
    """

    equations: int
    unknowns: int
    rank: int
    without: tuple[str, ...]
    combined: tuple[str, ...]

    @staticmethod
    def of(A: np.ndarray, names: Sequence[str]) -> Told:
        """A is (equations, unknowns); what counts as zero is relative to the longest column."""
        length = np.linalg.norm(A, axis=0)
        empty = length <= ROUNDING * length.max(initial=0.0)
        scaled = np.where(empty, 0.0, A / np.where(empty, 1.0, length))
        tall = np.concatenate([scaled, np.zeros((max(0, scaled.shape[1] - len(A)), scaled.shape[1]))])
        _, s, Vt = np.linalg.svd(np.linalg.qr(tall, mode="r"))
        open_ = s <= ROUNDING * s.max(initial=0.0)
        part = np.linalg.norm(Vt[open_], axis=0)
        return Told(
            len(A),
            A.shape[1],
            int((~open_).sum()),
            tuple(name for name, x in zip(names, empty, strict=True) if x),
            tuple(name for name, x, none in zip(names, part, empty, strict=True) if x > PART and not none),
        )

    @property
    def open(self) -> tuple[str, ...]:
        """Names of all unknowns that are not told."""
        return self.without + self.combined

    def __str__(self) -> str:
        text = f"{self.equations} equations for {self.unknowns} unknowns have rank {self.rank}"
        if self.without:
            text += f"; nothing is told of {_listed(self.without)}"
        if self.combined:
            text += f"; combinations alone are told of {_listed(self.combined)}"
        return text

    def check(self, who: str, hint: str) -> None:
        """Complain unless every unknown is told."""
        if self.open:
            raise ArgumentError(f"{who}: the recording does not tell all unknowns: {self}; {hint}")


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - LISTED} more" if len(names) > LISTED else ""
    return ", ".join(names[:LISTED]) + more
