"""Several quantities at one state from one kernel, in which all that they share is done once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import accumulate, pairwise
from types import MappingProxyType
from typing import Any, final

import numpy as np

from soadyn.backends.engine import Engine, Prepared
from soadyn.errors import ArgumentError, unknown_name
from soadyn.evaluation.evaluate import evaluate, precision_of, unpacked
from soadyn.evaluation.inputs import inputs_of, rooted
from soadyn.evaluation.run_program import outputs_of
from soadyn.quantities import QUANTITIES, Quantity
from soadyn.sweep.algorithms import GRAVITY_OF_COMPOSITES
from soadyn.sweep.combine import combined
from soadyn.sweep.program import Program
from soadyn.sweep.vector_names import DIAGONALIZED

Request = str | tuple[str, ...]
Wanted = list[tuple[Quantity, dict[str, str]]]

# Arguments with which a quantity cannot be computed together with others.
NOT_OF_THE_STATE = ("a", "tau", "external", "passive", *DIAGONALIZED)
DOUBLE = np.dtype(np.float64)
# What to compute otherwise where composite inertias are known.
OF_COMPOSITES = MappingProxyType({"gravity_force": GRAVITY_OF_COMPOSITES})


def one_program(quantities: Sequence[Quantity]) -> Program:
    """The program of several quantities at once."""
    programs = [quantity.program for quantity in quantities]
    if any("R" in stage.reads for program in programs for stage in program.stages):
        programs = [OF_COMPOSITES.get(quantity.name, quantity.program) for quantity in quantities]
    return combined(tuple(programs))


def requested(together: tuple[Request, ...]) -> Wanted:
    """Quantities and their options, from names and (name, option, ...) tuples."""
    found = []
    for request in together:
        name, *options = (request,) if isinstance(request, str) else request
        if name not in QUANTITIES:
            raise unknown_name("quantity", name, QUANTITIES)
        quantity = QUANTITIES[name]
        further = [argument for argument in quantity.parameters if argument.name not in ("q", "v")]
        if any(argument.name in NOT_OF_THE_STATE for argument in further):
            raise ArgumentError(f"{name} needs more than a state, so it cannot be computed together with others")
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
    """Requests in groups that one kernel can serve: with one frame, one choice of axes and one point.

    Those that run a kernel for every unit vector in turn are groups of their own.
    """
    groups: list[tuple[dict[str, str], Wanted]] = []
    for quantity, options in wanted:
        needed = {"axes": "world", **options} if "frame" in options else options
        for fixed, group in [] if quantity.in_turn else groups:
            if not group[0][0].in_turn and all(fixed.get(name, value) == value for name, value in needed.items()):
                fixed.update(needed)
                group.append((quantity, options))
                break
        else:
            groups.append((dict(needed), [(quantity, options)]))
    return [group for _, group in groups]


@final
class Group:
    """Requests that one kernel serves."""

    def __init__(self, wanted: Wanted) -> None:
        self.wanted = wanted
        self.program = one_program([quantity for quantity, _ in wanted])
        self.moving = "v" in self.program.inputs
        self.prepared = Prepared()
        # Each request's name and options, and which of the kernel's outputs are its own: from start to end.
        ends = list(accumulate((len(quantity.program.outputs) for quantity, _ in wanted), initial=0))
        self._shares = [
            ((quantity.name, *options.values()), start, end)
            for (quantity, options), (start, end) in zip(wanted, pairwise(ends), strict=True)
        ]

    def fast(self, q: np.ndarray, v: np.ndarray | None, batch: tuple[int, ...]) -> dict[Any, Any] | None:
        """Results by name and options, for arrays whose shapes fit; None if no kernel is kept or a row is bad."""
        # What does not depend on v has no more rows than q.
        state, batch = ((q, v), batch) if self.moving and v is not None else ((q,), q.shape[:-1])
        outputs = self.prepared.outputs(state, batch)
        return None if outputs is None else self.by_request(outputs)

    def by_request(self, outputs: Sequence[np.ndarray]) -> dict[Any, Any]:
        """The outputs by name and options."""
        return {key: unpacked(outputs[start:end]) for key, start, end in self._shares}


@final
class Together:
    """Quantities asked for together of one robot, in groups of one kernel each."""

    def __init__(self, together: tuple[Request, ...], engine: Engine) -> None:
        # A request that comes twice is one.
        wanted = {(request[0].name, *request[1].values()): request for request in requested(together)}
        self._engine = engine
        self._groups = [Group(group) for group in same_frame(list(wanted.values()))]
        self._moving = any("v" in quantity.arguments for quantity, _ in wanted.values())

    def fast(self, q: Any, v: Any) -> tuple[np.ndarray, np.ndarray | None, dict[Any, Any]] | None:
        """Copies of q and v, and the results, if (q, v) has shapes and dtypes seen before; else None."""
        space = self._engine.coordinates
        if type(q) is not np.ndarray or q.dtype is not DOUBLE or q.ndim == 0 or q.shape[-1] != space.nq:
            return None
        q = q.copy()
        batch: tuple[int, ...] = q.shape[:-1]
        if v is None:
            if self._moving:
                return None
        else:
            if type(v) is not np.ndarray or v.dtype is not DOUBLE or v.ndim == 0 or v.shape[-1] != space.nv:
                return None
            v = v.copy()
            if v.shape[:-1] != batch:
                try:
                    batch = np.broadcast_shapes(batch, v.shape[:-1])
                except ValueError:
                    return None
        results: dict[Any, Any] = {}
        for group in self._groups:
            found = group.fast(q, v, batch)
            if found is None:
                return None
            results = {**results, **found} if results else found
        return q, v, results

    def results(self, state: Mapping[str, Any]) -> dict[Any, Any]:
        """All results by name and options, for a state that was checked."""
        if self._moving and state["v"] is None:
            raise ArgumentError("together names quantities that need velocities; make the state with at(q, v, ...)")
        found: dict[Any, Any] = {}
        for group in self._groups:
            found.update(self._results(group, state))
        return found

    def _results(self, group: Group, state: Mapping[str, Any]) -> dict[Any, Any]:
        """A group's results; the group keeps the kernel for the next state of such shapes."""
        engine = self._engine
        if engine.coordinates.tied or group.wanted[0][0].in_turn:
            return {
                (quantity.name, *options.values()): evaluate(engine, quantity, {**state, **options})
                for quantity, options in group.wanted
            }
        inputs: dict[str, Any] = {name: x for name, x in state.items() if name in group.program.inputs}
        for quantity, options in group.wanted:
            if options:
                inputs.update(inputs_of(engine, quantity, {**state, **options}))
        states = ("q", "v") if group.moving else ("q",)
        precision = precision_of(state[name] for name in states)
        outputs, call = outputs_of(engine, group.program, inputs, precision)
        if call is not None and precision == "float64":
            group.prepared.keep(call, len(states))
        return group.by_request(outputs)
