"""What callers pass, as arrays of numbers: no masked entry read, no text or boolean taken for a number."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from soadyn.errors import ShapeError

_DOUBLE = np.dtype(float)


class NotNumbersError(TypeError, ValueError):
    """Something is no array of numbers; the message is a predicate such as "is ragged"."""


def array_of_numbers(x: Any) -> np.ndarray:
    """x as an array of floats, complex numbers or mpmath numbers; integers and fractions become floats."""
    if type(x) is np.ndarray and x.dtype is _DOUBLE:  # by far the most common: nothing to look at
        return x
    if isinstance(x, np.ma.MaskedArray | list | tuple) and _holds_masked(x):
        raise NotNumbersError("has masked entries")
    try:
        array = np.asarray(x)
    except ValueError:
        raise NotNumbersError("is ragged") from None
    if array.dtype == object:
        return _unboxed(array)
    if array.dtype.kind in "iu" or array.dtype == np.float16:
        return array.astype(float)
    if array.dtype.kind not in "fc":
        raise NotNumbersError(f"has dtype {array.dtype}")
    return array if array.dtype.isnative else array.astype(array.dtype.newbyteorder("="))


def real_array(x: Any) -> np.ndarray:
    """x as an array of float64; other kinds of real numbers are rounded, complex ones refused."""
    array = array_of_numbers(x)
    if array.dtype.kind == "c":
        raise NotNumbersError(f"has dtype {array.dtype}")
    try:
        return array.astype(float, copy=False)
    except TypeError:  # mpmath's complex numbers
        raise NotNumbersError("holds complex numbers") from None


def shaped(name: str, x: Any, trailing: tuple[int, ...], meaning: str) -> np.ndarray:
    """The argument `name` as an array of numbers (..., *trailing), or an error that says what it is instead."""
    try:
        array = array_of_numbers(x)
    except NotNumbersError as error:
        raise ShapeError(f"argument {name!r} {error}; expected numbers {_batch_of(trailing)}, {meaning}") from None
    if array.shape[array.ndim - len(trailing) :] != trailing or array.ndim < len(trailing):
        raise ShapeError(f"argument {name!r} has shape {array.shape}; expected {_batch_of(trailing)}, {meaning}")
    return array


def _batch_of(trailing: tuple[int, ...]) -> str:
    return f"({', '.join(['...', *map(str, trailing)])})"


def real_only(array: np.ndarray, what: str, of: str) -> np.ndarray:
    """The array, unless it holds anything but real numbers; `what` and `of` are for the message."""
    if array.dtype.kind != "f":
        raise ShapeError(f"{what} has dtype {array.dtype}; {of} takes real numbers")
    return array


def common_batch(shapes: Mapping[str, tuple[int, ...]]) -> tuple[int, ...]:
    """What batch axes broadcast to, or an error that names whose do not."""
    try:
        return np.broadcast_shapes(*shapes.values())
    except ValueError:
        listed = ", ".join(f"{name} {shape}" for name, shape in shapes.items() if shape)
        raise ShapeError(f"batch axes do not broadcast: {listed}") from None


def _holds_masked(x: Any) -> bool:
    if isinstance(x, np.ma.MaskedArray):
        return bool(np.ma.is_masked(x))
    return isinstance(x, list | tuple) and any(_holds_masked(item) for item in x)


def _unboxed(array: np.ndarray) -> np.ndarray:
    """An array of Python objects as numbers: mpmath's stay objects, all others become floats or complex numbers."""
    found = [_number(x) for x in array.flat]
    if any(_is_mpmath(x) for x in found):
        numbers = np.empty(len(found), dtype=object)
        numbers[:] = found
    else:
        numbers = np.array(found, dtype=complex if any(isinstance(x, complex) for x in found) else float)
    return numbers.reshape(array.shape)


def _is_mpmath(x: Any) -> bool:
    return hasattr(x, "_mpf_") or hasattr(x, "_mpc_")


def _number(x: Any) -> Any:
    if _is_mpmath(x):
        return x
    if isinstance(x, str | bytes | bool | np.bool_ | np.ndarray | np.datetime64 | np.timedelta64):
        raise NotNumbersError(f"holds {x!r:.60}, which is no number")
    if isinstance(x, complex | np.complexfloating):
        return complex(x)
    if type(x).__module__.startswith("sympy."):
        raise NotNumbersError(f"holds the SymPy expression {x!s:.60}; robot.symbolic(QUANTITY) makes expressions of it")
    try:
        return float(x)
    except OverflowError:
        raise NotNumbersError(f"holds {_shown(x)}, which is too large for a float") from None
    except (TypeError, ValueError):
        raise NotNumbersError(f"holds {_shown(x)}, which is no number") from None


def _shown(x: Any) -> str:
    # str of an integer with thousands of digits takes long, and Python may refuse it.
    return f"an integer of {x.bit_length()} bits" if isinstance(x, int) else f"{x!r:.60}"
