"""The fast path of a robot's methods: kernels by quantity and options, for calls whose options are names."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from typing import Any, final

import numpy as np

from soadyn.backends.engine import Call, Prepared
from soadyn.evaluation import passive_sets
from soadyn.quantities import Quantity
from soadyn.sweep.vector_names import DIAGONALIZED, program_name

# Choices of quantity and options whose kernels are kept at most; passive sets can be many.
MOST_KEPT = 1000
# What a call takes as arrays; a passive set has a key of its own, other options are names.
STATES = ("q", "v", "vdot", "tau", *map(program_name, DIAGONALIZED))


def has_fast_path(quantity: Quantity) -> bool:
    """False if a vector over only active or passive joints must first be padded to nv, or results be put together."""
    if quantity.by or quantity.in_turn:
        return False
    return "passive set" not in quantity.arguments or not {"x", "y", "f", "v"} & set(quantity.arguments)


@final
class QuantityCalls:
    """A robot's prepared kernels.

    `functions` are functions of a state's arrays by key: the quantity's name, with options (name, option, ...). They
    give None, or raise, where the arguments have to be checked first.
    """

    def __init__(self) -> None:
        self.functions: dict[Any, Callable[..., Any]] = {}
        self._prepared: dict[Any, Prepared] = {}

    def keep(self, quantity: Quantity, given: Mapping[str, Any], inputs: Mapping[str, Any], call: Call) -> None:
        """Keep a call's kernel for further calls with these options, if the options can be remembered."""
        q = given["q"]
        if not isinstance(q, np.ndarray) or q.dtype != np.float64 or q.ndim > 2 or call.batch != q.shape[:-1]:
            return
        options = _key(quantity, given) if has_fast_path(quantity) else None
        if options is None:
            return
        key = (quantity.name, *options) if options else quantity.name
        if key not in self._prepared and len(self._prepared) >= MOST_KEPT:
            self._prepared.clear()
            self.functions.clear()
        prepared = self._prepared.setdefault(key, Prepared())
        prepared.keep(call, sum(port.name in STATES for port in call.kernel.inputs))
        self.functions[key] = _with_parts(quantity, inputs, prepared.call)


def _with_parts(quantity: Quantity, inputs: Mapping[str, Any], call: Callable[..., Any]) -> Callable[..., Any]:
    """The call itself; where results are parts of the kernel's output, a call that takes those parts."""
    if not quantity.parts:
        return call
    take = passive_sets.taker(quantity, inputs)

    def parts(*arrays: np.ndarray) -> Any:
        whole = call(*arrays)
        if whole is None:
            return None
        taken = take(whole if isinstance(whole, tuple) else (whole,))
        return taken[0] if len(taken) == 1 else tuple(taken)

    return parts


def _key(quantity: Quantity, given: Mapping[str, Any]) -> tuple[Hashable, ...] | None:
    """The options of a call as a key; None if one of them is neither a name nor a passive set that has a key."""
    key: list[Hashable] = []
    for argument in quantity.parameters:
        if argument.name == "passive":
            try:
                key.append(passive_sets.key(given["passive"]))
            except KeyError:
                return None
        elif argument.name in ("external", "frame", "frames", "axes", "about", "square_root"):
            option = given[argument.name]
            if not (option is None or isinstance(option, str)):
                return None
            key.append(option)
    return tuple(key)
