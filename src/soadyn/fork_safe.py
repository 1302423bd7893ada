"""What a child forked at any moment can go on with, though of its parent's threads it has only the one that forked."""

from __future__ import annotations

import functools
import os
from threading import RLock
from typing import Any, Self, TypeVar, final, overload

T = TypeVar("T", covariant=True)


@final
class cached_property(functools.cached_property[T]):  # noqa: N801
    """`functools.cached_property` without the lock that Python 3.11 holds while the first value is computed.

    A child forked meanwhile would inherit that lock, held by a thread that it does not have, and wait for ever. Without
    the lock two threads may compute the same value; both get that of the first to finish.
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


def lock_that_forks_wait_for() -> Any:
    """A reentrant lock that no thread but the forking one holds when a process forks."""
    lock = RLock()
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(before=lock.acquire, after_in_parent=lock.release, after_in_child=lock.release)
    return lock
