"""Memory for results.

The system clears memory before it hands it out, one page at a time, which takes longer than a kernel needs to fill it.
Large pieces are therefore kept, up to a share of the machine's memory, and used again once no array lies in them any
more. Small ones gain nothing; the C library recycles them.
"""

from __future__ import annotations

import math
import os
import sys
from typing import Any, final

import numpy as np

from soadyn.engine import policy
from soadyn.fork_safe import forked_lock

SHARE = 16  # at most this part of the machine's memory is kept

Piece = np.ndarray[Any, np.dtype[np.uint8]]
Shapes = tuple[tuple[int, ...], ...]


def empty(batch: tuple[int, ...], shapes: Shapes, dtype: np.dtype[Any]) -> list[np.ndarray]:
    """New contiguous arrays of these shapes for each state of a batch, not cleared."""
    return [_empty((*batch, *shape), dtype) for shape in shapes]


def _empty(shape: tuple[int, ...], dtype: np.dtype[Any]) -> np.ndarray:
    size = math.prod(shape) * dtype.itemsize
    return np.empty(shape, dtype) if size < policy.KEPT_RESULTS else _kept.piece(size)[:size].view(dtype).reshape(shape)


def most_kept() -> int:
    """How many bytes are kept at most; 128 MB where the machine does not tell its memory."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // SHARE
    except (AttributeError, OSError, ValueError):
        return 128 * 2**20


@final
class KeptMemory:
    """Pieces of memory that were used for results, the most recently used last."""

    def __init__(self) -> None:
        self.pieces: list[Piece] = []
        self._most = most_kept()
        self._lock = forked_lock()

    def piece(self, size: int) -> Piece:
        """Memory of that many bytes, or up to twice as many, in which no array lies."""
        with self._lock:
            users = _users(self.pieces)
            for i in reversed(range(len(users))):  # the most recently freed first: more of it is still in cache
                if users[i] == UNUSED and size <= len(self.pieces[i]) <= 2 * size:
                    self.pieces.append(self.pieces.pop(i))
                    return self.pieces[-1]
            piece = np.empty(size, np.uint8)
            self.pieces.append(piece)
            while self.pieces and sum(map(len, self.pieces)) > self._most:
                del self.pieces[0]
            return piece


def _users(pieces: list[Piece]) -> list[int]:
    """How often each piece is referred to; an array that lies in one refers to it."""
    return [sys.getrefcount(piece) for piece in pieces]


UNUSED = _users([np.empty(0, np.uint8)])[0]
_kept = KeptMemory()
