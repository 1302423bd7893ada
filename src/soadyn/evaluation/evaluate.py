"""From a quantity and its arguments to its result: prepare, run, report bad rows."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from soadyn.backends import numpy as reference
from soadyn.backends.constants import Constants
from soadyn.backends.engine import Engine
from soadyn.backends.faults import Faults
from soadyn.backends.native import run as native
from soadyn.backends.traced import WORLD, traced
from soadyn.errors import ArgumentError, ModelError, report_bad_rows
from soadyn.evaluation import arguments, condensed, passive_sets
from soadyn.quantities import Quantity
from soadyn.sweep.algorithms import without_external
from soadyn.sweep.program import CORE_AXES, Program, core_axes
from soadyn.sweep.under_actuated import OPERATIONAL_COUPLING
from soadyn.tracing.precision import Precision


def evaluate(
    engine: Engine,
    quantity: Quantity,
    given: Mapping[str, Any],
    memory: reference.Memory | None,
    stacklevel: int,
) -> Any:
    """A quantity's result, or the tuple of its results; native if there are kernels for these numbers."""
    if isinstance(given.get("frames"), list):
        return _blocks(engine, quantity, given, stacklevel + 1)
    program, inputs = prepared(engine, quantity, given)
    arrays = {name: x for name, x in inputs.items() if name in CORE_AXES}
    precision = _precision(quantity, given, arrays)
    outputs = outputs_of(engine, program, inputs, precision, memory, stacklevel + 1)
    return unpacked(passive_sets.taken(quantity, inputs, outputs))


def _blocks(
    engine: Engine,
    quantity: Quantity,
    given: Mapping[str, Any],
    stacklevel: int,
) -> np.ndarray:
    """Of several frames: a block for each pair, (..., 6 m, 6 m); those below the diagonal are transposed ones."""
    frames, axes = given["frames"], given["axes"]
    if not frames:
        raise ArgumentError(f"{quantity.name} takes a frame or a list of at least one, got an empty list")
    q = arguments.coordinates(engine.coordinates, given["q"])
    inputs = [{"q": q, **_frame(engine.constants, frame, axes)} for frame in frames]
    precision = _precision(quantity, given, {"q": q})
    rows: list[list[Any]] = [[None] * len(frames) for _ in frames]
    faults = Faults(q.shape[:-1])
    for i, j in itertools.combinations_with_replacement(range(len(frames)), 2):
        program = quantity.program if i == j else OPERATIONAL_COUPLING
        pair = {**inputs[j], "other": inputs[i]["frame"], "other_axes": inputs[i]["axes"]}
        (block,), found = _ran(engine, program, pair, precision, None)
        rows[i][j], rows[j][i] = block, block if i == j else block.mT
        for fault in found.found:
            faults.add(fault.reason, fault.rows)
    _report(quantity.name, faults, stacklevel + 1)
    return np.block(rows)


def outputs_of(
    engine: Engine,
    program: Program,
    inputs: Mapping[str, Any],
    precision: Precision | None,
    memory: reference.Memory | None,
    stacklevel: int,
) -> list[np.ndarray]:
    """A program's outputs, by whatever can compute them, bad rows reported."""
    outputs, faults = _ran(engine, program, inputs, precision, memory)
    _report(program.name, faults, stacklevel + 1)
    return outputs


def _report(name: str, faults: Faults, stacklevel: int) -> None:
    if faults:
        report_bad_rows(faults.summary(name), faults.first(name), stacklevel + 1)


def _ran(
    engine: Engine,
    program: Program,
    inputs: Mapping[str, Any],
    precision: Precision | None,
    memory: reference.Memory | None,
) -> tuple[list[np.ndarray], Faults]:
    """A program's outputs, by whatever can compute them, and the bad rows."""
    axes = {name: core for name in inputs if (core := core_axes(name)) is not None}
    batch = arguments.batch_shape({name: inputs[name] for name in axes}, axes)
    tied = engine.coordinates.tied
    if engine.kernels is not None and precision is not None and not tied:
        outputs, faults = native.run(program, engine.kernels, inputs, batch, precision)
    else:
        inputs = {name: _in_double(x) for name, x in inputs.items()}
        if tied:
            outputs, faults = condensed.run(program, engine.constants, engine.coordinates, inputs, batch)
        else:
            outputs, faults = reference.run(program, engine.constants, inputs, batch, memory)
    if precision == "float32":
        outputs = [output.astype(np.float32, copy=False) for output in outputs]
    return outputs, faults


def unpacked(outputs: Sequence[np.ndarray]) -> Any:
    """A quantity's result, or the tuple of its results; a single number is a number, not an array."""
    return outputs[0][()] if len(outputs) == 1 else tuple(output[()] for output in outputs)


def counted_operations(engine: Engine, quantity: Quantity, link: int) -> dict[str, dict[str, int]]:
    """How many operations a quantity takes without wrenches and along the world's axes, sweep by sweep.

    `link` carries the frame, if there is one.
    """
    program = quantity.program
    if "external" in program.inputs:
        program = without_external(program)
    return traced(program, engine.constants, {"frame": link}, known={"axes": WORLD}).counts_by_stage()


def prepared(engine: Engine, quantity: Quantity, given: Mapping[str, Any]) -> tuple[Program, dict[str, Any]]:
    """A quantity's program for what is given, and what it reads."""
    return _program(quantity, given), inputs_of(engine, quantity, given)


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


def inputs_of(engine: Engine, quantity: Quantity, given: Mapping[str, Any]) -> dict[str, Any]:
    """What the quantity's program reads, from what the caller gave."""
    constants, space = engine.constants, engine.coordinates
    inputs: dict[str, Any] = {}
    mask = passive_sets.one_set(space, quantity, given["passive"]) if "passive?" in quantity.arguments else np.zeros(0)
    for name in quantity.arguments:
        match name:
            case "q":
                inputs["q"] = arguments.coordinates(space, given["q"])
            case "v" | "tau":
                inputs[name] = arguments.joint_vector(space, given[name], name)
            case "x" | "y":
                inputs[name] = passive_sets.spread(space, mask, given[name], name)
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
                inputs.update(passive_sets.known(space, given))
            case "passive?":
                inputs["passive"] = mask.astype(float)
            case "tau?" if "passive?" in quantity.arguments:
                inputs["tau"] = passive_sets.passive_forces(space, mask, given["tau"])
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
