"""Scalars that record what is done to them.

    graph   = node ...
    node    = input | constant | a + b | a - b | a * b | 1 / a | sin a | cos a | sqrt a | max(a, b)
            | pivot(a, scale) | norm(a)    a, or 1 and no answer if a is nothing beside scale, vanishes, overflows
    Scalar  = + node | - node

Known numbers fold, zeros and ones vanish, an operation done twice is recorded once. A sign is part of the reference,
so a negation costs nothing. A number that is known stays a plain float.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from contextvars import ContextVar
from typing import Any, final

import numpy as np

from soadyn.spatial.arithmetic import PIVOT_ROUNDINGS, cos_of, maximum_of, norm_of, pivot_of, sin_of, sqrt_of

Node = tuple[str, Any, Any]
EPS = float(np.finfo(float).eps)


@final
class Graph:
    """All operations recorded so far; each node once, operands before their users."""

    __slots__ = ("_index", "guards", "hopeless", "nodes")

    def __init__(self) -> None:
        self.nodes: list[Node] = []
        self.guards: list[Scalar] = []  # live whether or not a result depends on them
        self.hopeless = False  # a guard failed on known numbers: there is never an answer
        self._index: dict[Node, int] = {}

    def input(self, name: str) -> Scalar:
        """A number to be known later."""
        return Scalar(self, self._node("input", name, None), False)

    def _node(self, operation: str, a: Any, b: Any) -> int:
        key = (operation, a, b)
        found = self._index.get(key)
        if found is None:
            found = self._index[key] = len(self.nodes)
            self.nodes.append(key)
        return found

    def find(self, operation: str, a: Any, b: Any = None) -> int | None:
        """The node of an operation, if it was recorded."""
        return self._index.get((operation, a, b))

    def constant(self, value: float) -> int:
        return self._node("constant", value, None)

    def inverts(self, node: int, of: int) -> bool:
        """Is a node the reciprocal of another, or of its guarded value (the same wherever there is an answer)?"""
        operation, a, _ = self.nodes[node]
        return operation == "reciprocal" and (a == of or self.nodes[a][:2] == ("pivot", of))

    def live(self, outputs: Iterable[Any]) -> list[int]:
        """The nodes that outputs and guards depend on, operands first."""
        return self.needed(x.node for x in (*outputs, *self.guards) if isinstance(x, Scalar))

    def needed(self, nodes: Iterable[int]) -> list[int]:
        """The given nodes and all they depend on, operands first."""
        needed = bytearray(len(self.nodes))
        stack = list(nodes)
        while stack:
            node = stack.pop()
            if not needed[node]:
                needed[node] = 1
                operation, a, b = self.nodes[node]
                if operation not in ("input", "constant"):
                    stack.append(a)
                    if b is not None:
                        stack.append(b)
        return [node for node, used in enumerate(needed) if used]

    def counts(self, outputs: Iterable[Any]) -> dict[str, int]:
        """How many of each operation the outputs take."""
        counts: dict[str, int] = {}
        for node in self.live(outputs):
            operation = self.nodes[node][0]
            if operation not in ("input", "constant"):
                counts[operation] = counts.get(operation, 0) + 1
        return counts


@final
class Scalar:
    """A number that is not known yet: a node of a graph, or its negative."""

    __slots__ = ("graph", "negative", "node")

    def __init__(self, graph: Graph, node: int, negative: bool) -> None:
        self.graph = graph
        self.node = node
        self.negative = negative

    def __neg__(self) -> Scalar:
        return Scalar(self.graph, self.node, not self.negative)

    def __pos__(self) -> Scalar:
        return self

    def __add__(self, other: Any) -> Any:
        if isinstance(other, Scalar):
            return _sum(self, other)
        if isinstance(other, np.ndarray):
            return NotImplemented
        if other == 0:
            return self
        return _sum(self, Scalar(self.graph, self.graph.constant(float(other)), False))

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        if isinstance(other, np.ndarray):
            return NotImplemented
        return self + (-other)

    def __rsub__(self, other: Any) -> Any:
        if isinstance(other, np.ndarray):
            return NotImplemented
        return -self + other

    def __mul__(self, other: Any) -> Any:
        graph = self.graph
        if isinstance(other, Scalar):
            a, b = self.node, other.node
            if graph.inverts(a, b) or graph.inverts(b, a):
                return -1.0 if self.negative != other.negative else 1.0
            return Scalar(graph, graph._node("mul", min(a, b), max(a, b)), self.negative != other.negative)
        if isinstance(other, np.ndarray):
            return NotImplemented
        return _scaled(self, float(other))

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Any:
        if isinstance(other, np.ndarray):
            return NotImplemented
        return self * (1 / other)

    def __rtruediv__(self, other: Any) -> Any:
        if isinstance(other, np.ndarray):
            return NotImplemented
        # One division serves every use of the same denominator.
        return Scalar(self.graph, self.graph._node("reciprocal", self.node, None), self.negative) * other

    def __repr__(self) -> str:
        return f"{'-' if self.negative else ''}%{self.node}"


def _scaled(x: Scalar, factor: float) -> Any:
    if factor == 0.0:
        return 0.0
    negative = x.negative != (factor < 0)
    size = abs(factor)
    operation, a, b = x.graph.nodes[x.node]
    if operation == "mul" and x.graph.nodes[a][0] == "constant":
        return _scaled(Scalar(x.graph, b, negative), size * x.graph.nodes[a][1])
    if size == 1.0:
        return Scalar(x.graph, x.node, negative)
    constant = x.graph.constant(size)
    # A constant stands first, wherever it was recorded.
    return Scalar(x.graph, x.graph._node("mul", constant, x.node), negative)


def _sum(x: Scalar, y: Scalar) -> Any:
    graph = x.graph
    if x.node == y.node:
        return 0.0 if x.negative != y.negative else _scaled(x, 2.0)
    if y.node < x.node:
        x, y = y, x
    operation = "add" if x.negative == y.negative else "sub"
    return Scalar(graph, graph._node(operation, x.node, y.node), x.negative)


@sin_of.register
def _(x: float) -> float:
    return math.sin(x)


@cos_of.register
def _(x: float) -> float:
    return math.cos(x)


@sqrt_of.register
def _(x: float) -> float:
    return math.sqrt(x)


@sin_of.register
def _(x: Scalar) -> Scalar:
    return Scalar(x.graph, x.graph._node("sin", x.node, None), x.negative)


@cos_of.register
def _(x: Scalar) -> Scalar:
    return Scalar(x.graph, x.graph._node("cos", x.node, None), False)


@sqrt_of.register
def _(x: Scalar) -> Scalar:
    assert not x.negative, "the square root of a negated value"
    return Scalar(x.graph, x.graph._node("sqrt", x.node, None), False)


def _operand(graph: Graph, x: Any) -> int:
    """The node of a value, its sign included."""
    if not isinstance(x, Scalar):
        return graph.constant(float(x))
    return graph._node("negative", x.node, None) if x.negative else x.node


@maximum_of.register
def _(x: Scalar, y: Any) -> Scalar:
    a, b = _operand(x.graph, x), _operand(x.graph, y)
    return Scalar(x.graph, x.graph._node("max", min(a, b), max(a, b)), False)


@norm_of.register
def _(norm2: Scalar) -> Scalar:
    return _guard(norm2.graph, "norm", _operand(norm2.graph, norm2), None)


# While a program is traced: the graph that a guard on known numbers belongs to.
tracing_into: ContextVar[Graph | None] = ContextVar("soadyn_tracing_into", default=None)


@pivot_of.register
def _(pivot: float, scale: Any) -> Any:
    """A pivot that is known; what it is compared with is known then too, or larger than nothing."""
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
    guard = Scalar(graph, graph._node(operation, a, b), False)
    if guard.node == len(graph.nodes) - 1:
        graph.guards.append(guard)
    return guard
