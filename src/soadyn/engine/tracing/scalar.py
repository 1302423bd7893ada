"""Scalars that record what is done to them.

    graph   = node ...
    node    = input | constant | a + b | a - b | a * b | 1 / a | sin a | cos a | sqrt a | log a | exp a
            | max(a, b)
            | positive(a)        1 if a > 0, otherwise 0
            | pivot(a, scale)    a, or 1 and no answer if a is negligible beside scale
            | norm(a)            a, or 1 and no answer if a vanishes or overflows
    Scalar  = + node | - node

Known numbers fold, zeros and ones vanish, an operation done twice is recorded once. A sign is part of the reference,
so a negation costs nothing. A number that is known stays a plain float.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any, final

import numpy as np

from soadyn.errors import ArgumentError

Node = tuple[str, Any, Any]
LEAVES = ("input", "constant")
MOST_FACTORS = 8  # of a power
# Functions of `control.functions` that NumPy has by the same names, and others of NumPy.
FUNCTIONS = ("sin", "cos", "sqrt", "arctan", "log", "exp", "tanh")
NUMPY_NAMES = (
    *FUNCTIONS,
    "tan",
    "arcsin",
    "arccos",
    "arctan2",
    "sinh",
    "cosh",
    "fabs",
    "hypot",
    "cbrt",
    "expm1",
    "log1p",
)


class TooLongError(Exception):
    """A trace has more operations than wanted."""


@final
class Graph:
    """All operations recorded so far; each node once, operands before their users."""

    __slots__ = ("_index", "guards", "hopeless", "longest", "nodes")

    def __init__(self) -> None:
        self.nodes: list[Node] = []
        self.guards: list[Scalar] = []  # live whether or not a result depends on them
        self.hopeless = False  # a guard failed on known numbers: there is never an answer
        self.longest = -1  # nodes after which recording is given up; never by default
        self._index: dict[Node, int] = {}

    def input(self, name: Any) -> Scalar:
        """A number to be known later."""
        return Scalar(self, self.node("input", name), False)

    def node(self, operation: str, a: Any, b: Any = None) -> int:
        """The number of an operation's node, recorded if it is not yet."""
        key = (operation, a, b)
        found = self._index.get(key)
        if found is None:
            found = self._index[key] = len(self.nodes)
            if found == self.longest:
                raise TooLongError
            self.nodes.append(key)
        return found

    def find(self, operation: str, a: Any, b: Any = None) -> int:
        """The node of an operation; -1 if it was not recorded."""
        return self._index.get((operation, a, b), -1)

    def constant(self, value: float) -> int:
        return self.node("constant", value)

    def inverts(self, node: int, of: int) -> bool:
        """Is a node the reciprocal of another, or of its guarded value, which is the same where there is an answer?"""
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
                if operation not in LEAVES:
                    stack.append(a)
                    if b is not None:
                        stack.append(b)
        return [node for node, used in enumerate(needed) if used]

    def operands(self, node: int) -> tuple[int, ...]:
        """What an operation is done to; inputs and constants have none."""
        operation, a, b = self.nodes[node]
        return () if operation in LEAVES else (a,) if b is None else (a, b)

    def leaves(self, node: int) -> set[int]:
        """The inputs that a node depends on."""
        return {x for x in self.needed([node]) if self.nodes[x][0] == "input"}

    def operations(self, outputs: Iterable[Any]) -> list[int]:
        """The nodes that outputs and guards depend on, without inputs and constants."""
        return [node for node in self.live(outputs) if self.nodes[node][0] not in LEAVES]

    def counts(self, outputs: Iterable[Any]) -> dict[str, int]:
        """How many of each operation the outputs take."""
        return dict(Counter(self.nodes[node][0] for node in self.operations(outputs)))


@final
class Scalar:
    """A number that is not known yet: a node of a graph, or its negative."""

    __slots__ = ("graph", "negative", "node")

    def __init__(self, graph: Graph, node: int, negative: bool) -> None:
        self.graph = graph
        self.node = node
        self.negative = negative

    def signed(self, value: Any) -> Any:
        """The value of the scalar, given that of its node."""
        return -value if self.negative else value

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
            return Scalar(graph, graph.node("mul", min(a, b), max(a, b)), self.negative != other.negative)
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
        return Scalar(self.graph, self.graph.node("reciprocal", self.node), self.negative) * other

    def __repr__(self) -> str:
        return f"{'-' if self.negative else ''}%{self.node}"

    def __pow__(self, exponent: Any) -> Any:
        if not isinstance(exponent, int | float | np.number) or exponent not in range(1, MOST_FACTORS + 1):
            raise _not_recorded("**", f"multiply, up to the power {MOST_FACTORS}, or write sqrt or exp")
        found: Any = self
        for _ in range(int(exponent) - 1):
            found = found * self
        return found

    def __abs__(self) -> Any:
        raise _not_recorded("abs", "x * sign(x)")

    def __gt__(self, other: Any) -> Any:
        raise _not_recorded("a comparison", "is_positive, maximum, minimum, clipped or chosen")

    __ge__ = __lt__ = __le__ = __gt__


def _not_recorded(what: str, instead: str) -> ArgumentError:
    return ArgumentError(
        f"{what} of a number that is not known yet, in a torque that becomes machine code: use {instead} "
        "of sd.control.functions"
    )


def _refusing(name: str) -> Callable[[Scalar], Any]:
    def function(x: Scalar) -> Any:
        raise _not_recorded(f"NumPy's {name}", name if name in FUNCTIONS else "what there is")

    return function


# NumPy's functions ask the entries of arrays of objects for methods of their names. A number that is known is a plain
# float, which has none: so they can work on some arrays only, and are refused on all.
for _name in NUMPY_NAMES:
    setattr(Scalar, _name, _refusing(_name))


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
    return Scalar(x.graph, x.graph.node("mul", constant, x.node), negative)


def _sum(x: Scalar, y: Scalar) -> Any:
    graph = x.graph
    if x.node == y.node:
        return 0.0 if x.negative != y.negative else _scaled(x, 2.0)
    if y.node < x.node:
        x, y = y, x
    operation = "add" if x.negative == y.negative else "sub"
    return Scalar(graph, graph.node(operation, x.node, y.node), x.negative)
