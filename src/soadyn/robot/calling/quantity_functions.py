"""Quantities as functions of their vectors, kept by their options."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any, final

import numpy as np

from soadyn.engine.engine import Engine
from soadyn.engine.tracing.ports import ports_of
from soadyn.engine.tracing.trace import Traced, cheapest_trace
from soadyn.engine.tracing.traced import WORLD, traced
from soadyn.errors import ArgumentError, check_name
from soadyn.mechanics.spatial.reading import NotNumbersError, real_array
from soadyn.programs.sweep.algorithms import without_external
from soadyn.programs.sweep.program import Program
from soadyn.quantities import CLOSURE_QUANTITIES, QUANTITIES, Quantity
from soadyn.robot.arguments import selection
from soadyn.robot.arguments.arguments import bound
from soadyn.robot.arguments.inputs import VECTORS, options_of, parameter_vector, program_for, vectors_of
from soadyn.robot.arguments.selection import results_of, selection_of
from soadyn.robot.calling.function import Function, check_point
from soadyn.robot.calling.motions import MOTIONS, MotionFunction

# Functions kept at most; passive sets and placed frames, (name, offset), can be many.
MOST_KEPT = 1000
# Options that are names, or frames in other ways.
NAMED = ("frame", "frames", "axes", "about", "square_root")
DIFFERENTIABLE = frozenset({*QUANTITIES, *CLOSURE_QUANTITIES, *MOTIONS})
# What follows a quantity's name where wrenches act.
LOADED = " with wrenches"


@final
class Nothing:
    """What stands where nothing is kept: whatever it is asked for, no result."""

    def get(self, option: Any, otherwise: Nothing) -> Nothing:
        return self

    def __call__(self, *arrays: Any) -> None:
        return None


NOTHING = Nothing()
# What is looked up first.
QUICK = tuple(name + end for name in (*QUANTITIES, *CLOSURE_QUANTITIES, *MOTIONS) for end in ("", LOADED))


@final
class Functions:
    """The quantities and motions of an engine's robot as functions.

    They are kept by their options where these are names, passive sets that stay the same, or frames (name, offset), of
    which an offset's numbers are read at each call, since an array may have been written to. `quick` has what can be
    tried first where all options are names or sets: by a quantity's name, then by each of its options in turn.
    """

    def __init__(self, engine: Engine) -> None:
        self.quick: dict[str, Any] = dict.fromkeys(QUICK, NOTHING)
        self._engine = engine
        self._kept: dict[Any, Function | MotionFunction | None] = {}

    def result(self, quantity: Quantity, given: Mapping[str, Any]) -> Any:
        """A quantity's result, or the tuple of its results, for a value of each argument by its public name."""
        key = key_of(quantity, given)
        kept = None if key is None else self._kept.get(key)
        function = kept if isinstance(kept, Function) else quantity_function(self._engine, quantity, given)
        values = [given[vector.name] for vector in function.vectors]
        if key is None or self._is_new(key):
            return function.checked(*values, keep=False)
        found = function(*values)
        if kept is None:
            self._keep(key, function)
        self._offer(key, function)
        return found

    def _is_new(self, key: tuple[Any, ...]) -> bool:
        """Is it a placed frame that was not met before?

        Preparing takes as long as a call, which is lost on an offset that never comes again.
        """
        if key in self._kept or all(type(option) is not tuple or type(option[-1]) is not bytes for option in key):
            return False
        self._keep(key, None)
        return True

    def _keep(self, key: Any, function: Function | MotionFunction | None) -> None:
        if len(self._kept) >= MOST_KEPT:
            self._kept.clear()
            self.quick.update(dict.fromkeys(QUICK, NOTHING))
        self._kept[key] = function

    def _offer(self, key: tuple[Any, ...], function: Function | MotionFunction) -> None:
        """Let calls with these options try a function's kernels first."""
        name, *options = key
        place: Any = self.quick
        for option in options:
            if place.get(name, NOTHING) is NOTHING:
                place[name] = {}
            place, name = place[name], option
        place[name] = function.quick

    def moved(self, name: str, first: Any, second: Any) -> np.ndarray:
        """What a motion gives for both its arguments."""
        function = self._kept.get((name,))
        if not isinstance(function, MotionFunction):
            function = MotionFunction(self._engine, name)
            self._keep((name,), function)
        found = function(first, second)
        self._offer((name,), function)
        return found

    def differentiable(self, name: str, at: Any, options: Mapping[str, Any]) -> Function | MotionFunction:
        """A quantity or motion by its name as a function of the vectors `at`."""
        if type(at) is not tuple or (options and any(type(option) is not str for option in options.values())):
            return function_at(self._engine, name, at, options)
        key = name, len(at), *options.items()
        function = self._kept.get(key)
        if function is None:
            function = function_at(self._engine, name, at, options)
            self._keep(key, function)
        return function


