"""Kernels kept at hand for the short cut of `methods`, by quantity and options."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Mapping
from typing import Any, final

import numpy as np

from soadyn.backends.engine import Engine
from soadyn.backends.native import run as native
from soadyn.backends.native.prepared import ShortCut
from soadyn.evaluation import passive_sets
from soadyn.evaluation.evaluate import prepared, unpacked
from soadyn.quantities import Quantity

# Calls whose kernels are kept at most; passive sets can be many.
MOST_READY = 1000
# Arguments that are not arrays of numbers; a passive set has a key of its own.
STATES = ("q", "v", "vdot", "tau")
OPTIONS = ("external", "frame", "frames", "axes", "about")


@final
class ShortCuts:
    """A robot's short cuts, for options that are names and one batch axis at most; `ready` are their functions."""

    def __init__(self) -> None:
        self.ready: dict[Any, Callable[..., Any]] = {}
        self._made: dict[Any, ShortCut] = {}

    def prepare(
        self,
        engine: Engine,
        quantity: Quantity,
        given: Mapping[str, Any],
    ) -> None:
        """Keeps the kernel for what is given, with the arrays that do not depend on the state."""
        q, options = given["q"], _remembered(quantity, given)
        if not isinstance(q, np.ndarray) or q.dtype != np.float64 or q.ndim > 2 or options is None:
            return
        key = (quantity.name, *options) if options else quantity.name
        if key not in self._made and len(self._made) >= MOST_READY:
            self._made.clear()
            self.ready.clear()
        short_cut = self._made.setdefault(key, ShortCut())
        if short_cut.size(q) in short_cut:
            return
        assert engine.kernels is not None
        program, inputs = prepared(engine, quantity, given)
        kernel = native.kernel_for(program, engine.kernels, inputs, "float64", math.prod(q.shape[:-1]))
        further = [port for port in kernel.inputs if port.name not in STATES]
        short_cut.add(
            short_cut.size(q), kernel, [native.argument(port, inputs[port.name], "float64") for port in further]
        )
        self.ready[key] = _parted(quantity, inputs, short_cut.call())


def _parted(quantity: Quantity, inputs: Mapping[str, Any], call: Callable[..., Any]) -> Callable[..., Any]:
    """The call itself, or for results that are parts of what the kernel gives, a call that takes them."""
    if not quantity.parts:
        return call
    take = passive_sets.taker(quantity, inputs)

    def parts(*arrays: np.ndarray) -> Any:
        whole = call(*arrays)
        return None if whole is None else unpacked(take(whole if isinstance(whole, tuple) else (whole,)))

    return parts


def _remembered(quantity: Quantity, given: Mapping[str, Any]) -> tuple[Hashable, ...] | None:
    """The options of a call as a key for the short cut of `methods`; None for what is looked at every time."""
    key: list[Hashable] = []
    for argument in quantity.arguments:
        name = argument.rstrip("?")
        if name == "passive":
            try:
                key.append(passive_sets.key(given[name]))
            except KeyError:
                return None
        elif name in OPTIONS:
            if not (given[name] is None or isinstance(given[name], str)):
                return None
            key.append(given[name])
    return tuple(key)
