"""Random numbers of rows: functions of the study's seed and the row's number, by Philox's counter.

J. K. Salmon et al., Parallel random numbers: as easy as 1, 2, 3 (SC 2011): the numbers 4 n to 4 n + 3 of a stream are a
function of its key and n, so any row's are found without those before it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from soadyn.errors import ArgumentError

AT_ONCE = 4  # numbers of one count
MOST_SEED = 2**63 - 1
VALUES, SEEDS = 1, 2  # what a stream is for


def checked_seed(seed: Any) -> int:
    """A seed: a whole number that a file can hold."""
    if not isinstance(seed, int | np.integer) or isinstance(seed, bool) or not 0 <= seed <= MOST_SEED:
        raise ArgumentError(f"a study's seed is a whole number from 0 to 2^63 - 1, got {seed!r:.80}")
    return int(seed)


def uniform_rows(seed: int, begin: int, end: int, width: int) -> np.ndarray:
    """Numbers from 0 to 1, 1 excluded, (end - begin, width).

    >>> bool((uniform_rows(3, 5, 9, 2)[1] == uniform_rows(3, 6, 7, 2)[0]).all())
    True
    """
    counts = -(-width // AT_ONCE)
    numbers = np.random.Generator(_stream(seed, VALUES, begin * counts)).random((end - begin, AT_ONCE * counts))
    return numbers[:, :width]


def row_seeds(seed: int, begin: int, end: int) -> np.ndarray:
    """A seed for each row, whole numbers of 64 bits.

    >>> bool((row_seeds(3, 5, 9)[1:] == row_seeds(3, 6, 9)).all())
    True
    """
    raw = _stream(seed, SEEDS, begin).random_raw(AT_ONCE * (end - begin))
    return np.asarray(raw).reshape(-1, AT_ONCE)[:, 0]


def row_generator(row_seed: int) -> np.random.Generator:
    """The random numbers of one row."""
    return np.random.Generator(np.random.Philox(key=int(row_seed)))


def _stream(seed: int, purpose: int, count: int) -> np.random.Philox:
    stream = np.random.Philox(key=np.array([seed, purpose], dtype=np.uint64))
    stream.advance(int(count))
    return stream
