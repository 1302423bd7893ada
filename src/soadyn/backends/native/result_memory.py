"""Memory for results.

The system clears memory before it hands it out, which takes longer than most kernels need to fill it. Large pieces are
therefore kept, up to a bound, and used again once no array lies in them any more.
"""

from __future__ import annotations

import math
import sys
from functools import lru_cache
from itertools import accumulate, pairwise
from typing import Any, final

import numpy as np

from soadyn.backends.native.fork_lock import ForkedLock

LARGE = 2**20  # bytes; smaller pieces are recycled by the C library
MOST_KEPT = 128 * 2**20
ALIGNMENT = 64  # a vector that straddles two lines of the cache is stored twice

Piece = np.ndarray[Any, np.dtype[np.uint8]]


Shapes = tuple[tuple[int, ...], ...]


def empty(batch: tuple[int, ...], shapes: Shapes, dtype: np.dtype[Any]) -> list[np.ndarray]:
    """New arrays of these shapes for each state of a batch, not cleared, in one piece of memory."""
    parts, total = apart(batch, shapes)
    size = total * dtype.itemsize
    memory = np.empty(total, dtype) if size < LARGE else _kept.aligned(size).view(dtype)
    return [memory[part].reshape(shape) for part, shape in parts]


@lru_cache(maxsize=256)
def apart(batch: tuple[int, ...], shapes: Shapes) -> tuple[list[tuple[slice, tuple[int, ...]]], int]:
    """Where each array lies if they follow each other, its shape, and how many numbers there are in all."""
    starts = list(accumulate((math.prod(batch + shape) for shape in shapes), initial=0))
    parts = [(slice(a, b), batch + shape) for (a, b), shape in zip(pairwise(starts), shapes, strict=True)]
    return parts, starts[-1]


def in_lines(batch: tuple[int, ...], shapes: Shapes, dtype: np.dtype[Any]) -> list[np.ndarray]:
    """The same with each state's part of an array on whole lines of the cache, which it has to itself."""
    line, states = ALIGNMENT // dtype.itemsize, math.prod(batch)
    counts = [math.prod(shape) for shape in shapes]
    steps = [-(-count // line) * line for count in counts]
    starts = list(accumulate((states * step for step in steps), initial=0))
    memory = _kept.aligned(starts[-1] * dtype.itemsize).view(dtype)
    return [
        memory[a:b].reshape(*batch, step)[..., :count].reshape(batch + shape)
        for (a, b), step, count, shape in zip(pairwise(starts), steps, counts, shapes, strict=True)
    ]


@final
class Kept:
    """Pieces of memory that were used for results, the latest last."""

    def __init__(self) -> None:
        self.pieces: list[Piece] = []
        self._lock = ForkedLock()

    def aligned(self, size: int) -> Piece:
        """So many bytes that no array lies in."""
        piece = self._taken(size + ALIGNMENT)
        start = -piece.ctypes.data % ALIGNMENT
        return piece[start : start + size]

    def _taken(self, size: int) -> Piece:
        with self._lock:
            users = _users(self.pieces)
            for i in reversed(range(len(users))):  # of the latest, most is still in the caches
                if users[i] == UNUSED and size <= len(self.pieces[i]) <= 2 * size:
                    self.pieces.append(self.pieces.pop(i))
                    return self.pieces[-1]
            self.pieces.append(np.empty(size, np.uint8))
            piece = self.pieces[-1]
            while self.pieces and sum(map(len, self.pieces)) > MOST_KEPT:
                del self.pieces[0]
            return piece


def _users(pieces: list[Piece]) -> list[int]:
    """How often each piece is referred to; an array that lies in one refers to it."""
    return [sys.getrefcount(piece) for piece in pieces]


UNUSED = _users([np.empty(0, np.uint8)])[0]
_kept = Kept()
