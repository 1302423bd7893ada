"""Derivatives by the reference: the program's own results link by link, their derivatives from its trace.

The trace is computed operation by operation on arrays of any kind of number.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice
from typing import Any

import numpy as np

from soadyn.engine.constants.constants import Constants
from soadyn.engine.reference import checks
from soadyn.engine.reference import run as reference
from soadyn.engine.reference.faults import Faults
from soadyn.engine.tracing.evaluating import evaluated
from soadyn.engine.tracing.ports import port_array
from soadyn.engine.tracing.recording import Recording
from soadyn.engine.tracing.trace import Traced
from soadyn.engine.tracing.traced import traced
from soadyn.programs.sweep.inputs import is_frame
from soadyn.programs.sweep.program import Program, without_derivatives
from soadyn.programs.sweep.vector_names import public_name

Shapes = Mapping[str, tuple[int, ...]]


def run(
    program: Program, constants: Constants, inputs: Mapping[str, Any], batch: tuple[int, ...], parameters: Shapes
) -> tuple[list[np.ndarray], Faults]:
    """The program's outputs, those of its derivatives among them, and the rows that have no answer."""
    own = without_derivatives(program)
    primal = {name: inputs[name] for name in (*own.inputs, *parameters)}
    outputs, faults = reference.run(own, constants, primal, batch, parameters=parameters)
    trace = _trace(program, constants, inputs, parameters)
    arrays = {port: port_array(port, inputs[port.name]) for port in trace.inputs}
    for port, array in arrays.items():
        if port.name not in primal:
            mode, _, of = port.name.partition(":")
            told = f"the direction of {public_name(of)!r} is" if mode == "d" else "the weights are"
            checks.argument(told, array, len(port.shape), faults)
    if any(
        derivative.mode in ("first", "second") for derivative in program.derivatives
    ):  # in place of the program's own results
        outputs = []
    further = list(trace.outputs)[len(outputs) :]
    known = {
        scalar.node: array[(..., *index)]
        for port, array in arrays.items()
        for scalar, index in zip(trace.inputs[port], np.ndindex(port.shape), strict=True)
    }
    with np.errstate(all="ignore"):
        found = iter(evaluated(trace.graph, [x for port in further for x in trace.outputs[port]], known))
    for port in further:
        rows = [np.broadcast_to(np.asarray(x), batch) for x in islice(found, port.count)]
        outputs.append((np.stack(rows, axis=-1) if rows else np.zeros(0)).reshape(batch + port.shape))
    checks.overflow(outputs, batch, faults)
    return [checks.with_bad_rows(output, batch, faults) for output in outputs], faults


def _trace(program: Program, constants: Constants, inputs: Mapping[str, Any], parameters: Shapes) -> Traced:
    """The program's trace on the robot, kept for further calls."""
    links = {name: inputs[name][0] for name in program.inputs if is_frame(name)}

    def new() -> Traced:
        robot = Recording(constants, parameters)
        return traced(program, robot.constants, links, robot.graph, robot.inputs)

    found: Traced = constants.derived((program, *links.items(), *parameters), new)
    return found
