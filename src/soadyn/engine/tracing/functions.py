"""The functions of `spatial.arithmetic` on recorded scalars, and on floats, which known numbers are while tracing."""

from __future__ import annotations

import math
from collections.abc import Callable
from contextvars import ContextVar
from typing import Any

import numpy as np

from soadyn.engine.tracing.scalar import Graph, Scalar
from soadyn.mechanics.spatial.arithmetic import (
    PIVOT_ROUNDINGS,
    atan_of,
    cos_of,
    exp_of,
    is_positive_of,
    log_of,
    maximum_of,
    norm_of,
    pivot_of,
    sin_of,
    sqrt_of,
)

EPS = float(np.finfo(float).eps)


# Of known numbers, which are floats.
for _function, _known in (
    (sin_of, math.sin),
    (cos_of, math.cos),
    (sqrt_of, math.sqrt),
    (atan_of, math.atan),
    (log_of, math.log),
    (exp_of, math.exp),
):
    _function.register(float, _known)


def _operand(graph: Graph, x: Any) -> int:
    """The node of a value, its sign included."""
    if not isinstance(x, Scalar):
        return graph.constant(float(x))
    return graph.node("negative", x.node) if x.negative else x.node


def _recorded(operation: str) -> Callable[[Scalar], Scalar]:
    """The function that records an operation."""
    return lambda x: Scalar(x.graph, x.graph.node(operation, _operand(x.graph, x)), False)


for _function, _operation in ((sqrt_of, "sqrt"), (log_of, "log"), (exp_of, "exp"), (is_positive_of, "positive")):
    _function.register(Scalar, _recorded(_operation))
# A sign goes through the sine and vanishes in the cosine.
sin_of.register(Scalar, lambda x: Scalar(x.graph, x.graph.node("sin", x.node), x.negative))
cos_of.register(Scalar, lambda x: Scalar(x.graph, x.graph.node("cos", x.node), False))


@atan_of.register
def _(x: Scalar) -> Any:
    """By halves, arctan x = 2 arctan(x / (1 + sqrt(1 + x²))): after three of them x is at most tan(pi/16) = 0.199.

    Then arctan x = x - x³/3 + x⁵/5 - ..., of which the first term left out is 2e-17 of the first.
    """
    for _half in range(3):
        x = x / (1.0 + sqrt_of(1.0 + x * x))
    square, series = x * x, 0.0
    for k in reversed(range(12)):
        series = (-1) ** k / (2 * k + 1) + square * series
    return 8.0 * x * series


@maximum_of.register
def _(x: Scalar, y: Any) -> Scalar:
    a, b = _operand(x.graph, x), _operand(x.graph, y)
    return Scalar(x.graph, x.graph.node("max", min(a, b), max(a, b)), False)


@norm_of.register
def _(norm2: Scalar) -> Scalar:
    return _guard(norm2.graph, "norm", _operand(norm2.graph, norm2), None)


# While a program is traced: the graph that a guard on known numbers belongs to.
tracing_into: ContextVar[Graph | None] = ContextVar("soadyn_tracing_into", default=None)


@pivot_of.register
def _(pivot: float, scale: Any) -> Any:
    """A known pivot, guarded if the scale it is compared with is not known; one that fails leaves no answer at all."""
    graph = tracing_into.get()
    if graph is None:
        return pivot if pivot != 0 else float("nan")
    if not isinstance(scale, Scalar) and pivot > PIVOT_ROUNDINGS * EPS * float(scale):
        return pivot
    if isinstance(scale, Scalar):
        return _guard(graph, "pivot", graph.constant(pivot), _operand(graph, scale))
    graph.hopeless = True
    return 1.0


@pivot_of.register
def _(pivot: Scalar, scale: Any) -> Scalar:
    return _guard(pivot.graph, "pivot", _operand(pivot.graph, pivot), _operand(pivot.graph, scale))


def _guard(graph: Graph, operation: str, a: int, b: int | None) -> Scalar:
    guard = Scalar(graph, graph.node(operation, a, b), False)
    if guard.node == len(graph.nodes) - 1:
        graph.guards.append(guard)
    return guard
