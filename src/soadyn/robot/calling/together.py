"""Several quantities at one state from one kernel, in which all that they share is done once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import accumulate, pairwise
from types import MappingProxyType
from typing import Any, final

import numpy as np

from soadyn.engine.engine import Engine
from soadyn.errors import ArgumentError, unknown_name
from soadyn.programs.sweep.algorithms import GRAVITY_OF_COMPOSITES, without_external
from soadyn.programs.sweep.combine import combined
from soadyn.programs.sweep.program import Climb, Pairs, Program
from soadyn.programs.sweep.vector_names import DIAGONALIZED, program_name
from soadyn.quantities import QUANTITIES, Quantity
from soadyn.robot.arguments.inputs import options_of, rooted
from soadyn.robot.calling.evaluate import evaluate
from soadyn.robot.calling.function import Function, as_it_is
from soadyn.robot.calling.run_program import unpacked

Request = str | tuple[str, ...]
Wanted = list[tuple[Quantity, dict[str, str]]]

# Arguments with which a quantity cannot be computed together with others.
NOT_OF_THE_STATE = ("passive", *DIAGONALIZED)
# The vectors of a state.
VECTORS = ("q", "v", "a", "tau", "external")
# Those that a state may lack, with what needs them told of in this order.
NEEDED = ("a", "tau", "v")
# What to compute otherwise where composite inertias are known.
OF_COMPOSITES = MappingProxyType({"gravity_force": GRAVITY_OF_COMPOSITES})


def one_program(quantities: Sequence[Quantity], loaded: bool = False) -> Program:
    """The program of several quantities at once; `loaded` if wrenches act."""
    programs = [
        without_external(quantity.program) if "external" in quantity.arguments and not loaded else quantity.program
        for quantity in quantities
    ]
    if any("R" in stage.reads for program in programs for stage in program.stages):
        pairs = zip(quantities, programs, strict=True)
        programs = [OF_COMPOSITES.get(quantity.name, program) for quantity, program in pairs]
    return combined(tuple(programs))


def requested(together: tuple[Request, ...]) -> Wanted:
    """Quantities and their options, from names and (name, option, ...) tuples."""
    found = []
    for request in together:
        name, *options = (request,) if isinstance(request, str) else request
        if name not in QUANTITIES:
            raise unknown_name("quantity", name, QUANTITIES)
        quantity = QUANTITIES[name]
        further = [argument for argument in quantity.parameters if argument.name not in VECTORS]
        for argument in further:
            if argument.name in NOT_OF_THE_STATE:
                raise ArgumentError(f"{name} takes {argument.name}, so it cannot be computed together with others")
        given = dict(zip((argument.name for argument in further), options, strict=False))
        for argument in further[len(options) :]:
            if argument.default is None:
                raise ArgumentError(f'{name} needs a {argument.name}: write ("{name}", {argument.name})')
            given[argument.name] = argument.usual
        if len(options) > len(further) or not all(isinstance(option, str) for option in given.values()):
            raise ArgumentError(f"expected a name or (name, option, ...) with options as text, got {request!r}")
        if "square_root" in given:
            quantity = replace(quantity, source=rooted(quantity, given["square_root"]))
        found.append((quantity, given))
    return found


def listed(together: Any) -> tuple[Request, ...]:
    """What is to be computed together, as names and tuples of text."""
    if isinstance(together, str) or not isinstance(together, Sequence):
        raise ArgumentError(f"together takes a list of quantities, got {together!r}; write [{together!r}]")
    for request in together:
        parts = (request,) if isinstance(request, str) else request
        if not (isinstance(parts, tuple) and parts and all(isinstance(part, str) for part in parts)):
            raise ArgumentError(f"together takes names and (name, option, ...) as text, got {request!r}")
    return tuple(together)


def same_frame(wanted: Wanted) -> list[Wanted]:
    """Requests in groups that one kernel can serve: with one frame, axes, point and set of columns.

    Those that run a kernel for every unit vector in turn are groups of their own.
    """
    groups: list[tuple[dict[str, Any], Wanted]] = []
    for quantity, options in wanted:
        needed: dict[str, Any] = {"axes": "world", **options} if "frame" in options else {**options}
        matrices = [stage for stage in quantity.program.stages if isinstance(stage, Climb | Pairs)]
        if matrices:
            needed["columns"] = any(stage.visible_only for stage in matrices)
        for fixed, group in [] if quantity.in_turn else groups:
            if not group[0][0].in_turn and all(fixed.get(name, value) == value for name, value in needed.items()):
                fixed.update(needed)
                group.append((quantity, options))
                break
        else:
            groups.append((dict(needed), [(quantity, options)]))
    return [group for _, group in groups]


@final
class KernelGroup:
    """Requests that one kernel serves, as a function of a state's vectors."""

    def __init__(self, wanted: Wanted, engine: Engine, loaded: bool) -> None:
        program = one_program([quantity for quantity, _ in wanted], loaded)
        self.names = [name for name in VECTORS if program_name(name) in program.inputs]
        fixed: dict[str, Any] = {}
        for quantity, options in wanted:
            fixed |= options_of(engine, quantity, options, None)
        vectors = [as_it_is(program_name(name), name) for name in self.names]
        self._function = Function(program.name, engine, program, vectors, fixed)
        # Each request's name and options, and which of the kernel's outputs are its own: from start to end.
        ends = list(accumulate((len(quantity.program.outputs) for quantity, _ in wanted), initial=0))
        self._shares = [
            (key_of(quantity, options), start, end)
            for (quantity, options), (start, end) in zip(wanted, pairwise(ends), strict=True)
        ]

    def results(self, state: Mapping[str, np.ndarray]) -> dict[Any, Any]:
        """Results by name and options, at a state's checked vectors."""
        found = self._function(*[state[name] for name in self.names])
        outputs = found if type(found) is tuple else (found,)
        return {key: unpacked(outputs[start:end]) for key, start, end in self._shares}


def key_of(quantity: Quantity, options: Mapping[str, str]) -> tuple[str | None, ...]:
    """A quantity's name and options; None for each argument that is the state's."""
    return (quantity.name, *(options.get(x.name) for x in quantity.parameters if x.name not in ("q", "v")))


@final
class Together:
    """Quantities asked for together of one robot, in groups of one kernel each; `loaded` if wrenches act."""

    def __init__(self, together: tuple[Request, ...], engine: Engine, loaded: bool) -> None:
        # A request that comes twice is one.
        wanted = list({key_of(*request): request for request in requested(together)}.values())
        groups, tied = same_frame(wanted), engine.coordinates.tied
        self._engine = engine
        self._groups = [KernelGroup(group, engine, loaded) for group in groups if not (tied or group[0][0].in_turn)]
        self._alone = [request for group in groups if tied or group[0][0].in_turn for request in group]
        self._needs = {name: x for name in NEEDED for x, _ in reversed(wanted) if name in x.arguments}

    def results(self, state: Mapping[str, np.ndarray]) -> dict[Any, Any]:
        """All results by name and options, at a state's checked vectors."""
        for name, quantity in self._needs.items():
            if name not in state:
                raise ArgumentError(
                    "together names quantities that need velocities; make the state with at(q, v, ...)"
                    if name == "v"
                    else f"{quantity.name} needs more than a state of q and v; make the state with "
                    f"at(q, v, {name}={name}, ...)"
                )
        found: dict[Any, Any] = {}
        for group in self._groups:
            found.update(group.results(state))
        for quantity, options in self._alone:
            given = {**dict.fromkeys(VECTORS), **state, **options}
            found[key_of(quantity, options)] = evaluate(self._engine, quantity, given)
        return found
