"""From recorded scalars to SymPy: each node of a trace becomes an expression, shared ones a symbol of their own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, final

from soadyn.engine.tracing.scalar import LEAVES, Graph, Scalar

# A constant that is a fraction with a denominator up to this one is read as that fraction.
SIMPLE = 10_000


def exact(value: float) -> Any:
    """A known number: the simple fraction that has this value, or a float."""
    import sympy

    fraction = Fraction(value).limit_denominator(SIMPLE)
    return sympy.Rational(fraction) if float(fraction) == value else decimal(value)


def decimal(value: float) -> Any:
    """A known number as a float; an integer if it is one."""
    import sympy

    return sympy.Integer(int(value)) if value == int(value) else sympy.Float(value, 17)


@final
class TraceReader:
    """Reads a graph's nodes as SymPy expressions; `symbols` are those of the inputs by node.

    With `shared`, a node that is used more than once becomes a symbol and a line of its own.
    """

    def __init__(self, graph: Graph, symbols: Mapping[int, Any], results: Sequence[Any], shared: bool) -> None:
        self.graph = graph
        # Fractions are for reading; in code for numbers each would be a division.
        self._number = decimal if shared else exact
        self.lines: list[tuple[Any, Any]] = []
        self._found: dict[int, Any] = {}
        import sympy

        needed = self._needed(results)
        uses: Counter[int] = Counter(operand for node in needed for operand in self._operands(node))
        uses.update(x.node for x in results if isinstance(x, Scalar))
        for node in needed:
            value = symbols[node] if graph.nodes[node][0] == "input" else self._value(node)
            if shared and uses[node] > 1 and graph.nodes[node][0] not in LEAVES and not value.is_Atom:
                name = sympy.Symbol(f"x{len(self.lines)}", real=True)
                self.lines.append((name, value))
                value = name
            self._found[node] = value

    def of(self, x: Any) -> Any:
        """The expression of a result."""
        return x.signed(self._found[x.node]) if isinstance(x, Scalar) else self._number(x)

    def _needed(self, results: Sequence[Any]) -> list[int]:
        """The nodes that results depend on, operands first; what pivots are compared with is not asked for."""
        needed: set[int] = set()
        stack = [x.node for x in results if isinstance(x, Scalar)]
        while stack:
            node = stack.pop()
            if node not in needed:
                needed.add(node)
                stack += self._operands(node)
        return sorted(needed)

    def _operands(self, node: int) -> list[int]:
        operands = [*self.graph.operands(node)]
        return operands[:1] if self.graph.nodes[node][0] == "pivot" else operands

    def _value(self, node: int) -> Any:
        import sympy

        operation, a, b = self.graph.nodes[node]
        if operation == "constant":
            return self._number(a)
        x = self._found[a]
        match operation:
            case "add":
                return x + self._found[b]
            case "sub":
                return x - self._found[b]
            case "mul":
                return x * self._found[b]
            case "reciprocal":
                return 1 / x
            case "negative":
                return -x
            case "sin" | "cos" | "sqrt" | "log" | "exp":
                return getattr(sympy, operation)(x)
            case "pivot" | "norm":
                return x
            case "positive":
                return sympy.Piecewise((1, x > 0), (0, True))
            case "max":
                return sympy.Max(x, self._found[b])
        raise AssertionError(operation)
