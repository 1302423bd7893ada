"""The fast path of a robot's methods: kernels by quantity and options, for calls whose options are names."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any, final

import numpy as np

from soadyn.backends.engine import Call, Prepared
from soadyn.evaluation import arguments, passive_sets
from soadyn.model.model import Model
from soadyn.quantities import Quantity
from soadyn.spatial.reading import array_of_numbers
from soadyn.sweep.vector_names import DIAGONALIZED, program_name

# Choices of quantity and options whose kernels are kept at most; passive sets can be many.
MOST_KEPT = 1000
# Arguments that are arrays; a passive set has a key of its own, other options are names.
STATE = ("q", "v", "a", "tau", "x", "y", "f", *DIAGONALIZED)
# What stands for wrenches among the options of a call.
LOADED = True


def has_fast_path(quantity: Quantity) -> bool:
    """False if results must be put together."""
    return not (quantity.by or quantity.in_turn)


@final
class QuantityCalls:
    """A robot's prepared kernels.

    `functions` are functions of a state's arrays: functions[name], with options functions[name][option]..., which
    Python finds faster than by a tuple. They give None, or raise, where the arguments have to be checked first.
    """

    def __init__(self, model: Model) -> None:
        self.functions: dict[str, Any] = {}
        self._prepared: dict[tuple[Any, ...], Prepared] = {}
        self._model = model
        # By frame: where its link stands in the array of wrenches, and what carries a wrench there.
        self._shifts: dict[str, tuple[slice, np.ndarray | None]] = {}

    def keep(self, quantity: Quantity, given: Mapping[str, Any], inputs: Mapping[str, Any], call: Call) -> None:
        """Keep a call's kernel for further calls with these options, if the options can be remembered.

        In single precision wrenches and vectors of half the joints are not: they are made in double precision.
        """
        q = given["q"]
        if not isinstance(q, np.ndarray) or q.dtype != call.arrays[0].dtype or q.ndim > 2 or call.batch != q.shape[:-1]:
            return
        options = _key(quantity, given) if has_fast_path(quantity) else None
        if options is None:
            return
        given_names = [argument.name for argument in quantity.parameters if argument.name in STATE]
        states = [program_name(name) for name in given_names]
        if LOADED in options:
            if call.batch:
                return
            states.append("external")
        parts = [] if call.gives_parts else passive_sets.parts_of(quantity, inputs, call.kernel.shapes)
        if not all(part.entries.size for part in parts):  # NumPy has no gufunc with empty results
            return
        fillers = passive_sets.fillers(quantity, inputs)
        if q.dtype != np.float64 and (fillers or LOADED in options):
            return
        key = (quantity.name, *options)
        if key not in self._prepared and len(self._prepared) >= MOST_KEPT:
            self._prepared.clear()
            self.functions.clear()
        prepared = self._prepared.setdefault(key, Prepared())
        prepared.keep(call, states, parts)
        self._offer(key, _filled(prepared.call, given_names, fillers) if fillers else prepared.call)

    def _offer(self, key: tuple[Any, ...], function: Callable[..., Any]) -> None:
        *outer, last = key
        place: dict[Any, Any] = self.functions
        for option in outer:
            place = place.setdefault(option, {})
        place[last] = function

    def loaded(self, function: Callable[..., Any], external: Any, *state: np.ndarray) -> Any:
        """What one of the functions gives for one state with wrenches."""
        return function(*state, self._wrenches(external))

    def _wrenches(self, external: Any) -> np.ndarray | None:
        """Wrenches on the links of one state, one behind the other, as `arguments.external` gives them."""
        size = 6 * len(self._model.visible)
        if type(external) is np.ndarray:
            return external.reshape(-1) if external.ndim == 2 and external.shape[1] == 6 else None
        total = np.zeros(size)
        for name, wrench in external.items():
            place, shift = self._shifts.get(name) or self._shift(name)
            x = array_of_numbers(wrench)
            if x.shape != (6,) or x.dtype != np.float64:
                return None
            total[place] += arguments.carried(shift, x)
        return total

    def _shift(self, name: Any) -> tuple[slice, np.ndarray | None]:
        if not isinstance(name, str):
            raise TypeError(name)
        frame = self._model.frame(name)
        start = 6 * self._model.visible.index(frame.link)
        self._shifts[name] = found = slice(start, start + 6), arguments.shift_of(frame)
        return found

    def keep_motion(self, name: str, call: Call) -> None:
        """Keep the kernel of a motion, a function of two arrays."""
        prepared = self._prepared.setdefault((name,), Prepared())
        prepared.keep(call, [port.name for port in call.kernel.inputs])
        self._offer((name,), prepared.call)


def _filled(
    call: Callable[..., Any], names: Sequence[str], fillers: Mapping[str, Callable[[Any], np.ndarray]]
) -> Callable[..., Any]:
    """A call some of whose arguments are first filled up to whole joint vectors."""
    places = [(names.index(name), filler) for name, filler in fillers.items()]

    def filled(*state: Any) -> Any:
        arrays = list(state)
        for place, filler in places:
            arrays[place] = filler(arrays[place])
        return call(*arrays)

    return filled


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
            if argument.name == "external" and option is not None:
                option = LOADED
            elif not (option is None or isinstance(option, str)):
                return None
            key.append(option)
    return tuple(key)
