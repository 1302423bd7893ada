"""Locks that a forked child finds free: of its parent's threads it has only the one that forked."""

from __future__ import annotations

import os
from threading import Lock
from types import TracebackType
from typing import final
from weakref import WeakSet


@final
class ForkedLock:
    """A lock for `with` statements; in a forked child it is new, whoever held it in the parent."""

    __slots__ = ("__weakref__", "_lock")

    def __init__(self) -> None:
        self.renew()
        _all.add(self)

    def renew(self) -> None:
        self._lock = Lock()

    def __enter__(self) -> None:
        self._lock.acquire()

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._lock.release()


_all: WeakSet[ForkedLock] = WeakSet()


def _renew_all() -> None:
    for lock in _all:
        lock.renew()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_renew_all)
