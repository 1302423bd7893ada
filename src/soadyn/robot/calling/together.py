"""Several quantities at one state from one kernel, in which all that they share is done once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import accumulate, pairwise
from types import MappingProxyType
from typing import Any, final

import numpy as np

from soadyn.engine.engine import Call, Engine, Prepared
from soadyn.errors import ArgumentError, unknown_name
from soadyn.programs.sweep.algorithms import GRAVITY_OF_COMPOSITES, without_external
from soadyn.programs.sweep.combine import combined
from soadyn.programs.sweep.program import Climb, Pairs, Program
from soadyn.programs.sweep.vector_names import DIAGONALIZED, program_name
from soadyn.quantities import QUANTITIES, Quantity
from soadyn.robot.arguments.inputs import inputs_of, rooted
from soadyn.robot.calling.evaluate import evaluate, precision_of, unpacked
from soadyn.robot.calling.run_program import outputs_of

Request = str | tuple[str, ...]
Rows = tuple[int, ...]  # batch axes
Wanted = list[tuple[Quantity, dict[str, str]]]
# A state's q, v and further vectors, and results by name and options.
Found = tuple[np.ndarray, np.ndarray | None, Mapping[str, np.ndarray], dict[Any, Any]]

# Arguments with which a quantity cannot be computed together with others.
NOT_OF_THE_STATE = ("passive", *DIAGONALIZED)
DOUBLE = np.dtype(np.float64)
# The vectors of a state.
VECTORS = ("q", "v", "a", "tau", "external")
NOTHING: Mapping[str, np.ndarray] = MappingProxyType({})
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
class Group:
    """Requests that one kernel serves."""

    def __init__(self, wanted: Wanted, loaded: bool) -> None:
        self.wanted = wanted
        self.program = one_program([quantity for quantity, _ in wanted], loaded)
        self.moving = "v" in self.program.inputs
        self.vectors = tuple(name for name in VECTORS if program_name(name) in self.program.inputs)
        self.prepared = Prepared()
        # Each request's name and options, and which of the kernel's outputs are its own: from start to end.
        ends = list(accumulate((len(quantity.program.outputs) for quantity, _ in wanted), initial=0))
        self._shares = [
            (key_of(quantity, options), start, end)
            for (quantity, options), (start, end) in zip(wanted, pairwise(ends), strict=True)
        ]

    def fast(self, q: np.ndarray, v: np.ndarray | None, batch: tuple[int, ...]) -> dict[Any, Any] | None:
        """Results by name and options, for arrays whose shapes fit; None if no kernel is kept or a row is bad."""
        # Results that do not depend on v have q's batch axes, not those of q and v together.
        state, batch = ((q, v), batch) if self.moving and v is not None else ((q,), q.shape[:-1])
        outputs = self.prepared.outputs(state, batch)
        return None if outputs is None else self.by_request(outputs)

    def fast_with(self, state: Mapping[str, np.ndarray], rows: Mapping[str, Rows]) -> dict[Any, Any] | None:
        """The same for a state of any vectors by name, each with its batch axes."""
        vectors = self.vectors
        batches = {rows[name] for name in vectors}
        batch = batches.pop() if len(batches) == 1 else np.broadcast_shapes(*batches)
        outputs = self.prepared.outputs([state[name] for name in vectors], batch)
        return None if outputs is None else self.by_request(outputs)

    def keep(self, call: Call) -> None:
        """Keep a call's kernel."""
        self.prepared.keep(call, [program_name(name) for name in self.vectors])

    def by_request(self, outputs: Sequence[np.ndarray]) -> dict[Any, Any]:
        """The outputs by name and options."""
        return {key: unpacked(outputs[start:end]) for key, start, end in self._shares}


def key_of(quantity: Quantity, options: Mapping[str, str]) -> tuple[str | None, ...]:
    """A quantity's name and options; None for each argument that is the state's."""
    return (quantity.name, *(options.get(x.name) for x in quantity.parameters if x.name not in ("q", "v")))


