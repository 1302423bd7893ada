"""From a quantity and its arguments to its result: prepare, run, report bad rows."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Mapping
from typing import Any, final

import numpy as np

from soadyn import arguments, halves, tied
from soadyn.backends import numpy as reference
from soadyn.backends.constants import Constants
from soadyn.backends.faults import Faults
from soadyn.backends.native import run as native
from soadyn.backends.native.kernel import Kernel
from soadyn.backends.native.text import Precision
from soadyn.backends.native.traced import traced
from soadyn.coordinates import Coordinates
from soadyn.errors import ArgumentError, ModelError, report_bad_rows
from soadyn.quantities import Quantity
from soadyn.sweep.actuation import OPERATIONAL_COUPLING
from soadyn.sweep.algorithms import without_external
from soadyn.sweep.combining import combined
from soadyn.sweep.program import CORE_AXES, Program, core_axes


def evaluate(
    constants: Constants,
    space: Coordinates,
    kernels: native.Kernels | None,
    quantity: Quantity,
    given: Mapping[str, Any],
    memory: reference.Memory | None,
    stacklevel: int,
) -> Any:
    """A quantity's result, or the tuple of its results; native if there are kernels for these numbers."""
    if isinstance(given.get("frames"), list):
        return _blocks(constants, space, kernels, quantity, given, stacklevel + 1)
    program, inputs = prepared(constants, space, quantity, given)
    arrays = {name: x for name, x in inputs.items() if name in CORE_AXES}
    precision = _precision(quantity, given, arrays)
    outputs = outputs_of(constants, space, kernels, program, inputs, precision, memory, stacklevel + 1)
    return unpacked(halves.taken(quantity, inputs, outputs))


def _blocks(
    constants: Constants,
    space: Coordinates,
    kernels: native.Kernels | None,
    quantity: Quantity,
    given: Mapping[str, Any],
    stacklevel: int,
) -> np.ndarray:
    """Of several frames: a block for each pair, (..., 6 m, 6 m); those below the diagonal are transposed ones."""
    frames, axes = given["frames"], given["axes"]
    if not frames:
        raise ArgumentError(f"{quantity.name} takes a frame or a list of at least one, got an empty list")
    q = arguments.coordinates(space, given["q"])
    inputs = [{"q": q, **_frame(constants, frame, axes)} for frame in frames]
    precision = _precision(quantity, given, {"q": q})
    rows: list[list[Any]] = [[None] * len(frames) for _ in frames]
    faults = Faults(q.shape[:-1])
    for i, j in itertools.combinations_with_replacement(range(len(frames)), 2):
        program = quantity.program if i == j else OPERATIONAL_COUPLING
        pair = {**inputs[j], "other": inputs[i]["frame"], "other_axes": inputs[i]["axes"]}
        (block,), found = _ran(constants, space, kernels, program, pair, precision, None)
        rows[i][j], rows[j][i] = block, block if i == j else block.mT
        for fault in found.found:
            faults.add(fault.reason, fault.rows)
    _report(quantity.name, faults, stacklevel + 1)
    return np.block(rows)


def outputs_of(
    constants: Constants,
    space: Coordinates,
    kernels: native.Kernels | None,
    program: Program,
    inputs: Mapping[str, Any],
    precision: Precision | None,
    memory: reference.Memory | None,
    stacklevel: int,
) -> list[np.ndarray]:
    """A program's outputs, by whatever can compute them, bad rows reported."""
    outputs, faults = _ran(constants, space, kernels, program, inputs, precision, memory)
    _report(program.name, faults, stacklevel + 1)
    return outputs


def _report(name: str, faults: Faults, stacklevel: int) -> None:
    if faults:
        report_bad_rows(faults.summary(name), faults.first(name), stacklevel + 1)


def _ran(
    constants: Constants,
    space: Coordinates,
    kernels: native.Kernels | None,
    program: Program,
    inputs: Mapping[str, Any],
    precision: Precision | None,
    memory: reference.Memory | None,
) -> tuple[list[np.ndarray], Faults]:
    """A program's outputs, by whatever can compute them, and the bad rows."""
    axes = {name: core for name in inputs if (core := core_axes(name)) is not None}
    batch = arguments.batch_shape({name: inputs[name] for name in axes}, axes)
    if kernels is not None and precision is not None and not space.tied:
        outputs, faults = native.run(program, kernels, inputs, batch, precision)
    else:
        inputs = {name: _in_double(x) for name, x in inputs.items()}
        if space.tied:
            outputs, faults = tied.run(program, constants, space, inputs, batch)
        else:
            outputs, faults = reference.run(program, constants, inputs, batch, memory)
    if precision == "float32":
        outputs = [output.astype(np.float32, copy=False) for output in outputs]
    return outputs, faults


def unpacked(outputs: Iterable[np.ndarray]) -> Any:
    """A quantity's result, or the tuple of its results; a single number is a number, not an array."""
    results = tuple(output[()] for output in outputs)
    return results[0] if len(results) == 1 else results