def quantity_function(
    engine: Engine, quantity: Quantity, given: Mapping[str, Any], among: Sequence[str] | None = None
) -> Function:
    """A quantity as a function of its vectors, or of those named, and of the engine's parameters; all else is fixed."""
    program, chosen = program_for(quantity, given, engine.model), selection_of(engine.coordinates, quantity, given)
    vectors = vectors_of(engine, quantity, given, chosen)
    names = vectors if among is None else among
    fixed = {x.input: x.read(given[x.name]) for x in vectors.values() if x.name not in names}
    fixed |= options_of(engine, quantity, given, chosen)
    parameters = [parameter_vector(name, shape) for name, shape in engine.parameters.items()]
    results, passive = None, None
    if chosen is not None:
        results = results_of(quantity, chosen, [port.shape for port in ports_of(program, engine.model)[1]])
        # The set that the robot is specialised for has code of its own.
        own = engine.passive is not None and np.array_equal(chosen.mask, engine.passive)
        passive = results.passive if own else None
        results = results if quantity.parts else None
    return Function(
        quantity.name, engine, program, [*(vectors[x] for x in names), *parameters], fixed, results, passive
    )


def evaluate(engine: Engine, quantity: Quantity, given: Mapping[str, Any]) -> Any:
    """A quantity's result, or the tuple of its results; `given` has a value for each argument by its public name."""
    function = quantity_function(engine, quantity, given)
    return function.checked(*[given[vector.name] for vector in function.vectors], keep=False)


def counted_operations(engine: Engine, quantity: Quantity, link: int) -> dict[str, dict[str, int]]:
    """How many operations a quantity takes without wrenches and along the world's axes, sweep by sweep.

    `link` carries the frame, if there is one.
    """
    program = quantity.program_on(engine.model)
    if "external" in program.inputs:
        program = without_external(program)

    def trace(same: Program) -> Traced:
        return traced(same, engine.constants, {"frame": link}, known={"axes": WORLD})

    return cheapest_trace(program, engine.model, trace).counts_by_stage()


def key_of(quantity: Quantity, given: Mapping[str, Any]) -> tuple[Any, ...] | None:
    """What the quantity with these options is kept by; None if one of them is to be checked at every call."""
    options = [(row.name, given[row.name]) for row in quantity.parameters if row.name in (*NAMED, "passive")]
    found = [selection.key(x) if name == "passive" else _name(x) for name, x in options]
    name = quantity.name if given.get("external") is None else quantity.name + LOADED
    return None if None in found else (name, *found)


def _name(option: Any) -> Hashable | None:
    """A name, or what stands for a frame (name, offset) or for a list of frames."""
    if isinstance(option, str):
        return option
    if type(option) is list:
        names = tuple(map(_name, option))
        return None if not names or None in names else (*names, b"")
    if type(option) is not tuple or len(option) != 2 or type(option[0]) is not str:
        return None
    try:
        # As `Placement.from_matrix` reads it: whatever has these numbers is the same frame.
        T = real_array(option[1])
    except NotNumbersError:
        return None
    return (option[0], T.tobytes()) if T.shape == (4, 4) else None


def function_at(engine: Engine, name: str, at: Any, options: Mapping[str, Any]) -> Function | MotionFunction:
    """A quantity or motion as a function of the vectors `at`, which stand in the order of its arguments."""
    check_name("quantity", name, DIFFERENTIABLE)
    if name in MOTIONS:
        if options:
            raise ArgumentError(f"{name} has no option {next(iter(options))!r}")
        return MotionFunction(engine, name)
    if engine.coordinates.tied:
        raise ArgumentError(
            f"{name} of robot {engine.model.name!r} has no derivatives: its tied mimic joints are condensed outside "
            'the sweeps; load it with mimic="independent"'
        )
    quantity = QUANTITIES.get(name) or CLOSURE_QUANTITIES[name]
    given, names = _given(quantity, at, options, list(engine.parameters))
    return quantity_function(engine, quantity, given, names)


def _given(
    quantity: Quantity, at: Any, options: Mapping[str, Any], parameters: Sequence[str]
) -> tuple[dict[str, Any], list[str]]:
    """A value for each argument by its name, and the names of the quantity's vectors that `at` holds."""
    needed = [x.name for x in quantity.parameters if x.kind in VECTORS and x.default is None]
    # Without parameters, arguments that may be left out can follow the others.
    further = [x.name for x in quantity.parameters if x.kind in VECTORS and x.default is not None]
    fewest = len(needed) + len(parameters)
    names = [*needed, *(parameters or further)]
    check_point(quantity.name, names, at, fewest)
    names = names[: len(at)]
    by_keyword = [x.name for x in quantity.parameters if x.default is None and x.kind not in VECTORS]
    if missing := [name for name in by_keyword if name not in options]:
        raise ArgumentError(f"{quantity.name} needs {', '.join(missing)}, by keyword")
    usual = {x.name: x.usual for x in quantity.parameters if x.default is not None}
    given = bound(quantity.name, [*names, *by_keyword], at, options.items(), usual)
    if isinstance(given.get("frames"), list):
        raise ArgumentError(f"the derivatives of {quantity.name} take one frame, not a list of them")
    return given, [name for name in names if name not in parameters]
