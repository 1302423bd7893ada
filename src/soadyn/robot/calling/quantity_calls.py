"""The fast path of a robot's methods: kernels by quantity and options, which are names or frames in other ways."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any, final

import numpy as np

from soadyn.engine.engine import Call, Part, Prepared
from soadyn.mechanics.spatial.reading import NotNumbersError, array_of_numbers, real_array
from soadyn.model.model import Model
from soadyn.programs.sweep.vector_names import DIAGONALIZED, program_name
from soadyn.quantities import Quantity
from soadyn.robot.arguments import arguments, passive_sets

# Choices of quantity and options whose kernels are kept at most; passive sets can be many.
MOST_KEPT = 1000
# The same for choices with placed frames, (name, offset) or a list: they may be other ones at every call.
MOST_PLACED = 64
# Arguments that are arrays; a passive set has a key of its own, other options are names.
STATE = ("q", "v", "a", "tau", "x", "y", "f", *DIAGONALIZED)
# What stands for wrenches among the options of a call.
LOADED = True
# Options that may be placed frames.
FRAMES = ("frame", "frames", "axes")


def has_fast_path(quantity: Quantity) -> bool:
    """False if results must be put together."""
    return not (quantity.by or quantity.in_turn)


@final
class QuantityCalls:
    """A robot's prepared kernels.

    `functions` are functions of a state's arrays: functions[name], with options functions[name][option]..., which
    Python finds faster than by a tuple. They give None, or raise, where the arguments have to be checked first. Where a
    frame is given as (name, offset), or there is a list of frames, `placed` finds the function by the names and the
    offsets' numbers.
    """

    def __init__(self, model: Model) -> None:
        self.functions: dict[str, Any] = {}
        self._prepared: dict[tuple[Any, ...], Prepared] = {}
        # By quantity and options; None for those met once.
        self._placed: dict[tuple[Any, ...], tuple[Prepared, Callable[..., Any]] | None] = {}
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
        fillers = passive_sets.fillers(quantity, inputs)
        if q.dtype != np.float64 and (fillers or LOADED in options):
            return
        key = (quantity.name, *options)
        placed = _has_placed(given)
        prepared = self._prepared_for(key, placed)
        if prepared is None:
            return
        prepared.keep(call, states)
        function = _of_parts(prepared.call, parts) if parts else prepared.call
        function = _filled(function, given_names, fillers) if fillers else function
        if placed:
            self._placed[key] = prepared, function
        else:
            self._offer(key, function)

    def _prepared_for(self, key: tuple[Any, ...], placed: bool) -> Prepared | None:
        """What keeps the kernels of these options; None for placed frames that were not met before.

        Preparing takes as long as a call, which is lost on an offset that never comes again.
        """
        if not placed:
            if key not in self._prepared and len(self._prepared) >= MOST_KEPT:
                self._prepared.clear()
                self.functions.clear()
            return self._prepared.setdefault(key, Prepared())
        # Another thread may drop the key at any moment.
        kept = self._placed.get(key, ())
        if kept != ():
            return kept[0] if kept else Prepared()
        for oldest in list(self._placed)[: 1 - MOST_PLACED]:
            self._placed.pop(oldest, None)
        self._placed[key] = None
        return None

    def placed(self, quantity: Quantity, given: Mapping[str, Any]) -> Any:
        """The result of a call with placed frames; None where the arguments have to be checked.

        An offset's numbers are read at each call, since an array may have been written to.
        """
        if not _has_placed(given):
            return None
        try:
            options = _key(quantity, given)
            if options is None or (found := self._placed.get((quantity.name, *options))) is None:
                return None
            state = [given[argument.name] for argument in quantity.parameters if argument.name in STATE]
            return self.loaded(found[1], given["external"], *state) if LOADED in options else found[1](*state)
        except (AttributeError, KeyError, TypeError, ValueError):
            return None

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
        self._shifts[name] = found = slice(start, start + 6), arguments.shift_of(frame.placement)
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


def _of_parts(call: Callable[..., Any], parts: Sequence[Part]) -> Callable[..., Any]:
    """A call of which only parts of the results are wanted."""

    def of_parts(*state: np.ndarray) -> Any:
        whole = call(*state)
        if whole is None:
            return None
        outputs = whole if type(whole) is tuple else (whole,)
        found = passive_sets.entries_of(parts, outputs, state[0].ndim - 1)
        return found[0] if len(found) == 1 else tuple(found)

    return of_parts


def _has_placed(given: Mapping[str, Any]) -> bool:
    return any(type(option := given.get(name)) is list or _is_offset(option) for name in FRAMES)


def _is_offset(option: Any) -> bool:
    return type(option) is tuple and len(option) == 2 and type(option[0]) is str


def _key(quantity: Quantity, given: Mapping[str, Any]) -> tuple[Hashable, ...] | None:
    """The options of a call as a key; None if one is no name, placed frame or passive set that has a key."""
    key: list[Hashable] = []
    try:
        for argument in quantity.parameters:
            if argument.name == "passive":
                key.append(passive_sets.key(given["passive"]))
            elif argument.name == "external":
                key.append(None if given["external"] is None else LOADED)
            elif argument.name == "frames" and type(given["frames"]) is list:
                key.append(tuple(map(_name, given["frames"])))
            elif argument.name in ("frame", "frames", "axes", "about", "square_root"):
                key.append(_name(given[argument.name]))
    except (KeyError, NotNumbersError):
        return None
    return tuple(key)


def _name(option: Any) -> Hashable:
    """A name, or what stands for a frame (name, offset)."""
    if option is None or isinstance(option, str):
        return option
    # As `Placement.from_matrix` reads it: whatever has these numbers is the same frame.
    if not _is_offset(option) or (T := real_array(option[1])).shape != (4, 4):
        raise KeyError(option)
    return option[0], T.tobytes()
