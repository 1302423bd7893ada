"""Several quantities at one state from one kernel, in which all that they share is done once."""

from __future__ import annotations

import ast
import math
import sys
from collections.abc import Mapping, Sequence
from itertools import accumulate, pairwise
from types import MappingProxyType
from typing import Any, final

import numpy as np

from soadyn.backends.engine import Engine
from soadyn.backends.native import run as native
from soadyn.backends.native.kernel import Kernel
from soadyn.backends.native.single_state import lone_call
from soadyn.errors import ArgumentError, unknown_name
from soadyn.evaluation.evaluate import evaluate, inputs_of, outputs_of, precision_of, unpacked
from soadyn.quantities import QUANTITIES, Quantity
from soadyn.sweep.algorithms import BIAS_OF_COMPOSITES, GRAVITY_OF_COMPOSITES
from soadyn.sweep.combine import combined
from soadyn.sweep.program import Program

Request = str | tuple[str, ...]
Wanted = list[tuple[Quantity, dict[str, str]]]

DOUBLE = np.dtype(np.float64)
# What to compute otherwise where composite inertias are known.
OF_COMPOSITES = MappingProxyType({"bias_force": BIAS_OF_COMPOSITES, "gravity_force": GRAVITY_OF_COMPOSITES})


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
        if any(argument.name in ("a", "tau", "external", "passive", "a?", "tau?") for argument in further):
            raise ArgumentError(f"{name} needs more than a state, so it cannot be computed together with others")
        given = dict(zip((argument.name for argument in further), options, strict=False))
        for argument in further[len(options) :]:
            if argument.default is None:
                raise ArgumentError(f'{name} needs a {argument.name}: write ("{name}", {argument.name})')
            given[argument.name] = ast.literal_eval(argument.default)
        if len(options) > len(further) or not all(isinstance(option, str) for option in given.values()):
            raise ArgumentError(f"expected a name or (name, option, ...) with options as text, got {request!r}")
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
    """Requests in groups that one kernel can serve: with one frame, one choice of axes and one point."""
    groups: list[tuple[dict[str, str], Wanted]] = []
    for quantity, options in wanted:
        needed = {"axes": "world", **options} if "frame" in options else options
        for fixed, group in groups:
            if all(fixed.get(name, value) == value for name, value in needed.items()):
                fixed.update(needed)
                group.append((quantity, options))
                break
        else:
            groups.append((dict(needed), [(quantity, options)]))
    return [group for _, group in groups]


@final
class Ready:
    """A kernel with those of its arguments that do not depend on the state."""

    def __init__(self, kernel: Kernel, inputs: Mapping[str, Any], lone: bool) -> None:
        self._kernel = kernel
        further = [port for port in kernel.inputs if port.name not in ("q", "v")]
        self._further = [native.argument(port, inputs[port.name], "float64") for port in further]
        self._lone = lone_call(kernel, self._further, otherwise=_nothing) if lone else _nothing

    def outputs(self, state: tuple[np.ndarray, ...], batch: tuple[int, ...]) -> Sequence[np.ndarray] | None:
        """The kernel's results; None if a row has no answer."""
        if not batch:
            found = self._lone(*state)
            if found is not None:
                return found if type(found) is tuple else (found,)
        before = self._kernel.counter.value
        outputs = native.called(self._kernel, [*state, *self._further], batch)
        return outputs if self._kernel.counter.value == before else None


def _nothing(*state: np.ndarray) -> None:
    return None


