"""The content of values as bytes: equal for values that are alike, whatever process made them.

Read are numbers, texts, arrays, containers, and objects and functions of soadyn's own. Anything else, such as a
function from elsewhere, cannot be read.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from enum import Enum
from fractions import Fraction
from functools import cache
from types import FunctionType
from typing import Any, final

import numpy as np

PACKAGE = "soadyn"


class UnreadableError(Exception):
    """A value whose content cannot be read."""


def content_hash(*values: Any) -> str:
    """A hash of what values hold; raises `UnreadableError` if one cannot be read.

    >>> content_hash(1.0, "a") == content_hash(1.0, "a"), content_hash(1.0) == content_hash(1)
    (True, False)
    """
    content = Content()
    content.add(values)
    return hashlib.sha256(b"\0".join(content.pieces)).hexdigest()


@final
class Content:
    """The content of values as pieces of bytes; for an object that comes again, the number it got the first time."""

    def __init__(self) -> None:
        self.pieces: list[bytes] = []
        self._met: dict[int, int] = {}

    def add(self, x: Any) -> None:
        # A loop with a stack, not recursion: what long formulas are made of lies in one another thousands deep.
        waiting = [x]
        while waiting:
            waiting += reversed(self._opened(waiting.pop()))

    def _opened(self, x: Any) -> Sequence[Any]:
        """What is left to be read of a value after its first pieces."""
        match x:
            case None | bool() | int() | float() | str() | Fraction() | slice():
                self.pieces.append(f"{type(x).__name__} {x!r}".encode())
            case np.ndarray() if x.dtype != object:
                self.pieces += [f"array {x.dtype.str} {x.shape}".encode(), x.tobytes()]
            case _Others():
                return self._all("others", x)
            case tuple() | list():
                return self._all("sequence", x)
            case Mapping():
                return self._all("mapping", tuple(x.items()))
            case frozenset() | set() if all(isinstance(item, str) for item in x):
                return self._all("set", sorted(x))
            case Enum():
                self.pieces.append(f"{_name(type(x))} {x.name}".encode())
            case FunctionType():
                self.pieces.append(_name(x).encode())
            case _:
                return self._object(x)
        return ()

    def _all(self, what: str, items: Sequence[Any]) -> Sequence[Any]:
        self.pieces.append(f"{what} of {len(items)}".encode())
        return items

    def _object(self, x: Any) -> Sequence[Any]:
        if id(x) in self._met:
            self.pieces.append(f"number {self._met[id(x)]}".encode())
            return ()
        self._met[id(x)] = len(self._met)
        kind: Any = type(x)
        declared = self._all(_name(kind), [getattr(x, name, None) for name in _attributes(kind)])
        return declared if is_dataclass(kind) else (*declared, _Others(getattr(x, "__dict__", {}).items()))


@final
class _Others(tuple[Any, ...]):
    """What an object holds beside its declared attributes."""


@cache
def _attributes(kind: Any) -> tuple[str, ...]:
    """A class' declared attributes, without those that make no difference between two objects."""
    if is_dataclass(kind):
        return tuple(field.name for field in fields(kind) if field.compare)
    return tuple(name for base in kind.__mro__ for name in getattr(base, "__slots__", ()))


@cache
def _name(x: Any) -> str:
    """The name of one of soadyn's own functions or classes, by which it is found again."""
    found: Any = sys.modules.get(x.__module__)
    for part in x.__qualname__.split("."):
        found = getattr(found, part, None)
    if found is not x or x.__module__.partition(".")[0] != PACKAGE:
        raise UnreadableError(x)
    return f"{x.__module__} {x.__qualname__}"
