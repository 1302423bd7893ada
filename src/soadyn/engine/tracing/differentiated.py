"""A trace with its derivatives: rates along directions, or gradients of weighted results."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import Any

import numpy as np

from soadyn.engine.tracing import Scalar
from soadyn.engine.tracing.derivatives import gradient, jacobian, tangent
from soadyn.engine.tracing.ports import derivative_ports
from soadyn.engine.tracing.trace import Traced, recorded
from soadyn.engine.tracing.values import array_of
from soadyn.model.coordinate_rates import coordinate_rates, joint_weights
from soadyn.model.model import Model
from soadyn.programs.sweep.program import Derivative

Vector = Any  # an array of scalars, flat


def with_derivatives(trace: Traced, derivative: Derivative, model: Model) -> Traced:
    """The trace with the arguments and results of a derivative behind its own."""
    further = further_inputs(trace, derivative, model)
    values = [x for scalars in further.values() for x in scalars]
    if derivative.mode == "tangent":
        seeds = seeds_along(trace, model, directions(trace, model, derivative.by, values))
        found = tangent(trace.graph, trace.results, seeds)
    elif derivative.mode == "jacobian":
        found = columns(trace, model, derivative.by)
    else:
        nodes = [node_of(x) for name in derivative.by for x in trace.argument(name)]
        found = along_joints(trace, model, derivative.by, gradient(trace.graph, trace.results, values, nodes))
    return extended(trace, derivative, model, further, found)


def further_inputs(trace: Traced, derivative: Derivative, model: Model) -> dict[Any, list[Any]]:
    """The arguments that a derivative adds, recorded."""
    inputs, _ = derivative_ports(derivative, tuple(trace.inputs), tuple(trace.outputs), model)
    return {port: list(recorded(trace.graph, port).flat) for port in inputs[len(trace.inputs) :]}


def extended(
    trace: Traced, derivative: Derivative, model: Model, further: dict[Any, list[Any]], found: Sequence[Any]
) -> Traced:
    """The trace with further arguments, and with the entries found as the derivative's results."""
    _, outputs = derivative_ports(derivative, tuple(trace.inputs), tuple(trace.outputs), model)
    rest = iter(found)
    results = {port: list(islice(rest, port.count)) for port in outputs[len(trace.outputs) :]}
    stages = (*trace.stages, (derivative.mode, len(trace.graph.nodes)))
    return Traced(trace.graph, {**trace.inputs, **further}, {**trace.outputs, **results}, stages)


def directions(trace: Traced, model: Model, by: tuple[str, ...], along: Sequence[Any]) -> dict[str, Vector]:
    """The directions of the arguments by name; those of q have one entry for each joint component."""
    rest = iter(along)
    counts = {name: model.nv if name == "q" else len(trace.argument(name)) for name in by}
    return {name: flat(list(islice(rest, count))) for name, count in counts.items()}


def seeds_along(trace: Traced, model: Model, along: dict[str, Vector]) -> dict[int, Any]:
    """How the scalars of arguments change along their directions, by their nodes."""
    seeds: dict[int, Any] = {}
    for name, direction in along.items():
        x = trace.argument(name)
        rates = coordinate_rates(model, flat(x), direction) if name == "q" else direction
        seeds.update((node_of(entry), rate) for entry, rate in zip(x, rates, strict=True))
    return seeds


def node_of(x: Any) -> int:
    """The node of an argument's entry; -1, which is none, for a known number."""
    return x.node if isinstance(x, Scalar) else -1


def columns(trace: Traced, model: Model, by: tuple[str, ...]) -> list[Any]:
    """For each result its derivatives by each argument, entry by entry."""
    spans: dict[str, range] = {}
    seeds: dict[int, dict[int, Any]] = {}
    for name in by:
        start = max((span.stop for span in spans.values()), default=0)
        spans[name] = range(start, start + (model.nv if name == "q" else len(trace.argument(name))))
        for place, unit in zip(spans[name], np.eye(len(spans[name])), strict=True):
            for node, rate in seeds_along(trace, model, {name: unit}).items():
                if isinstance(rate, Scalar) or rate != 0.0:
                    seeds.setdefault(node, {})[place] = rate
    rest = iter(jacobian(trace.graph, trace.results, seeds))
    found: list[Any] = []
    for values in trace.outputs.values():
        rows = list(islice(rest, len(values)))
        found += [row.get(place, 0.0) for span in spans.values() for row in rows for place in span]
    return found


def along_joints(trace: Traced, model: Model, by: tuple[str, ...], found: Sequence[Any]) -> list[Any]:
    """Derivatives by the entries of arguments, those by coordinates turned into derivatives along joint components.

    This is the adjoint of `seeds_along`.
    """
    rest = iter(found)
    results: list[Any] = []
    for name in by:
        x = trace.argument(name)
        own = list(islice(rest, len(x)))
        results += list(joint_weights(model, flat(x), flat(own))) if name == "q" else own
    return results


def flat(x: Sequence[Any]) -> Vector:
    return array_of(x, (len(x),))
