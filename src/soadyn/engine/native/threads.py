"""The threads that a large batch is split over."""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from soadyn.engine import policy
from soadyn.errors import ArgumentError
from soadyn.fork_safe import forked_lock


@dataclass(slots=True)
class Limits:
    """How many threads a call may use."""

    threads: int = os.cpu_count() or 1


limits = Limits()
_here = threading.local()
_pool: ThreadPoolExecutor | None = None
_pool_lock = forked_lock()


def set_threads(n: int) -> None:
    """Bound the threads that one call's batch is split over; the default is the number of processors.

    >>> import soadyn as sd
    >>> sd.set_threads(1)
    """
    global _pool
    if not isinstance(n, int) or isinstance(n, bool) or n < 1:
        raise ArgumentError(f"set_threads takes a whole number, one or more, got {n!r}")
    with _pool_lock:
        if n != limits.threads:
            _pool = None  # calls under way keep the old one until they are done
        limits.threads = n


@contextlib.contextmanager
def one_thread() -> Iterator[None]:
    """Calls that this thread makes inside the block are not split: for whoever computes many batches at once."""
    before = getattr(_here, "threads", None)
    _here.threads = 1
    try:
        yield
    finally:
        _here.threads = before


def split(rows: int, operations: int) -> list[slice]:
    """Slices that make up so many rows: one, or one for each thread that the operations fill."""
    allowed = getattr(_here, "threads", None) or limits.threads
    parts = min(allowed, rows, operations // policy.WORK_PER_THREAD)
    if parts <= 1:
        return [slice(0, rows)]
    return [slice(*edge) for edge in pairwise(rows * i // parts for i in range(parts + 1))]


def in_threads(slices: Sequence[slice], part: Callable[[slice], Any]) -> list[Any]:
    """What `part` gives for each slice, each in a thread of its own if there are several."""
    return [part(slices[0])] if len(slices) == 1 else list(_started().map(part, slices))


def _started() -> ThreadPoolExecutor:
    """The threads, started when a batch first needs them."""
    global _pool
    with _pool_lock:
        if _pool is None:
            _pool = ThreadPoolExecutor(max_workers=limits.threads, thread_name_prefix="soadyn")
        return _pool


def _after_fork() -> None:
    """A forked child has none of its parent's threads."""
    global _pool
    _pool = None


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