def same_frame(requests: list[tuple[Quantity, dict[str, str]]]) -> list[list[tuple[Quantity, dict[str, str]]]]:
    """Requests in groups that one kernel can serve: with one frame, one choice of axes and one point."""
    groups: list[tuple[dict[str, str], list[tuple[Quantity, dict[str, str]]]]] = []
    for quantity, options in requests:
        wanted = {"axes": "world", **options} if "frame" in options else options
        for fixed, group in groups:
            if all(fixed.get(name, value) == value for name, value in wanted.items()):
                fixed.update(wanted)
                group.append((quantity, options))
                break
        else:
            groups.append((dict(wanted), [(quantity, options)]))
    return [group for _, group in groups]


@final
class Together:
    """Quantities asked for together, in groups of one kernel each, and those kernels once they are known."""

    def __init__(self, requests: list[tuple[Quantity, dict[str, str]]]) -> None:
        self.groups = same_frame(requests)
        self._kernels: dict[bool, list[tuple[Kernel, list[Any]]]] = {}  # by whether the batch is large

    def results(
        self,
        constants: Constants,
        space: Coordinates,
        kernels: native.Kernels | None,
        state: Mapping[str, Any],
        stacklevel: int,
    ) -> dict[Any, Any]:
        """All results by quantity and options."""
        found = self.short_cut(state)
        if found is not None:
            return found
        found = {}
        for group in self.groups:
            values = evaluate_together(constants, space, kernels, group, state, stacklevel + 1)
            for (quantity, options), value in zip(group, values, strict=True):
                found[(quantity.name, *options.values())] = value
        if kernels is not None and not space.tied:
            self._prepare(constants, space, kernels, state)
        return found

    def _prepare(
        self, constants: Constants, space: Coordinates, kernels: native.Kernels, state: Mapping[str, Any]
    ) -> None:
        """Keeps the kernels for batches like this one, with the arrays that do not depend on the state."""
        arrays = [x for x in state.values() if x is not None]
        rows = math.prod(np.broadcast_shapes(*(x.shape[:-1] for x in arrays)))
        large = rows >= native.limits.large
        if large in self._kernels or any(x.dtype != np.float64 for x in arrays):
            return
        made = []
        for group in self.groups:
            program, inputs = _combined_inputs(constants, space, group, state)
            kernel = native.kernel_for(program, kernels, inputs, "float64", rows)
            further = [
                None if p.name in state else native.argument(p, inputs[p.name], "float64") for p in kernel.inputs
            ]
            made.append((kernel, further))
        self._kernels[large] = made

    def short_cut(self, state: Mapping[str, Any]) -> dict[Any, Any] | None:
        """The results straight from the kernels, for a checked state in double precision; None the long way."""
        arrays = [x for x in state.values() if x is not None]
        batch = np.broadcast_shapes(*(x.shape[:-1] for x in arrays))
        made = self._kernels.get(math.prod(batch) >= native.limits.large)
        if made is None or any(x.dtype != np.float64 for x in arrays):
            return None
        results: dict[Any, Any] = {}
        for (kernel, further), group in zip(made, self.groups, strict=True):
            before = kernel.counter.value
            given = [state[p.name] if x is None else x for p, x in zip(kernel.inputs, further, strict=True)]
            outputs = iter(native.called(kernel, given, batch))
            if kernel.counter.value != before:
                return None
            for quantity, options in group:
                found = unpacked(itertools.islice(outputs, len(quantity.program.outputs)))
                results[(quantity.name, *options.values())] = found
        return results


def _combined_inputs(
    constants: Constants, space: Coordinates, requests: list[tuple[Quantity, dict[str, str]]], state: Mapping[str, Any]
) -> tuple[Program, dict[str, Any]]:
    """The program of several quantities, and what it reads; q and v were checked when the state was made."""
    program = combined(tuple(quantity.program for quantity, _ in requests))
    inputs: dict[str, Any] = {name: x for name, x in state.items() if name in program.inputs}
    for quantity, options in requests:
        if options:
            inputs.update(_inputs(constants, space, quantity, {**state, **options}))
    return program, inputs


def evaluate_together(
    constants: Constants,
    space: Coordinates,
    kernels: native.Kernels | None,
    requests: list[tuple[Quantity, dict[str, str]]],
    state: Mapping[str, Any],
    stacklevel: int,
) -> list[Any]:
    """The results of several quantities at one state, from one kernel or one run of the reference."""
    if space.tied:
        every = [(quantity, {**state, **options}) for quantity, options in requests]
        return [evaluate(constants, space, kernels, quantity, given, None, stacklevel) for quantity, given in every]
    dtypes = [x.dtype for x in state.values() if x is not None]
    precision: Precision | None = "float32" if all(dtype == np.float32 for dtype in dtypes) else "float64"
    if not all(dtype in (np.float64, np.float32) for dtype in dtypes):
        precision = None
    program, inputs = _combined_inputs(constants, space, requests, state)
    outputs = iter(outputs_of(constants, space, kernels, program, inputs, precision, None, stacklevel + 1))
    return [unpacked(itertools.islice(outputs, len(quantity.program.outputs))) for quantity, _ in requests]


