"""A trace with its derivatives: rates along directions, gradients of weighted results, Jacobians, second derivatives.

Rates are what everything else follows from. They are linear in the directions, and the gradient is their transpose:

    ẏ = J ẋ    is recorded for directions ẋ,        x̄ = J* ȳ    by going back through what was recorded
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

import numpy as np

from soadyn.engine.tracing import Scalar
from soadyn.engine.tracing.derivatives import gradient, jacobian, tangent
from soadyn.engine.tracing.implicit import ImplicitSolution, Retrace
from soadyn.engine.tracing.implicit_loops import closed_derivatives
from soadyn.engine.tracing.ports import Port, derivative_ports
from soadyn.engine.tracing.second_order import InverseChanges, Second
from soadyn.engine.tracing.trace import Traced, recorded
from soadyn.engine.tracing.values import array_of
from soadyn.model.coordinate_rates import coordinate_rates
from soadyn.model.model import Model
from soadyn.programs.sweep.program import Derivative, Implicit

Vector = Any  # an array of scalars, flat


def with_first_derivatives(
    trace: Traced, rule: Implicit, given: Mapping[str, Any], model: Model, retrace: Retrace
) -> Traced:
    """The trace with θ̈_q, θ̈_v and θ̈_τ of a closed robot in place of its results."""

    def seeds() -> dict[int, dict[int, Any]]:
        return _units(trace, model, ("q", "v"))[1]

    derivative = Derivative("first", ("q", "v", "tau"))
    found = iter(closed_derivatives(trace, rule, given, model.nv, retrace, seeds))
    outputs = derivative_ports(derivative, tuple(trace.inputs), tuple(trace.outputs), model)[1]
    results: dict[Port, Sequence[Any]] = {port: list(islice(found, port.count)) for port in outputs}
    return Traced(trace.graph, trace.inputs, results, (*trace.stages, ("first", len(trace.graph.nodes))))


def with_derivatives(trace: Traced, derivative: Derivative, model: Model, solution: ImplicitSolution | None) -> Traced:
    """The trace with the arguments and results of a derivative behind its own; second derivatives replace these.

    `solution` says how the results change if they solve the equations of motion.
    """
    mode, by, graph = derivative.mode, derivative.by, trace.graph
    inputs, outputs = derivative_ports(derivative, tuple(trace.inputs), tuple(trace.outputs), model)
    further = _recorded(trace, inputs)
    own = trace.outputs
    found: Sequence[Any]
    match mode:
        case "tangent":
            found = _rates(trace, model, dict(zip(by, further.values(), strict=True)), solution)
        case "gradient":
            along = _recorded(trace, derivative_ports(Derivative("tangent", by), tuple(trace.inputs), (), model)[0])
            rates = _rates(trace, model, dict(zip(by, along.values(), strict=True)), solution)
            weights = [w for values in further.values() for w in values]
            found = gradient(graph, rates, weights, [x.node for direction in along.values() for x in direction])
        case "jacobian":
            found = _columns(trace, model, by)
        case "second":
            own, found = {}, [x for tensor in _second(trace, model, solution) for x in tensor.flat]
    rest = iter(found)
    results: dict[Port, Sequence[Any]] = {port: list(islice(rest, port.count)) for port in outputs[len(own) :]}
    return Traced(graph, {**trace.inputs, **further}, {**own, **results}, (*trace.stages, (mode, len(graph.nodes))))


def _recorded(trace: Traced, inputs: Sequence[Port]) -> dict[Port, Vector]:
    """The arguments that come behind those of a trace."""
    return {port: recorded(trace.graph, port).ravel() for port in inputs[len(trace.inputs) :]}


def _rates(trace: Traced, model: Model, along: dict[str, Vector], solution: ImplicitSolution | None) -> list[Any]:
    """How the results change along directions of the arguments; those of q have one entry for each joint component."""
    if solution is None:
        return tangent(trace.graph, trace.results, _seeds(trace, model, along))
    moving = {name: direction for name, direction in along.items() if name not in ("tau", "vdot")}
    return solution.rates(_seeds(trace, model, moving), along.get("tau", 0.0), along.get("vdot", 0.0))


def _seeds(trace: Traced, model: Model, along: dict[str, Vector]) -> dict[int, Any]:
    """How the scalars of arguments change along their directions, by their nodes."""
    seeds: dict[int, Any] = {}
    for name, direction in along.items():
        x = trace.argument(name)
        rates = coordinate_rates(model, array_of(x, (len(x),)), direction) if name == "q" else direction
        seeds.update((entry.node, rate) for entry, rate in zip(x, rates, strict=True) if isinstance(entry, Scalar))
    return seeds


def _columns(trace: Traced, model: Model, by: tuple[str, ...]) -> list[Any]:
    """For each result its derivatives by each argument, entry by entry."""
    spans, seeds = _units(trace, model, by)
    rest = iter(jacobian(trace.graph, trace.results, seeds))
    found: list[Any] = []
    for values in trace.outputs.values():
        rows = list(islice(rest, len(values)))
        found += [row.get(place, 0.0) for span in spans.values() for row in rows for place in span]
    return found


def _units(trace: Traced, model: Model, by: tuple[str, ...]) -> tuple[dict[str, range], dict[int, dict[int, Any]]]:
    """The numbers of the arguments' entries, and how the arguments' scalars change along each, by their nodes."""
    spans: dict[str, range] = {}
    seeds: dict[int, dict[int, Any]] = {}
    for name in by:
        start = max((span.stop for span in spans.values()), default=0)
        spans[name] = range(start, start + (model.nv if name == "q" else len(trace.argument(name))))
        for place, unit in zip(spans[name], np.eye(len(spans[name])), strict=True):
            for node, rate in _seeds(trace, model, {name: unit}).items():
                if isinstance(rate, Scalar) or rate != 0.0:
                    seeds.setdefault(node, {})[place] = rate
    return spans, seeds


def _second(trace: Traced, model: Model, solution: ImplicitSolution | None) -> Second:
    """Second derivatives from T_q, T_v and M: the trace's results, or those of the equations that it solves."""
    nv = model.nv
    first = trace if solution is None else replace(solution.equations, inputs=trace.inputs)
    values = [*first.results, *_columns(first, model, ("q",))]
    numbers = array_of(values if solution is None else solution.known(values), (len(values),))
    own, by_q = np.split(numbers, [3 * nv**2])
    changes = InverseChanges.of(model, list(own.reshape(3, nv, nv)), list(by_q.reshape(3, nv, nv, nv)))
    if solution is None:
        return changes.second()
    (M_inverse,) = solution.at_rest()
    return changes.solved(M_inverse.reshape(nv, nv))