@final
class Together:
    """Quantities asked for together of one robot, in groups of one kernel each; `loaded` if wrenches act."""

    def __init__(self, together: tuple[Request, ...], engine: Engine, loaded: bool) -> None:
        # A request that comes twice is one.
        wanted = {key_of(*request): request for request in requested(together)}
        self._engine = engine
        self._groups = [Group(group, loaded) for group in same_frame(list(wanted.values()))]
        self._quantities = [quantity for quantity, _ in wanted.values()]
        self._needed = [name for name in VECTORS[1:4] if any(name in x.arguments for x in self._quantities)]
        self._must_hold = {"q", *self._needed}
        links, nv = len(engine.model.visible), engine.coordinates.nv
        self._shapes = {**dict.fromkeys(VECTORS, (nv,)), "q": (engine.coordinates.nq,), "external": (links, 6)}
        self._at_rest = not self._needed
        self._forceless = self._needed in ([], ["v"])

    def fast(self, q: Any, v: Any) -> Found | None:
        """Copies of q and v, and the results, if (q, v) has shapes and dtypes seen before; else None."""
        space = self._engine.coordinates
        if type(q) is not np.ndarray or q.dtype is not DOUBLE or q.ndim == 0 or q.shape[-1] != space.nq:
            return None
        if not self._forceless:
            return None
        q = q.copy()
        batch: tuple[int, ...] = q.shape[:-1]
        if v is None:
            if not self._at_rest:
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
        return q, v, NOTHING, results

    def fast_with(self, state: Mapping[str, Any]) -> Found | None:
        """The same for a state of any vectors by name, each an array or None."""
        own: dict[str, np.ndarray] = {}
        rows: dict[str, Rows] = {}
        for name, x in state.items():
            if x is None:
                continue
            shape = self._shapes[name]
            if type(x) is not np.ndarray or x.dtype is not DOUBLE or x.shape[-len(shape) :] != shape:
                return None
            own[name], rows[name] = x.copy(), x.shape[: -len(shape)]
        if not own.keys() >= self._must_hold:
            return None
        try:
            if len(set(rows.values())) > 1:
                np.broadcast_shapes(*rows.values())
        except ValueError:
            return None
        results: dict[Any, Any] = {}
        for group in self._groups:
            found = group.fast_with(own, rows)
            if found is None:
                return None
            results = {**results, **found} if results else found
        return own.pop("q"), own.pop("v", None), own, results

    def results(self, state: Mapping[str, Any]) -> dict[Any, Any]:
        """All results by name and options, for a state that was checked: a value or None for each of its vectors."""
        self._check(state)
        found: dict[Any, Any] = {}
        for group in self._groups:
            found.update(self._results(group, state))
        return found

    def _check(self, state: Mapping[str, Any]) -> None:
        for quantity in self._quantities:
            lacking = [name for name in ("a", "tau") if name in quantity.arguments and state[name] is None]
            if lacking:
                raise ArgumentError(
                    f"{quantity.name} needs more than a state of q and v; make the state with "
                    f"at(q, v, {lacking[0]}={lacking[0]}, ...)"
                )
        if "v" in self._needed and state["v"] is None:
            raise ArgumentError("together names quantities that need velocities; make the state with at(q, v, ...)")

    def _results(self, group: Group, state: Mapping[str, Any]) -> dict[Any, Any]:
        """A group's results; the group keeps the kernel for the next state of such shapes."""
        engine = self._engine
        if engine.coordinates.tied or group.wanted[0][0].in_turn:
            return {
                key_of(quantity, options): evaluate(engine, quantity, {**state, **options})
                for quantity, options in group.wanted
            }
        inputs: dict[str, Any] = {program_name(name): state[name] for name in group.vectors}
        for quantity, options in group.wanted:
            if options:
                inputs.update(inputs_of(engine, quantity, {**state, **options}))
        precision = precision_of(state[name] for name in group.vectors)
        outputs, call = outputs_of(engine, group.program, inputs, precision)
        if call is not None and precision == "float64":
            group.keep(call)
        return group.by_request(outputs)
