"""From a quantity and its arguments to its result: check the arguments, run the program, report bad rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from soadyn.engine.engine import Engine, Memory, Precision
from soadyn.engine.tracing.algorithm_choice import cheapest_trace
from soadyn.engine.tracing.trace import Traced
from soadyn.engine.tracing.traced import WORLD, traced
from soadyn.programs.sweep.algorithms import without_external
from soadyn.programs.sweep.inputs import CORE_AXES
from soadyn.programs.sweep.program import Program
from soadyn.quantities import ARGUMENTS, Quantity
from soadyn.robot.arguments import passive_sets
from soadyn.robot.arguments.inputs import inputs_of, program_for
from soadyn.robot.calling.quantity_calls import QuantityCalls
from soadyn.robot.calling.run_program import outputs_of


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
    program, inputs = program_for(quantity, given), inputs_of(engine, quantity, given)
    arrays = {name: x for name, x in inputs.items() if name in CORE_AXES}
    precision = _precision(quantity, given, arrays)
    passive = passive_sets.own_set(quantity, program, engine, inputs)
    outputs, call = outputs_of(engine, program, inputs, precision, memory, passive=passive)
    if calls is not None and call is not None:
        calls.keep(quantity, given, inputs, call)
    if call is None or not call.gives_parts:
        outputs = passive_sets.taken(quantity, inputs, outputs)
    return unpacked(outputs, len(quantity.by))


def unpacked(outputs: Sequence[np.ndarray], each: int = 0) -> Any:
    """A quantity's result, or the tuple of its results, or of tuples of so many `each`; a number is no array."""
    if each:
        return tuple(unpacked(outputs[i : i + each]) for i in range(0, len(outputs), each))
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
