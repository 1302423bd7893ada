"""Derivatives of a recorded graph, recorded in the same graph.

tangent    ẏ = Σ ∂y/∂x ẋ    from inputs to results: how results change along a direction
gradient   x̄ = Σ ∂y/∂x ȳ    from results to inputs: how a weighted sum of results depends on each input
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from soadyn.engine.tracing.scalar import Graph, Scalar
from soadyn.mechanics.spatial.arithmetic import cos_of, sin_of

Partials = tuple[tuple[int, Any], ...]


def _product(graph: Graph, node: int, a: int, b: int) -> Partials:
    operation, factor, _ = graph.nodes[a]
    if operation == "constant":
        return ((b, factor),)
    return (a, Scalar(graph, b, False)), (b, Scalar(graph, a, False))


def _reciprocal(graph: Graph, node: int, a: int, b: None) -> Partials:
    inverse = Scalar(graph, node, False)
    return ((a, -(inverse * inverse)),)


def _root(graph: Graph, node: int, a: int, b: None) -> Partials:
    return ((a, 0.5 / Scalar(graph, node, False)),)


# For each operation its operands with the partial derivatives by them. What a pivot is compared with, in which the
# larger of two numbers occurs, decides only whether there is an answer.
PARTIALS: Mapping[str, Callable[..., Partials]] = MappingProxyType(
    {
        "add": lambda graph, node, a, b: ((a, 1.0), (b, 1.0)),
        "sub": lambda graph, node, a, b: ((a, 1.0), (b, -1.0)),
        "mul": _product,
        "negative": lambda graph, node, a, b: ((a, -1.0),),
        "reciprocal": _reciprocal,
        "sin": lambda graph, node, a, b: ((a, cos_of(Scalar(graph, a, False))),),
        "cos": lambda graph, node, a, b: ((a, -sin_of(Scalar(graph, a, False))),),
        "sqrt": _root,
        "log": lambda graph, node, a, b: ((a, 1.0 / Scalar(graph, a, False)),),
        "exp": lambda graph, node, a, b: ((a, Scalar(graph, node, False)),),
        "positive": lambda graph, node, a, b: (),
        "max": lambda graph, node, a, b: (),
        "pivot": lambda graph, node, a, b: ((a, 1.0),),
        "norm": lambda graph, node, a, b: ((a, 1.0),),
    }
)


def tangent(graph: Graph, outputs: Iterable[Any], seeds: Mapping[int, Any]) -> list[Any]:
    """The outputs' rates of change, given those of some nodes; what is not reached does not change: 0.0."""
    rates = jacobian(graph, outputs, {node: {0: rate} for node, rate in seeds.items()})
    return [along.get(0, 0.0) for along in rates]


def jacobian(graph: Graph, outputs: Iterable[Any], seeds: Mapping[int, Mapping[int, Any]]) -> list[dict[int, Any]]:
    """The outputs' rates by direction, given those of some nodes; directions without a change are left out."""
    outputs = list(outputs)
    rates: dict[int, dict[int, Any]] = {node: dict(own) for node, own in seeds.items()}
    for node in _reached(graph, outputs, seeds):
        own: dict[int, Any] = {}
        for x, partial in _partials(graph, node):
            for direction, rate in rates.get(x, {}).items():
                term = partial * rate
                own[direction] = own[direction] + term if direction in own else term
        rates[node] = {direction: x for direction, x in own.items() if isinstance(x, Scalar) or x != 0.0}
    found = [(x, rates.get(x.node, {})) if isinstance(x, Scalar) else (x, {}) for x in outputs]
    return [{direction: x.signed(rate) for direction, rate in own.items()} for x, own in found]


def gradient(graph: Graph, outputs: Iterable[Any], weights: Sequence[Any], by: Sequence[int]) -> list[Any]:
    """The derivatives of Σ weight · output by some nodes; 0.0 where nothing depends on them."""
    outputs = list(outputs)
    reached = _reached(graph, outputs, by)
    wanted = {*reached, *by}
    found: dict[int, Any] = {}

    def add(node: int, x: Any) -> None:
        found[node] = found[node] + x if node in found else x

    for output, weight in zip(outputs, weights, strict=True):
        if isinstance(output, Scalar):
            add(output.node, output.signed(weight))
    for node in reversed(reached):
        if node in found:
            for x, partial in _partials(graph, node):
                if x in wanted:
                    add(x, partial * found[node])
    return [found.get(node, 0.0) for node in by]


def _reached(graph: Graph, outputs: Iterable[Any], start: Iterable[int]) -> list[int]:
    """The nodes between some nodes and the outputs, operands first, without those nodes themselves."""
    begun = set(start)
    inside = set(begun)
    found: list[int] = []
    for node in graph.needed(x.node for x in outputs if isinstance(x, Scalar)):
        if node not in begun and any(x in inside for x in graph.operands(node)):
            inside.add(node)
            found.append(node)
    return found


def _partials(graph: Graph, node: int) -> Partials:
    operation, a, b = graph.nodes[node]
    return PARTIALS[operation](graph, node, a, b)
