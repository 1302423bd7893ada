"""Values of the sweeps taken apart into scalars, and put together again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np

from soadyn.mechanics.spatial.drift import Drift
from soadyn.mechanics.spatial.inertia import ArticulatedInertia, Inertia
from soadyn.mechanics.spatial.quadratic import Quadratic
from soadyn.mechanics.spatial.screw import Screw
from soadyn.mechanics.spatial.transform import Transform
from soadyn.mechanics.spatial.vector import Column, Six, Spatial, Three

UPPER = [(i, j) for i in range(3) for j in range(i, 3)]


def scalars(value: Any) -> list[Any]:
    """A shared value's independent scalars: the upper half of what is symmetric."""
    match value:
        case Spatial(angular, linear):
            return [*angular.flat, *linear.flat]
        case Transform(R, l):
            return [*R.flat, *l.flat]
        case Inertia(J, mp, m):
            return [*(J[i, j] for i, j in UPPER), *mp.flat, *m.flat]
        case ArticulatedInertia(A, B, C):
            return [*(A[i, j] for i, j in UPPER), *B.flat, *(C[i, j] for i, j in UPPER)]
        case Drift(B, p):
            return [*B.flat, *p.flat]
        case Quadratic(constant, linear, square):
            return [*scalars(constant), *scalars(linear), *scalars(square)]
        case np.ndarray():
            return [*value.flat]
    raise TypeError(type(value))


COUNTS = {
    Spatial: 6,
    Three: 18,
    Six: 36,
    Column: 3,
    Transform: 12,
    Inertia: 10,
    Drift: 12,
    ArticulatedInertia: 21,
    Quadratic: 168,
}


def assembled(kind: type, entries: Sequence[Any]) -> Any:
    """The shared value of a kind with the given scalars."""
    if kind is Spatial:
        return _columns(entries, 1)
    if kind is Column:
        return array_of(entries, (3, 1))
    if kind is Three:
        return _columns(entries, 3)
    if kind is Six:
        return _columns(entries, 6)
    if kind is Quadratic:
        return Quadratic(_columns(entries[:6], 1), _columns(entries[6:42], 6), _columns(entries[42:], 21))
    if kind is Transform:
        return Transform(array_of(entries[:9], (3, 3)), array_of(entries[9:], (3, 1)))
    if kind is Inertia:
        return Inertia(_symmetric(entries[:6]), array_of(entries[6:9], (3, 1)), array_of(entries[9:], (1, 1)))
    if kind is Drift:
        return Drift(array_of(entries[:9], (3, 3)), array_of(entries[9:], (3, 1)))
    if kind is ArticulatedInertia:
        return ArticulatedInertia(_symmetric(entries[:6]), array_of(entries[6:15], (3, 3)), _symmetric(entries[15:]))
    raise TypeError(kind)


def _columns(entries: Sequence[Any], count: int) -> Spatial:
    half = 3 * count
    return Spatial(array_of(entries[:half], (3, count)), array_of(entries[half:], (3, count)))


def _symmetric(entries: Sequence[Any]) -> np.ndarray:
    full = np.empty((3, 3), dtype=object)
    for (i, j), entry in zip(UPPER, entries, strict=True):
        full[i, j] = full[j, i] = entry
    return full


def array_of(entries: Sequence[Any], shape: tuple[int, ...]) -> np.ndarray:
    """An array of scalars."""
    array = np.empty(len(entries), dtype=object)
    array[:] = entries
    return array.reshape(shape)


def changed(value: Any, change: Callable[[Any], Any]) -> Any:
    """The same value with every scalar in it changed."""
    if is_dataclass(value) and not isinstance(value, type):
        return type(value)(*(changed(getattr(value, field.name), change) for field in fields(value)))
    if isinstance(value, list):
        return [changed(item, change) for item in value]
    if isinstance(value, tuple) and all(isinstance(item, Screw) for item in value):
        return tuple(changed(item, change) for item in value)
    if value is None:
        return None
    if isinstance(value, np.ndarray):
        new = np.empty(value.shape, dtype=object)
        for index in np.ndindex(value.shape):
            new[index] = change(value[index])
        return new
    return change(value)
