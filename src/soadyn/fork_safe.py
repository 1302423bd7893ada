"""Locks, cached attributes and things made once, for processes that fork and have threads.

Of its parent's threads a forked child has only the one that forked. A lock that another
thread held at that moment stays held in the child for ever, unless it is one of these.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Callable
from threading import Lock, RLock
from typing import Any, Generic, Self, TypeVar, final, overload
from weakref import WeakSet

T = TypeVar("T", covariant=True)
Made = TypeVar("Made")


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


# Locks of `forked_lock` that are in use.
_all: WeakSet[Any] = WeakSet()


def forked_lock() -> Any:
    """A lock for `with` statements; in a forked child it is free, whoever held it in the parent.

    What it guards must be usable at any moment, a dictionary for instance. It is Python's own lock: a Ctrl-C between
    taking it and the block would leave one that is written in Python held for ever.
    """
    lock = Lock()
    _all.add(lock)
    return lock


def _free_all() -> None:
    for lock in _all:
        lock._at_fork_reinit()


def lock_that_forks_wait_for() -> Any:
    """A reentrant lock that no thread but the forking one holds when a process forks."""
    lock = RLock()
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(before=lock.acquire, after_in_parent=lock.release, after_in_child=lock.release)
    return lock


# Held while native code is made. One lock for all of it: what is made once is often made of something else made once.
making = lock_that_forks_wait_for()


@final
class made_once(Generic[Made]):  # noqa: N801
    """A function without arguments that is run once in a process, however many threads ask for its result first.

    `functools.cache` would run it in each of them and drop all results but one. That must not happen to memory which
    others hold the address of.

    >>> @made_once
    ... def numbers():
    ...     return [1, 2, 3]
    >>> numbers() is numbers()
    True
    """

    def __init__(self, make: Callable[[], Made]) -> None:
        self._make = make
        self._made: list[Made] = []
        functools.update_wrapper(self, make)

    def __call__(self) -> Made:
        if not self._made:
            with making:
                if not self._made:
                    self._made.append(self._make())
        return self._made[0]

    def cache_clear(self) -> None:
        """Forget the result, as `functools.cache` does."""
        self._made = []


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_free_all)
