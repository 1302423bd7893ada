"""A trace with its derivatives: rates along directions, or gradients of weighted results."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

import numpy as np

from soadyn.backends.ports import derivative_ports
from soadyn.backends.trace import Traced, recorded
from soadyn.model.model import Model
from soadyn.sweep.program import Derivative
from soadyn.tracing.derivatives import gradient, tangent
from soadyn.tracing.values import array_of


def differentiated(trace: Traced, derivative: Derivative, model: Model) -> Traced:
    """The trace with the arguments and results of a derivative behind its own."""
    inputs, outputs = derivative_ports(derivative, tuple(trace.inputs), tuple(trace.outputs), model)
    further = {port: list(recorded(trace.graph, port).flat) for port in inputs[len(trace.inputs) :]}
    find = _rates if derivative.mode == "tangent" else _cotangents
    found = find(trace, derivative.by, model, [x for values in further.values() for x in values])
    results = {port: list(islice(found, port.count)) for port in outputs[len(trace.outputs) :]}
    stages = (*trace.stages, (derivative.mode, len(trace.graph.nodes)))
    return Traced(trace.graph, {**trace.inputs, **further}, {**trace.outputs, **results}, stages)


def _rates(trace: Traced, by: tuple[str, ...], model: Model, along: list[Any]) -> Iterator[Any]:
    """How the results change along the directions of the arguments."""
    seeds: dict[int, Any] = {}
    directions = iter(along)
    for name in by:
        x = trace.argument(name)
        if name == "q":
            rates = coordinate_rates(model, x, list(islice(directions, model.nv)))
        else:
            rates = list(islice(directions, len(x)))
        seeds.update((entry.node, rate) for entry, rate in zip(x, rates, strict=True))
    return iter(tangent(trace.graph, trace.results, seeds))


def _cotangents(trace: Traced, by: tuple[str, ...], model: Model, weights: list[Any]) -> Iterator[Any]:
    """The derivatives of the weighted sum of the results by the arguments."""
    nodes = [entry.node for name in by for entry in trace.argument(name)]
    found = iter(gradient(trace.graph, trace.results, weights, nodes))
    for name in by:
        x = trace.argument(name)
        by_entries = list(islice(found, len(x)))
        yield from along_joints(model, x, by_entries) if name == "q" else by_entries


def coordinate_rates(model: Model, q: Sequence[Any], v: Sequence[Any]) -> list[Any]:
    """How the coordinates change with the joint rates v."""
    found: list[Any] = []
    for joint, at, along in zip(model.joints, model.q_slices, model.v_slices, strict=True):
        found += list(joint.behaviour.rates(_array(q[at]), _array(v[along])))
    return found


def along_joints(model: Model, q: Sequence[Any], g: Sequence[Any]) -> list[Any]:
    """Derivatives along each joint component, from those by the coordinates: the adjoint of `coordinate_rates`."""
    found: list[Any] = []
    for joint, at in zip(model.joints, model.q_slices, strict=True):
        for unit in np.eye(joint.behaviour.nv):
            rates = joint.behaviour.rates(_array(q[at]), unit)
            found.append(sum((rate * x for rate, x in zip(rates, g[at], strict=True)), 0.0))
    return found


def _array(x: Sequence[Any]) -> Any:
    return array_of(x, (len(x),))