def counted_operations(constants: Constants, quantity: Quantity, link: int) -> dict[str, dict[str, int]]:
    """How many operations a quantity takes without wrenches, sweep by sweep; `link` carries the frame, if any."""
    program = quantity.program
    if "external" in program.inputs:
        program = without_external(program)
    return traced(program, constants, {"frame": link, "axes": 0}).counts_by_stage()


def prepared(
    constants: Constants, space: Coordinates, quantity: Quantity, given: Mapping[str, Any]
) -> tuple[Program, dict[str, Any]]:
    """A quantity's program for what is given, and what it reads."""
    return _program(quantity, given), _inputs(constants, space, quantity, given)


def _program(quantity: Quantity, given: Mapping[str, Any]) -> Program:
    """The quantity's program; without wrenches if none act."""
    unloaded = "external" in quantity.arguments and given["external"] is None
    return without_external(quantity.program) if unloaded else quantity.program


def _precision(quantity: Quantity, given: Mapping[str, Any], arrays: Mapping[str, np.ndarray]) -> Precision | None:
    """Single if every array passed is, double for other real numbers; None for what only the reference can do."""
    passed = [x for name in quantity.arguments if isinstance(x := given.get(name.rstrip("?")), np.ndarray)]
    single = precision_of([x for x in passed if x.dtype != np.bool_]) if passed else None
    return "float32" if single == "float32" else precision_of(arrays.values(), single=False)


def precision_of(arrays: Iterable[np.ndarray], single: bool = True) -> Precision | None:
    """Single if every array is and it may be, double for other real numbers, None for what the reference alone does."""
    dtypes = {x.dtype for x in arrays}
    if single and dtypes == {np.dtype(np.float32)}:
        return "float32"
    return "float64" if dtypes <= {np.dtype(np.float64), np.dtype(np.float32)} else None


def _in_double(x: Any) -> Any:
    """Single precision is for what comes in and goes out; between, sines and sums are taken in double."""
    if isinstance(x, np.ndarray) and x.dtype in (np.float32, np.complex64):
        return x.astype(np.result_type(x.dtype, np.float64))
    return x


def _inputs(constants: Constants, space: Coordinates, quantity: Quantity, given: Mapping[str, Any]) -> dict[str, Any]:
    """What the quantity's program reads, from what the caller gave."""
    inputs: dict[str, Any] = {}
    mask = halves.one_set(space, quantity, given["passive"]) if "passive?" in quantity.arguments else np.zeros(0)
    for name in quantity.arguments:
        match name:
            case "q":
                inputs["q"] = arguments.coordinates(space, given["q"])
            case "v" | "tau":
                inputs[name] = arguments.joint_vector(space, given[name], name)
            case "x" | "y":
                inputs[name] = halves.spread(space, mask, given[name], name)
            case "f":
                wrench = arguments.numbers("f", given["f"], 6, meaning="a wrench [moment; force] at the frame")
                inputs["f"] = wrench[..., None]
            case "a":
                inputs["vdot"] = arguments.joint_vector(space, given["a"], "a")
            case "external":
                if given["external"] is not None:
                    inputs["external"] = arguments.external(constants, given["external"])
            case "frame" | "frames":
                inputs.update(_frame(constants, given[name], given.get("axes", "world")))
            case "about":
                inputs.update(_about(given["about"]))
            case "passive":
                inputs.update(halves.known(space, given))
            case "passive?":
                inputs["passive"] = mask.astype(float)
            case "tau?" if "passive?" in quantity.arguments:
                inputs["tau"] = halves.passive_forces(space, mask, given["tau"])
    if quantity.name.startswith("cent") or inputs.get("about_com"):
        _check_mass(constants, quantity)
    return inputs


def _frame(constants: Constants, chosen: Any, axes: Any) -> dict[str, Any]:
    place = arguments.frame(constants.model, chosen)
    return {
        "frame": arguments.placed(constants, place),
        "axes": arguments.placed(constants, arguments.axes(constants.model, axes, place)),
        "on_path": arguments.marked(constants, constants.model.ancestors(place.link)),
        "at_frame": arguments.marked(constants, [place.link]),
    }


def _about(point: Any) -> dict[str, Any]:
    if isinstance(point, str):
        if point not in ("origin", "com"):
            raise ArgumentError(f'about must be "origin", "com" or a point (..., 3), got {point!r}')
        return {"about": np.zeros((3, 1)), "about_com": float(point == "com")}
    array = arguments.numbers("about", point, 3, meaning="a point in the world")
    return {"about": array[..., None], "about_com": 0.0}


def _check_mass(constants: Constants, quantity: Quantity) -> None:
    if not any(link.mass > 0 for link in constants.model.links):
        raise ModelError(f"{quantity.name}: robot {constants.model.name!r} has no moving mass, so no mass centre")
