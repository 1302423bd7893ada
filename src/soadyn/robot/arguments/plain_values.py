"""Checks of arguments that are plain values: numbers, whole numbers, flags, words."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import numpy as np

from soadyn.errors import ArgumentError, ShapeError
from soadyn.mechanics.spatial.reading import real_only
from soadyn.robot.arguments import arguments


def real(name: str, x: Any, *trailing: int, meaning: str, of: str = "a simulation") -> np.ndarray:
    """x as floats (..., *trailing); complex numbers and objects are refused, `of` says by what."""
    return floats(arguments.numbers(name, x, *trailing, meaning=meaning), f"argument {name!r}", of)


def floats(array: np.ndarray, what: str, of: str = "a simulation") -> np.ndarray:
    """An array of real numbers as float64; `what` and `of` are for the message."""
    return real_only(array, what, of).astype(float, copy=False)


def positive(name: str, x: Any, of: str = "", zero: bool = False) -> float:
    """A number that must be finite and positive, or zero where that is allowed; `of` is the function that asks."""
    number = single(x)
    if not (0 < number < np.inf or (zero and number == 0)):
        wanted = "a positive number or zero" if zero else "a positive number"
        raise ArgumentError(f"{f'{of}: ' if of else ''}{name} must be {wanted}, got {shown(x)}")
    return number


def whole(name: str, x: Any, least: int, most: float = 1e9) -> int:
    """A whole number between bounds."""
    number = single(x)
    if not (least <= number <= most and number == np.floor(number)):
        raise ArgumentError(f"{name} must be a whole number from {least} to {most:g}, got {shown(x)}")
    return int(number)


def flag(name: str, x: Any) -> bool:
    """True or False."""
    if not isinstance(x, bool | np.bool_):
        raise ArgumentError(f"{name} must be True or False, got {shown(x)}")
    return bool(x)


def word(name: str, x: Any, words: Collection[str]) -> str:
    """One of some words."""
    if not isinstance(x, str) or x not in words:
        wanted = " or ".join(f'"{known}"' for known in words)
        raise ArgumentError(f"{name} must be {wanted}, got {shown(x)}")
    return x


def single(x: Any) -> float:
    """x as a float if it is one real number, otherwise NaN."""
    try:
        array = arguments.numbers("x", x, meaning="a number")
        return float(array) if array.ndim == 0 and array.dtype.kind != "c" else np.nan
    except (ShapeError, TypeError, ValueError, OverflowError):
        return np.nan


def shown(x: Any) -> str:
    """A value in a message; Python refuses to write integers of thousands of digits."""
    return "an integer of many digits" if isinstance(x, int) and abs(x) > 10**60 else f"{x!r:.80}"
