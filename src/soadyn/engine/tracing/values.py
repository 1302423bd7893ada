"""Values of the sweeps taken apart into numbers, and put together again."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from itertools import islice
from types import MappingProxyType
from typing import Any

import numpy as np

from soadyn.mechanics.spatial.drift import Drift
from soadyn.mechanics.spatial.inertia import ArticulatedInertia, Inertia
from soadyn.mechanics.spatial.quadratic import Quadratic
from soadyn.mechanics.spatial.transform import Transform
from soadyn.mechanics.spatial.vector import Column, Six, Spatial, Three


def leaves(value: Any) -> list[Any]:
    """A value's independent numbers: of a part that its class says is symmetric the upper half."""
    match value:
        case None | int():  # what is not there, an axis, or an empty sum
            return []
        case np.ndarray():
            return list(value.flat)
        case list() | tuple():
            return [x for item in value for x in leaves(item)]
        case _ if is_dataclass(value):
            found: list[Any] = []
            for field in fields(value):
                part = getattr(value, field.name)
                found += part[np.triu_indices(len(part))].tolist() if field.metadata else leaves(part)
            return found
    return [value]


def rebuild(like: Any, numbers: Iterable[Any]) -> Any:
    """A value of the same form with other numbers."""
    rest = iter(numbers)

    def again(part: Any) -> Any:
        match part:
            case None | int():
                return part
            case np.ndarray():
                return array_of(list(islice(rest, part.size)), part.shape)
            case list() | tuple():
                return type(part)(again(item) for item in part)
            case _ if is_dataclass(part):
                parts = [(getattr(part, field.name), field.metadata) for field in fields(part)]
                kind: Any = type(part)
                return kind(*(symmetric(len(x)) if metadata else again(x) for x, metadata in parts))
        return next(rest)

    def symmetric(size: int) -> np.ndarray:
        full = np.empty((size, size), dtype=object)
        for i, j in zip(*np.triu_indices(size), strict=True):
            full[i, j] = full[j, i] = next(rest)
        return full

    return again(like)


def array_of(entries: Sequence[Any], shape: tuple[int, ...]) -> np.ndarray:
    """An array of scalars."""
    array = np.empty(len(entries), dtype=object)
    array[:] = entries
    return array.reshape(shape)


def _columns(count: int) -> Spatial:
    return Spatial(np.zeros((3, count)), np.zeros((3, count)))


# Of each kind of value that links share some value, and how many numbers it has.
EXAMPLES: Mapping[type, Any] = MappingProxyType(
    {
        Spatial: _columns(1),
        Three: _columns(3),
        Six: _columns(6),
        Column: np.zeros((3, 1)),
        Transform: Transform.identity(),
        Inertia: Inertia.zero(),
        Drift: Drift(np.zeros((3, 3)), np.zeros((3, 1))),
        ArticulatedInertia: ArticulatedInertia(np.zeros((3, 3)), np.zeros((3, 3)), np.zeros((3, 3))),
        Quadratic: Quadratic(_columns(1), _columns(6), _columns(21)),
    }
)
COUNTS: Mapping[type, int] = MappingProxyType({kind: len(leaves(value)) for kind, value in EXAMPLES.items()})


def assembled(kind: type, numbers: Iterable[Any]) -> Any:
    """The shared value of a kind with the given numbers."""
    return rebuild(EXAMPLES[kind], numbers)
