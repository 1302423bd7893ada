"""Derivatives by the reference: the program's own results link by link, their derivatives from its trace.

The trace is computed operation by operation on arrays of any kind of number.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from soadyn.engine.constants.constants import Constants
from soadyn.engine.constants.parameters import with_parameters
from soadyn.engine.reference import checks
from soadyn.engine.reference import run as reference
from soadyn.engine.reference.faults import Faults
from soadyn.engine.tracing import Graph
from soadyn.engine.tracing.evaluating import evaluated
from soadyn.engine.tracing.ports import Port, port_array
from soadyn.engine.tracing.trace import Traced, recorded
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
    values = {name: inputs[name] for name in parameters}
    there = with_parameters(constants, values) if values else constants
    outputs, faults = reference.run(own, there, {name: inputs[name] for name in own.inputs}, batch)
    trace = _trace(program, constants, inputs, parameters)
    arrays = {port: port_array(port, inputs[port.name]) for port in trace.inputs}
    for port, array in arrays.items():
        if port.name not in own.inputs:
            core = tuple(range(array.ndim - len(port.shape), array.ndim))
            faults.add(f"{_told(port.name)} not finite", ~checks.finite(array).all(axis=core))
    if program.derivatives[-1].mode == "second":  # in place of the program's own results
        outputs = []
    further = [_laid_out(port, x, batch) for port, x in _derivatives(trace, arrays, len(outputs))]
    checks.overflow(further, batch, faults)
    return [checks.with_bad_rows(output, batch, faults) for output in (*outputs, *further)], faults


def _told(name: str) -> str:
    """An input that is not the program's own, as the subject of a sentence."""
    match name.partition(":"):
        case ("d", _, of):
            return f"the direction of {public_name(of)!r} is"
        case ("w", _, _):
            return "the weights are"
        case _:
            return f"parameter {name!r} is"


def _trace(program: Program, constants: Constants, inputs: Mapping[str, Any], parameters: Shapes) -> Traced:
    """The program's trace on the robot, kept for further calls."""
    links = {name: inputs[name][0] for name in program.inputs if is_frame(name)}

    def new() -> Traced:
        graph = Graph()
        unknown = {Port(name, shape): recorded(graph, Port(name, shape)) for name, shape in parameters.items()}
        there = with_parameters(constants, {port.name: x for port, x in unknown.items()}) if unknown else constants
        return traced(program, there, links, graph, unknown)

    found: Traced = constants.derived((program, *links.items(), *parameters), new)
    return found


def _derivatives(trace: Traced, arrays: Mapping[Port, np.ndarray], own: int) -> list[tuple[Port, list[Any]]]:
    """The results of derivatives, which come after the program's own, each as a list of numbers."""
    known = {
        scalar.node: array[(..., *index)]
        for port, array in arrays.items()
        for scalar, index in zip(trace.inputs[port], np.ndindex(port.shape), strict=True)
    }
    ports = list(trace.outputs)[own:]
    with np.errstate(all="ignore"):
        found = iter(evaluated(trace.graph, [x for port in ports for x in trace.outputs[port]], known))
    return [(port, [next(found) for _ in range(port.count)]) for port in ports]


def _laid_out(port: Port, numbers: Sequence[Any], batch: tuple[int, ...]) -> np.ndarray:
    rows = [np.broadcast_to(np.asarray(x), batch) for x in numbers]
    return np.stack(rows, axis=-1).reshape(batch + port.shape) if rows else np.zeros(batch + port.shape)