@final
class Group:
    """Requests that one kernel serves, and that kernel in its forms once they are known."""

    def __init__(self, wanted: Wanted, kernels: native.Kernels | None) -> None:
        self.wanted = wanted
        self.program = one_program([quantity for quantity, _ in wanted])
        self.moving = "v" in self.program.inputs
        self._streamed_from = sys.maxsize if kernels is None else native.streamed_from(self.program, kernels)
        self._ready: dict[str, Ready] = {}
        # Each request's name and options, and which of the kernel's outputs are its own: from start to end.
        ends = list(accumulate((len(quantity.program.outputs) for quantity, _ in wanted), initial=0))
        self._shares = [
            ((quantity.name, *options.values()), start, end)
            for (quantity, options), (start, end) in zip(wanted, pairwise(ends), strict=True)
        ]

    def prepare(self, kernels: native.Kernels, inputs: Mapping[str, Any], batch: tuple[int, ...]) -> None:
        """Keeps the kernel for such a batch."""
        form = self._form(batch)
        if form not in self._ready:
            rows = math.prod(batch)
            kernel = native.kernel_for(self.program, kernels, inputs, "float64", rows, form == "streamed")
            self._ready[form] = Ready(kernel, inputs, form == "lone")

    def again(self, q: np.ndarray, v: np.ndarray | None, batch: tuple[int, ...]) -> dict[Any, Any] | None:
        """Results by name and options, of arrays that were checked; None if there is no kernel or a bad row."""
        # What does not depend on v has no more rows than q.
        state, batch = ((q, v), batch) if self.moving and v is not None else ((q,), q.shape[:-1])
        ready = self._ready.get(self._form(batch))
        outputs = None if ready is None else ready.outputs(state, batch)
        return None if outputs is None else self.shared(outputs)

    def shared(self, outputs: Sequence[np.ndarray]) -> dict[Any, Any]:
        """The outputs by name and options."""
        return {key: unpacked(outputs[start:end]) for key, start, end in self._shares}

    def _form(self, batch: tuple[int, ...]) -> str:
        """Which kernel serves a batch: what is fastest depends on its rows."""
        if not batch:
            return "lone"
        rows = math.prod(batch)
        return "small" if rows < native.limits.large else "large" if rows < self._streamed_from else "streamed"


@final
class Together:
    """Quantities asked for together of one robot, in groups of one kernel each."""

    def __init__(self, together: tuple[Request, ...], engine: Engine) -> None:
        # A request that comes twice is one.
        wanted = {(request[0].name, *request[1].values()): request for request in requested(together)}
        self._engine, self._space = engine, engine.coordinates
        self._kernels = None if engine.coordinates.tied else engine.kernels
        self._groups = [Group(group, self._kernels) for group in same_frame(list(wanted.values()))]
        self._moving = any("v" in quantity.arguments for quantity, _ in wanted.values())

    def again(self, q: Any, v: Any) -> tuple[np.ndarray, np.ndarray | None, dict[Any, Any]] | None:
        """A state like one before: copies of q and v, and its results. None if it has to be looked at."""
        if type(q) is not np.ndarray or q.dtype is not DOUBLE or q.ndim == 0 or q.shape[-1] != self._space.nq:
            return None
        q = q.copy()
        batch: tuple[int, ...] = q.shape[:-1]
        if v is None:
            if self._moving:
                return None
        else:
            if type(v) is not np.ndarray or v.dtype is not DOUBLE or v.ndim == 0 or v.shape[-1] != self._space.nv:
                return None
            v = v.copy()
            if v.shape[:-1] != batch:
                try:
                    batch = np.broadcast_shapes(batch, v.shape[:-1])
                except ValueError:
                    return None
        results: dict[Any, Any] = {}
        for group in self._groups:
            found = group.again(q, v, batch)
            if found is None:
                return None
            results = {**results, **found} if results else found
        return q, v, results

    def results(self, state: Mapping[str, Any], stacklevel: int) -> dict[Any, Any]:
        """All results by name and options, of a state that was checked."""
        if self._moving and state["v"] is None:
            raise ArgumentError("together names quantities that need velocities; make the state with at(q, v, ...)")
        found: dict[Any, Any] = {}
        for group in self._groups:
            found.update(self._results(group, state, stacklevel + 1))
        return found

    def _results(self, group: Group, state: Mapping[str, Any], stacklevel: int) -> dict[Any, Any]:
        """A group's results, and its kernel made ready for the next state of that kind."""
        engine, kernels = self._engine, self._kernels
        if engine.coordinates.tied:
            return {
                (quantity.name, *options.values()): evaluate(
                    engine, quantity, {**state, **options}, None, stacklevel + 1
                )
                for quantity, options in group.wanted
            }
        inputs: dict[str, Any] = {name: x for name, x in state.items() if name in group.program.inputs}
        for quantity, options in group.wanted:
            if options:
                inputs.update(inputs_of(engine, quantity, {**state, **options}))
        arrays = [state["q"], *([state["v"]] if group.moving else [])]
        precision = precision_of(arrays)
        if kernels is not None and precision == "float64":
            batch = np.broadcast_shapes(*(x.shape[:-1] for x in arrays))
            group.prepare(kernels, inputs, batch)
            doubles = [np.asarray(x, dtype=DOUBLE) for x in arrays]
            found = group.again(doubles[0], doubles[-1] if group.moving else None, batch)
            if found is not None:
                return found
        return group.shared(outputs_of(engine, group.program, inputs, precision, None, stacklevel + 1))
