"""A trace as C statements, the same operations as in the straight-line kernels, fused alike."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, final

from soadyn.engine.precision import NORM_RANGE
from soadyn.engine.tracing import Scalar
from soadyn.engine.tracing.schedule import fused_products
from soadyn.engine.tracing.trace import Traced
from soadyn.exporting.c_text import Real
from soadyn.mechanics.spatial.arithmetic import PIVOT_ROUNDINGS


@final
@dataclass(frozen=True, slots=True)
class Statement:
    """A line of C: the nodes it defines and uses, the arguments it reads, and the step of the program it belongs to."""

    defines: tuple[int, ...]
    uses: tuple[int, ...]
    arguments: frozenset[str]
    text: str
    step: str


@final
class Translation:
    """The statements of a trace. `inputs` gives array and index of each input node, `prefix` begins file-wide names."""

    def __init__(
        self, trace: Traced, inputs: Mapping[int, tuple[str, int]], real: Real, libm: bool, prefix: str
    ) -> None:
        self.graph, self.inputs, self.real, self.libm, self.prefix = trace.graph, inputs, real, libm, prefix
        self.statements: list[Statement] = []
        self.angles: list[int] = []
        self._trace = trace
        self._ends = [end for _, end in trace.stages]
        self._copied: set[int] = set()
        self._read: set[int] = set()  # nodes that others or results use; a guard may be none of them
        self._translate()

    def name(self, node: int) -> str:
        """How a node's value is written where it is used."""
        operation, value, _ = self.graph.nodes[node]
        if operation == "constant":
            return self.real.literal(value)
        return self._entry(node) if self._is_entry(node) else f"x{node}"

    def _is_entry(self, node: int) -> bool:
        return node in self.inputs and node not in self._copied

    def _entry(self, node: int) -> str:
        array, index = self.inputs[node]
        return f"{array}[{index}]"

    def signed(self, x: Any) -> str:
        """A result as it is written where it is handed out."""
        if not isinstance(x, Scalar):
            return self.real.literal(float(x))
        return _negative(self.name(x.node)) if x.negative else self.name(x.node)

    def _translate(self) -> None:
        graph, outputs = self.graph, self._trace.results
        for x in outputs:
            # Results that are arguments are read before any result is written, so that both may share memory.
            if isinstance(x, Scalar) and self._is_entry(x.node):
                self._set(x.node, self._entry(x.node), x.node)
                self._copied.add(x.node)
        live = graph.live(outputs)
        self._read = {x.node for x in outputs if isinstance(x, Scalar)}
        self._read.update(x for node in live for x in graph.nodes[node][1:] if isinstance(x, int))
        self.angles = [graph.nodes[node][1] for node in live if graph.nodes[node][0] in ("sin", "cos")]
        unfused = set(graph.needed(self.angles))
        fused = {n: product for n, product in fused_products(graph, live, outputs).items() if n not in unfused}
        taken = set(fused.values())
        alive = set(live)
        done: set[int] = set()
        for node in live:
            operation = graph.nodes[node][0]
            if operation in ("input", "constant") or node in taken or node in done:
                continue
            if operation in ("sin", "cos"):
                done |= self._sine(node, alive)
            elif operation in ("pivot", "norm"):
                self._guard(node)
            elif node in fused:
                self._set(node, *self._multiply_add(node, fused[node]))
            else:
                self._set(node, *self._operation(node))

    def _set(self, node: int, text: str, *uses: int) -> None:
        self._add(node, (node,), uses, f"const {self.real.name} x{node} = {text};")

    def _add(self, node: int, defines: tuple[int, ...], uses: tuple[int, ...], text: str) -> None:
        operands = [n for n in dict.fromkeys(uses) if self.graph.nodes[n][0] != "constant"]
        arguments = frozenset(self.inputs[n][0] for n in operands if self._is_entry(n))
        computed = tuple(n for n in operands if not self._is_entry(n))
        step = self._trace.stages[min(bisect_right(self._ends, node), len(self._ends) - 1)][0]
        self.statements.append(Statement(defines, computed, arguments, text, step))

    def _operation(self, node: int) -> tuple[Any, ...]:
        operation, *operands = self.graph.nodes[node]
        uses = [x for x in operands if x is not None]
        a, b = (*(self.name(x) for x in uses), "")[:2]
        match operation:
            case "add":
                text = f"{a} + {b}"
            case "sub":
                text = f"{a} - {b}"
            case "mul":
                text = f"{a} * {b}"
            case "reciprocal":
                text = f"{self.real.literal(1.0)} / {a}"
            case "negative":
                text = _negative(a)
            case "sqrt":
                text = f"sqrt{self.real.suffix}({a})"
            case "log":
                text = f"log{self.real.suffix}({a})"
            case "exp":
                text = f"exp{self.real.suffix}({a})"
            case "positive":
                text = f"{a} > 0 ? {self.real.literal(1.0)} : {self.real.literal(0.0)}"
            case "max":
                text = f"{a} > {b} ? {a} : {b}"
            case _:
                raise AssertionError(operation)
        return text, *uses

    def _multiply_add(self, node: int, product: int) -> tuple[Any, ...]:
        """A sum or difference with one of its operands, a product used nowhere else."""
        operation, x, y = self.graph.nodes[node]
        factors = self.graph.nodes[product][1:]
        rest = y if product == x else x
        a, b, c = (self.name(n) for n in (*factors, rest))
        if operation == "sub" and product == x:
            c = _negative(c)
        elif operation == "sub":
            b = _negative(b)
        return f"MULTIPLY_ADD({a}, {b}, {c})", *factors, rest

    def _guard(self, node: int) -> None:
        """The value where it can be used, 1 where there is no answer: the code has no branches."""
        operation, a, b = self.graph.nodes[node]
        value = self.name(a)
        if operation == "pivot":
            holds = f"{value} > {self.name(b)} * {self.real.literal(PIVOT_ROUNDINGS * self.real.eps)}"
            uses: tuple[int, ...] = (a, b)
        else:
            low, high = (self.real.literal(x) for x in NORM_RANGE[self.real.precision])
            holds = f"{value} > {low} && {value} < {high}"
            uses = (a,)
        if node in self._read:
            self._set(node, f"{holds} ? {value} : {self.real.literal(1.0)}", *uses)
        self._add(node, (), uses, f"ok &= {holds};")

    def _sine(self, node: int, alive: set[int]) -> set[int]:
        """Sine or cosine, or both at once where both are wanted."""
        operation, angle, _ = self.graph.nodes[node]
        real, x = self.real.name, self.name(angle)
        if self.libm:
            self._set(node, f"{operation}{self.real.suffix}({x})", angle)
            return {node}
        pair = [self.graph.find(kind, angle) for kind in ("sin", "cos")]
        s, c = (f"x{n}" if n in alive else f"unused{node}" for n in pair)
        wanted = tuple(n for n in pair if n in alive)
        self._add(node, wanted, (angle,), f"{real} {s}, {c}; {self.prefix}_sine_and_cosine({x}, &{s}, &{c});")
        return set(wanted)


def _negative(text: str) -> str:
    return text[1:] if text.startswith("-") else f"-{text}"
