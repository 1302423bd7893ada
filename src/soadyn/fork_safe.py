"""Locks and cached attributes for processes that fork: of its parent's threads a child has only the one that forked.

A lock that another thread held at that moment stays held in the child for ever, unless it is one of these.
"""

from __future__ import annotations

import functools
import os
from threading import Lock, RLock
from types import TracebackType
from typing import Any, Self, TypeVar, final, overload
from weakref import WeakSet

T = TypeVar("T", covariant=True)


@final
class cached_property(functools.cached_property[T]):  # noqa: N801
    """`functools.cached_property` without the lock that Python 3.11 holds while the first value is computed.

    Two threads may compute the same value; both get that of the first to finish.
    """

    @overload
    def __get__(self, instance: None, owner: type[Any] | None = None) -> Self: ...
    @overload
    def __get__(self, instance: object, owner: type[Any] | None = None) -> T: ...
    def __get__(self, instance: object, owner: type[Any] | None = None) -> Self | T:
        if instance is None:
            return self
        assert self.attrname is not None
        return vars(instance).setdefault(self.attrname, self.func(instance))


@final
class ForkedLock:
    """A lock for `with` statements; in a forked child it is new, whoever held it in the parent.

    What it guards must be usable at any moment, a dictionary for instance.
    """

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


def lock_that_forks_wait_for() -> Any:
    """A reentrant lock that no thread but the forking one holds when a process forks."""
    lock = RLock()
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(before=lock.acquire, after_in_parent=lock.release, after_in_child=lock.release)
    return lock


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_renew_all)
