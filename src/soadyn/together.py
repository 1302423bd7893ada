"""Several quantities at one state from one kernel, in which all that they share is done once."""

from __future__ import annotations

import ast
import math
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, final

import numpy as np

from soadyn.backends.constants import Constants
from soadyn.backends.native import run as native
from soadyn.backends.native.kernel import Kernel
from soadyn.backends.native.lone import lone_call
from soadyn.coordinates import Coordinates
from soadyn.errors import ArgumentError, unknown_name
from soadyn.evaluation import evaluate, inputs_of, outputs_of, precision_of, unpacked
from soadyn.quantities import QUANTITIES, Quantity
from soadyn.quantity import one_program
from soadyn.sweep.program import Program

Request = str | tuple[str, ...]
Wanted = list[tuple[Quantity, dict[str, str]]]

Share = tuple[tuple[str, ...], int, int]

DOUBLE = np.dtype(np.float64)
# For so many shapes of q and v kernels are kept at hand.
MOST_SHAPES = 16


@cache
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
    """A group's kernel with its arguments that do not depend on the state, and whose its outputs are."""

    def __init__(self, kernel: Kernel, inputs: Mapping[str, Any], shares: list[Share]) -> None:
        self._kernel, self._shares = kernel, shares
        self._moving = any(port.name == "v" for port in kernel.inputs)
        further = [port for port in kernel.inputs if port.name not in ("q", "v")]
        self._further = [native.argument(port, inputs[port.name], "float64") for port in further]
        self._lone = lone_call(kernel, self._further, otherwise=self._called)

    def results(self, q: np.ndarray, v: np.ndarray | None, batch: tuple[int, ...]) -> dict[Any, Any] | None:
        """The results by quantity and options; None if a row has no answer."""
        state = (q, v) if self._moving else (q,)
        outputs = self._called(*state, batch=batch) if batch else self._lone(*state)
        if outputs is None:
            return None
        if type(outputs) is not tuple:
            outputs = (outputs,)
        # A single number is a number, not an array: that is what [()] makes of it.
        return {
            key: outputs[start][()] if end == start + 1 else unpacked(outputs[start:end])
            for key, start, end in self._shares
        }

    def _called(self, *state: Any, batch: tuple[int, ...] = ()) -> Any:
        before = self._kernel.counter.value
        outputs = tuple(native.called(self._kernel, [*state, *self._further], batch))
        return outputs if self._kernel.counter.value == before else None


@final
class Together:
    """Quantities asked for together, in groups of one kernel each, and those kernels once they are known."""

    def __init__(self, together: Sequence[Request]) -> None:
        wanted = requested(listed(together))
        self._moving = any("v" in quantity.arguments for quantity, _ in wanted)
        self._groups = [(group, _shares(group)) for group in same_frame(wanted)]
        self._ready: dict[Any, list[Ready]] = {}  # by the shapes of q and v

    def again(self, q: Any, v: Any) -> tuple[np.ndarray, np.ndarray | None, dict[Any, Any]] | None:
        """A state like one before: copies of q and v, and its results. None if it has to be looked at."""
        if type(q) is not np.ndarray or q.dtype is not DOUBLE:
            return None
        if v is not None and (type(v) is not np.ndarray or v.dtype is not DOUBLE):
            return None
        ready = self._ready.get((q.shape, None if v is None else v.shape))
        if ready is None:
            return None
        q = q.copy()
        batch: tuple[int, ...] = q.shape[:-1]
        if v is not None:
            v = v.copy()
            if v.shape[:-1] != batch:
                batch = np.broadcast_shapes(batch, v.shape[:-1])
        results: dict[Any, Any] = {}
        for group in ready:
            found = group.results(q, v, batch)
            if found is None:
                return None
            results = {**results, **found} if results else found
        return q, v, results

    def results(
        self,
        constants: Constants,
        space: Coordinates,
        kernels: native.Kernels | None,
        state: Mapping[str, Any],
        stacklevel: int,
    ) -> dict[Any, Any]:
        """All results by quantity and options, of a state that was checked."""
        if self._moving and state["v"] is None:
            raise ArgumentError("together names quantities that need velocities; make the state with at(q, v, ...)")
        arrays = [x for x in state.values() if x is not None]
        precision = precision_of(arrays)
        found: dict[Any, Any] = {}
        ready: list[Ready] = []
        for group, shares in self._groups:
            if space.tied:
                for (quantity, options), (key, _, _) in zip(group, shares, strict=True):
                    every = {**state, **options}
                    found[key] = evaluate(constants, space, kernels, quantity, every, None, stacklevel + 1)
                continue
            program, inputs = _inputs(constants, space, group, state)
            outputs = outputs_of(constants, space, kernels, program, inputs, precision, None, stacklevel + 1)
            found.update((key, unpacked(outputs[start:end])) for key, start, end in shares)
            if kernels is not None and precision == "float64":
                rows = math.prod(np.broadcast_shapes(*(x.shape[:-1] for x in arrays)))
                kernel = native.kernel_for(program, kernels, inputs, precision, rows)
                ready.append(Ready(kernel, inputs, shares))
        if ready:
            if len(self._ready) == MOST_SHAPES:
                self._ready.clear()
            self._ready[state["q"].shape, None if state["v"] is None else state["v"].shape] = ready
        return found


def _shares(wanted: Wanted) -> list[Share]:
    """Each request's name and options, and which of its kernel's outputs are its own: from start to end."""
    found, start = [], 0
    for quantity, options in wanted:
        end = start + len(quantity.program.outputs)
        found.append(((quantity.name, *options.values()), start, end))
        start = end
    return found


def _inputs(
    constants: Constants, space: Coordinates, wanted: Wanted, state: Mapping[str, Any]
) -> tuple[Program, dict[str, Any]]:
    """The program of several quantities, and what it reads."""
    program = one_program([quantity for quantity, _ in wanted])
    inputs: dict[str, Any] = {name: x for name, x in state.items() if name in program.inputs}
    for quantity, options in wanted:
        if options:
            inputs.update(inputs_of(constants, space, quantity, {**state, **options}))
    return program, inputs
