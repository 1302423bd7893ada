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
from soadyn.coordinates import Coordinates
from soadyn.errors import ArgumentError, unknown_name
from soadyn.evaluation import evaluate, inputs_of, outputs_of, precision_of, unpacked
from soadyn.quantities import QUANTITIES, Quantity
from soadyn.quantity import one_program
from soadyn.sweep.program import Program

Request = str | tuple[str, ...]
Wanted = list[tuple[Quantity, dict[str, str]]]

# For so many sizes of batches kernels are kept at hand.
MOST_SIZES = 16


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
class Together:
    """Quantities asked for together, in groups of one kernel each, and those kernels once they are known."""

    def __init__(self, together: Sequence[Request]) -> None:
        wanted = requested(listed(together))
        self._moving = any("v" in quantity.arguments for quantity, _ in wanted)
        self._groups = same_frame(wanted)
        # By the rows of a batch: kernels with the arguments that do not depend on the state.
        self._kernels: dict[int, list[tuple[Kernel, list[Any]]]] = {}
        self._shares = [_shares(group) for group in self._groups]

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
        found = self._short_cut(state)
        if found is not None:
            return found
        found = {}
        for group, shares in zip(self._groups, self._shares, strict=True):
            if space.tied:
                for (quantity, options), (key, _, _) in zip(group, shares, strict=True):
                    given = {**state, **options}
                    found[key] = evaluate(constants, space, kernels, quantity, given, None, stacklevel + 1)
                continue
            program, inputs = _inputs(constants, space, group, state)
            precision = precision_of(x for x in state.values() if x is not None)
            outputs = outputs_of(constants, space, kernels, program, inputs, precision, None, stacklevel + 1)
            found.update((key, unpacked(outputs[start:end])) for key, start, end in shares)
        if kernels is not None and not space.tied:
            self._prepare(constants, space, kernels, state)
        return found

    def _prepare(
        self, constants: Constants, space: Coordinates, kernels: native.Kernels, state: Mapping[str, Any]
    ) -> None:
        """Keeps the kernels for batches of as many rows."""
        rows = math.prod(_batch(state))
        if rows in self._kernels or not _is_double(state):
            return
        made = []
        for group in self._groups:
            program, inputs = _inputs(constants, space, group, state)
            kernel = native.kernel_for(program, kernels, inputs, "float64", rows)
            further = [
                None if p.name in state else native.argument(p, inputs[p.name], "float64") for p in kernel.inputs
            ]
            made.append((kernel, further))
        if len(self._kernels) == MOST_SIZES:
            self._kernels.clear()
        self._kernels[rows] = made

    def _short_cut(self, state: Mapping[str, Any]) -> dict[Any, Any] | None:
        """The results straight from the kernels, for a state in double precision; None the long way."""
        batch = _batch(state)
        made = self._kernels.get(math.prod(batch))
        if made is None or not _is_double(state):
            return None
        results: dict[Any, Any] = {}
        for (kernel, further), shares in zip(made, self._shares, strict=True):
            before = kernel.counter.value
            given = [state[p.name] if x is None else x for p, x in zip(kernel.inputs, further, strict=True)]
            outputs = native.called(kernel, given, batch)
            if kernel.counter.value != before:
                return None
            for key, start, end in shares:
                results[key] = outputs[start] if batch and end == start + 1 else unpacked(outputs[start:end])
        return results


def _shares(wanted: Wanted) -> list[tuple[tuple[str, ...], int, int]]:
    """Each request's name and options, and which of its kernel's outputs are its own: from start to end."""
    found, start = [], 0
    for quantity, options in wanted:
        end = start + len(quantity.program.outputs)
        found.append(((quantity.name, *options.values()), start, end))
        start = end
    return found


def _batch(state: Mapping[str, Any]) -> tuple[int, ...]:
    q, v = state["q"], state["v"]
    batch: tuple[int, ...] = q.shape[:-1]
    return batch if v is None or v.shape[:-1] == batch else np.broadcast_shapes(batch, v.shape[:-1])


def _is_double(state: Mapping[str, Any]) -> bool:
    return all(x is None or x.dtype == np.float64 for x in state.values())


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
