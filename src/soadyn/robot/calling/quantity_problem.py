"""A quantity at a point, to be differentiated: which of its arguments are vectors, and how each is read."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from soadyn.engine.engine import Engine
from soadyn.engine.tracing.ports import ports_of
from soadyn.errors import ArgumentError, check_name
from soadyn.programs.sweep.vector_names import DIAGONALIZED, program_name
from soadyn.quantities import QUANTITIES, Argument, Quantity
from soadyn.robot.arguments import arguments, passive_sets
from soadyn.robot.arguments.inputs import inputs_of, program_for
from soadyn.robot.calling.differentiation import Problem, Vector
from soadyn.robot.calling.evaluate import unpacked

# Kinds of arguments that are vectors of numbers.
VECTORS = ("q", "v", "a", "tau", "active a", "passive tau", "x", "y", "f", "external", *DIAGONALIZED)


def problem_at(
    engine: Engine, name: str, at: Any, options: Mapping[str, Any], parameters: Mapping[str, tuple[int, ...]]
) -> Problem:
    """A quantity by its name at the vectors `at`, which stand in the order of its arguments, then its parameters."""
    check_name("quantity", name, QUANTITIES)
    quantity = QUANTITIES[name]
    if engine.coordinates.tied:
        raise ArgumentError(
            f"{name} of robot {engine.model.name!r} has no derivatives: its tied mimic joints are condensed outside "
            'the sweeps; load it with mimic="independent"'
        )
    vectors = [x for x in quantity.parameters if x.kind in VECTORS]
    given, chosen = _given(quantity, vectors, at, options, parameters)
    program, inputs = program_for(quantity, given), inputs_of(engine, quantity, given)
    inputs |= {key: arguments.numbers(key, given[key], *shape, meaning=f"the value of parameter {key!r}")
               for key, shape in parameters.items()}  # fmt: skip
    found = [_vector(engine, argument, inputs) for argument in chosen]
    found += [_parameter(key, shape) for key, shape in parameters.items()]
    outputs = ports_of(program, engine.model)[1]
    spread = passive_sets.spreader(quantity, inputs, [port.shape for port in outputs])
    return Problem(
        name,
        engine,
        program,
        inputs,
        tuple(found),
        lambda outputs: unpacked(passive_sets.taken(quantity, inputs, outputs)),
        spread.whole,
        spread.shapes,
    )


def _given(
    quantity: Quantity,
    vectors: Sequence[Argument],
    at: Any,
    options: Mapping[str, Any],
    parameters: Mapping[str, Any],
) -> tuple[dict[str, Any], list[Argument]]:
    """A value for each argument by its name, and the vectors among them that `at` holds."""
    needed = [x for x in vectors if x.default is None]
    # Without parameters, arguments that may be left out can follow the others.
    places = [*needed] if parameters else [*needed, *(x for x in vectors if x.default is not None)]
    names = [*(x.name for x in places), *parameters]
    fewest = len(needed) + len(parameters)
    if not isinstance(at, tuple | list) or not fewest <= len(at) <= len(names):
        got = f"{len(at)} values" if isinstance(at, tuple | list) else f"{at!r:.60}"
        raise ArgumentError(f"{quantity.name} is differentiated at a tuple ({', '.join(names)}); got {got}")
    given = {x.name: x.usual for x in quantity.parameters if x.default is not None}
    given |= dict(zip(names, at, strict=False))
    wanted = {x.name for x in quantity.parameters if x not in needed} - set(names[: len(at)])
    for option, value in options.items():
        if option not in wanted:
            raise ArgumentError(
                f"{quantity.name} has no option {option!r}; it is differentiated at ({', '.join(names)})"
                + (f" with options {', '.join(sorted(wanted))}" if wanted else "")
            )
        given[option] = value
    missing = [x.name for x in quantity.parameters if x.name not in given]
    if missing:
        raise ArgumentError(f"{quantity.name} needs {', '.join(missing)}, by keyword")
    if isinstance(given.get("frames"), list):
        raise ArgumentError(f"the derivatives of {quantity.name} take one frame, not a list of them")
    return given, places[: len(at) - len(parameters)]


def _vector(engine: Engine, argument: Argument, inputs: Mapping[str, Any]) -> Vector:
    space, name = engine.coordinates, f"d{argument.name}"
    read: Callable[[Any], np.ndarray]
    match argument.kind:
        case "x" | "y":
            mask = inputs["passive"] != 0
            places = ~mask if argument.kind == "x" else mask
            return Vector(
                argument.name,
                argument.name,
                lambda x: passive_sets.spread(space, mask, x, argument.name),
                lambda x: np.ascontiguousarray(x[..., places]),
            )
        case "f":
            return Vector("f", "f", lambda x: arguments.numbers(name, x, 6, meaning="a change of the wrench"))
        case "external":
            return Vector("external", "external", lambda x: arguments.external(engine.constants, x))
        case "active a" | "passive tau":
            needed = (inputs["passive"] != 0) == (argument.name == "tau")
            return Vector(
                argument.name,
                program_name(argument.name),
                lambda x: passive_sets.where_needed(space, x, name, needed),
            )
        case _:
            read = lambda x: arguments.joint_vector(space, x, name)  # noqa: E731
            return Vector(argument.name, program_name(argument.name), read)


def _parameter(name: str, shape: tuple[int, ...]) -> Vector:
    meaning = f"a change of parameter {name!r}"
    return Vector(name, name, lambda x: arguments.numbers(f"d{name}", x, *shape, meaning=meaning))
