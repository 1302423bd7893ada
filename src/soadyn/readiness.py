"""Kernels kept at hand for the short cut of `methods`, by quantity and options."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any

import numpy as np

from soadyn import halves
from soadyn.backends.constants import Constants
from soadyn.backends.native import run as native
from soadyn.coordinates import Coordinates
from soadyn.evaluation import prepared, unpacked
from soadyn.quantities import Quantity

# Calls whose kernels are kept at most; passive sets can be many.
MOST_READY = 1000
# Arguments that are not arrays of numbers; a passive set has a key of its own.
OPTIONS = ("external", "frame", "frames", "axes", "about")


def make_ready(
    known: dict[Any, Any],
    constants: Constants,
    space: Coordinates,
    kernels: native.Kernels,
    quantity: Quantity,
    given: Mapping[str, Any],
) -> None:
    """Keeps the kernel of a call for the short cut of `methods`: for options that are names, and one batch axis."""
    q, options = given["q"], _remembered(quantity, given)
    if not isinstance(q, np.ndarray) or q.dtype != np.float64 or q.ndim > 2 or options is None:
        return
    rows = 1 if q.ndim == 1 else len(q)
    key = (quantity.name, *options, *([rows >= native.limits.large] if q.ndim > 1 else []))
    short_key = key if len(key) > 1 else quantity.name
    if short_key not in known:
        if len(known) >= MOST_READY:
            known.clear()
        known[short_key] = ready(constants, space, kernels, quantity, given, rows)


def ready(
    constants: Constants,
    space: Coordinates,
    kernels: native.Kernels,
    quantity: Quantity,
    given: Mapping[str, Any],
    rows: int,
) -> tuple[Any, Any, tuple[np.ndarray, ...], int]:
    """What states in double precision need: the gufunc, its counter of bad passes, the options' arrays, its work."""
    program, inputs = prepared(constants, space, quantity, given)
    kernel = native.kernel_for(program, kernels, inputs, "float64", rows)
    states = ("q", "v", "vdot", "tau")
    extra = [native.argument(port, inputs[port.name], "float64") for port in kernel.inputs if port.name not in states]
    if not quantity.parts:
        return kernel.call, kernel.counter, tuple(extra), kernel.work
    take = halves.taker(quantity, inputs)

    def call(*arrays: np.ndarray) -> Any:
        whole = kernel.call(*arrays)
        return unpacked(take(whole if isinstance(whole, tuple) else (whole,)))

    return call, kernel.counter, tuple(extra), kernel.work


def _remembered(quantity: Quantity, given: Mapping[str, Any]) -> tuple[Hashable, ...] | None:
    """The options of a call as a key for the short cut of `methods`; None for what is looked at every time."""
    key: list[Hashable] = []
    for argument in quantity.arguments:
        name = argument.rstrip("?")
        if name == "passive":
            try:
                key.append(halves.key(given[name]))
            except KeyError:
                return None
        elif name in OPTIONS:
            if not (given[name] is None or isinstance(given[name], str)):
                return None
            key.append(given[name])
    return tuple(key)
