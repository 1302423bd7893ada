"""From a quantity and its arguments to its result: check the arguments, run the program, report bad rows."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from soadyn.backends.cheapest import cheapest_trace
from soadyn.backends.engine import Call, Engine, Memory, Precision, in_double
from soadyn.backends.faults import Faults
from soadyn.backends.trace import Traced
from soadyn.backends.traced import WORLD, traced
from soadyn.errors import ArgumentError, report_bad_rows
from soadyn.evaluation import arguments, condensed, passive_sets
from soadyn.evaluation.inputs import frame_inputs, inputs_of, program_for
from soadyn.evaluation.quantity_calls import QuantityCalls
from soadyn.quantities import ARGUMENTS, Quantity
from soadyn.sweep.algorithms import without_external
from soadyn.sweep.program import CORE_AXES, Program
from soadyn.sweep.under_actuated import OPERATIONAL_COUPLING


def evaluate(
    engine: Engine,
    quantity: Quantity,
    given: Mapping[str, Any],
    memory: Memory | None = None,
    calls: QuantityCalls | None = None,
) -> Any:
    """A quantity's result, or the tuple of its results.

    `given` has a value for each argument by its public name. `memory` are values of sweeps at the same state, read and
    added to by the reference. `calls` keeps the kernel for further calls with the same options.
    """
    if isinstance(given.get("frames"), list):
        return _blocks(engine, quantity, given)
    program, inputs = program_for(quantity, given), inputs_of(engine, quantity, given)
    arrays = {name: x for name, x in inputs.items() if name in CORE_AXES}
    outputs, call = outputs_of(engine, program, inputs, _precision(quantity, given, arrays), memory)
    if calls is not None and call is not None:
        calls.keep(quantity, given, inputs, call)
    return unpacked(passive_sets.taken(quantity, inputs, outputs))


def _blocks(engine: Engine, quantity: Quantity, given: Mapping[str, Any]) -> np.ndarray:
    """Of several frames: a block for each pair, (..., 6 m, 6 m); those below the diagonal are transposed ones."""
    frames, axes = given["frames"], given["axes"]
    if not frames:
        raise ArgumentError(f"{quantity.name} takes a frame or a list of at least one, got an empty list")
    q = arguments.coordinates(engine.coordinates, given["q"])
    inputs = [{"q": q, **frame_inputs(engine.constants, frame, axes)} for frame in frames]
    precision = _precision(quantity, given, {"q": q})
    rows: list[list[Any]] = [[None] * len(frames) for _ in frames]
    faults = Faults(q.shape[:-1])
    for i, j in itertools.combinations_with_replacement(range(len(frames)), 2):
        program = quantity.program if i == j else OPERATIONAL_COUPLING
        pair = {**inputs[j], "other": inputs[i]["frame"], "other_axes": inputs[i]["axes"]}
        (block,), found, _ = _ran(engine, program, pair, precision, None)
        rows[i][j], rows[j][i] = block, block if i == j else block.mT
        for fault in found.found:
            faults.add(fault.reason, fault.rows)
    _report(quantity.name, faults)
    return np.block(rows)


def outputs_of(
    engine: Engine,
    program: Program,
    inputs: Mapping[str, Any],
    precision: Precision | None,
    memory: Memory | None = None,
) -> tuple[Sequence[np.ndarray], Call | None]:
    """A program's outputs, bad rows reported, and the native call that gave them if there was one."""
    outputs, faults, call = _ran(engine, program, inputs, precision, memory)
    _report(program.name, faults)
    return outputs, call


def _report(name: str, faults: Faults) -> None:
    if faults:
        report_bad_rows(faults.summary(name), faults.first(name))


def _ran(
    engine: Engine,
    program: Program,
    inputs: Mapping[str, Any],
    precision: Precision | None,
    memory: Memory | None,
) -> tuple[Sequence[np.ndarray], Faults, Call | None]:
    axes = engine.core_axes(program, inputs)
    batch = arguments.batch_shape({name: inputs[name] for name in axes}, axes)
    if not engine.coordinates.tied:
        return engine.run(program, inputs, batch, precision, memory)
    outputs, faults = condensed.run(program, engine.constants, engine.coordinates, in_double(inputs), batch)
    if precision == "float32":
        outputs = [output.astype(np.float32, copy=False) for output in outputs]
    return outputs, faults, None


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

    def trace(same: Program) -> Traced:
        return traced(same, engine.constants, {"frame": link}, known={"axes": WORLD})

    return cheapest_trace(program, engine.model, trace).counts_by_stage()


def _precision(quantity: Quantity, given: Mapping[str, Any], arrays: Mapping[str, np.ndarray]) -> Precision | None:
    """Single if every array passed is, double for other real numbers; None for what only the reference can do."""
    passed = [x for kind in quantity.arguments if isinstance(x := given.get(ARGUMENTS[kind].name), np.ndarray)]
    single = precision_of([x for x in passed if x.dtype != np.bool_]) if passed else None
    return "float32" if single == "float32" else precision_of(arrays.values(), single=False)


def precision_of(arrays: Iterable[np.ndarray], single: bool = True) -> Precision | None:
    """Single if every array is and it may be, double for other real numbers, None for what the reference alone does."""
    dtypes = {x.dtype for x in arrays}
    if single and dtypes == {np.dtype(np.float32)}:
        return "float32"
    return "float64" if dtypes <= {np.dtype(np.float64), np.dtype(np.float32)} else None
