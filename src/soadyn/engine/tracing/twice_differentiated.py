"""A trace with the second derivatives of inverse or forward dynamics as its results."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from soadyn.engine.tracing.differentiated import columns
from soadyn.engine.tracing.evaluating import substituted
from soadyn.engine.tracing.ports import Port, derivative_ports
from soadyn.engine.tracing.second_order import InverseChanges
from soadyn.engine.tracing.trace import Traced, recorded
from soadyn.engine.tracing.values import array_of
from soadyn.model.model import Model
from soadyn.programs.sweep.program import Derivative, Implicit, Program

# Traces a program in the same graph; its inputs are known.
Retrace = Callable[[Program, Mapping[str, Any]], Traced]


def with_second_derivatives(
    trace: Traced,
    derivative: Derivative,
    model: Model,
    rule: Implicit | None,
    given: Mapping[str, Any],
    retrace: Retrace,
) -> Traced:
    """The trace with second derivatives instead of its results, which are T_q, T_v and M, or θ̈ if there is a rule.

    The rule's `inverse` gives T_q, T_v and M; its program at rest, M⁻¹. `given` are the values of the trace's inputs.
    """
    if rule is None:
        found = _changes(trace, model, trace.inputs, lambda values: values).second()
    else:
        # Inputs stand for the accelerations, so that nothing is differentiated through their solution.
        unknown = recorded(trace.graph, Port("accelerations", (model.nv,)))
        known = {name: given[name] for name in rule.inverse.inputs if name != "vdot"}
        inverse = retrace(rule.inverse, {**known, "vdot": unknown})
        solution = {x.node: found for x, found in zip(unknown, trace.results, strict=True)}
        changes = _changes(inverse, model, trace.inputs, lambda values: substituted(trace.graph, values, solution))
        M_inverse = retrace(rule.at_rest, {name: given[name] for name in rule.at_rest.inputs}).results
        found = changes.solved(array_of(M_inverse, (model.nv,) * 2))
    _, ports = derivative_ports(derivative, tuple(trace.inputs), (), model)
    results: dict[Port, Sequence[Any]] = {port: list(tensor.flat) for port, tensor in zip(ports, found, strict=True)}
    return Traced(trace.graph, trace.inputs, results, (*trace.stages, (derivative.mode, len(trace.graph.nodes))))


def _changes(
    trace: Traced, model: Model, inputs: dict[Port, Any], at_solution: Callable[[list[Any]], list[Any]]
) -> InverseChanges:
    """T_q, T_v and M, the results of a trace of inverse dynamics' derivatives, and how they change with q."""
    nv = model.nv
    moving = Traced(trace.graph, inputs, trace.outputs, trace.stages)
    values = at_solution([*trace.results, *columns(moving, model, ("q",))])
    first, second = np.split(array_of(values, (len(values),)), [3 * nv**2])
    return InverseChanges.of(model, list(first.reshape(3, nv, nv)), list(second.reshape(3, nv, nv, nv)))
