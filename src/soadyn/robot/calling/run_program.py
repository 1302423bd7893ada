"""A program run on checked inputs by the robot's engine, or condensed for tied joints; bad rows reported."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np

from soadyn.engine.engine import Call, Engine, PassiveSet, Precision, in_double
from soadyn.engine.reference.faults import Faults
from soadyn.engine.reference.run import in_turn
from soadyn.errors import report_bad_rows
from soadyn.programs.sweep.program import Program
from soadyn.programs.sweep.vector_names import public_name
from soadyn.robot.arguments import arguments
from soadyn.robot.calling import tied_joints as condensed

NO_VALUES: Mapping[str, Any] = MappingProxyType({})
ARGUMENT = re.compile(r"(argument|direction of) '([^']*)'")


def outputs_of(
    engine: Engine,
    program: Program,
    inputs: Mapping[str, Any],
    precision: Precision | None,
    called: Mapping[str, str] = NO_VALUES,
    passive: PassiveSet | None = None,
) -> tuple[Sequence[np.ndarray], Call | None]:
    """A program's outputs, bad rows reported, and the native call that gave them if there was one.

    `called` says what the caller calls the program's inputs, where that is not their public name. Code may be made for
    a set `passive`; see `Engine.run`.
    """
    outputs, faults, call = ran(engine, program, inputs, precision, passive)
    if faults:  # told of with the names of arguments and directions that the caller has
        names = {public_name(inside): outside for inside, outside in called.items()}
        told = faults.summary(program.name), faults.first(program.name)
        report_bad_rows(*(ARGUMENT.sub(lambda x: f"{x[1]} '{names.get(x[2], x[2])}'", text) for text in told))
    return outputs, call


def ran(
    engine: Engine,
    program: Program,
    inputs: Mapping[str, Any],
    precision: Precision | None,
    passive: PassiveSet | None = None,
) -> tuple[Sequence[np.ndarray], Faults, Call | None]:
    """A program's outputs, its bad rows, and the native call that gave the outputs if there was one."""
    axes = engine.core_axes(program, inputs)
    batch = arguments.batch_shape({name: inputs[name] for name in axes}, axes)
    if program.units and not program.derivatives:

        def one(same: Program, wider: Mapping[str, Any], rows: tuple[int, ...]) -> tuple[Any, Faults]:
            return ran(engine, same, wider, precision)[:2]

        return *in_turn(program, inputs, axes, batch, engine.coordinates.nv, one), None
    if not engine.coordinates.tied:
        return engine.run(program, inputs, batch, precision, passive)
    outputs, faults = condensed.run(program, engine.constants, engine.coordinates, in_double(inputs), batch)
    if precision == "float32":
        outputs = [output.astype(np.float32, copy=False) for output in outputs]
    return outputs, faults, None


def unpacked(outputs: Sequence[np.ndarray], each: int = 0) -> Any:
    """A quantity's result, or the tuple of its results, or of tuples of so many `each`; a number is no array."""
    if each:
        return tuple(unpacked(outputs[i : i + each]) for i in range(0, len(outputs), each))
    return outputs[0][()] if len(outputs) == 1 else tuple(output[()] for output in outputs)


def precision_of(arrays: Iterable[np.ndarray], single: bool = True) -> Precision | None:
    """Single if every array is and it may be, double for other real numbers, None for what the reference alone does."""
    dtypes = {x.dtype for x in arrays}
    if single and dtypes == {np.dtype(np.float32)}:
        return "float32"
    return "float64" if dtypes <= {np.dtype(np.float64), np.dtype(np.float32)} else None
