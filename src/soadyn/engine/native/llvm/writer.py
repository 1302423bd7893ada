"""LLVM text: instructions, loops and branches, and the operations of a graph on vectors of lanes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, final

from soadyn.engine.native.llvm import sine
from soadyn.engine.native.llvm.vectors import Vectors
from soadyn.engine.precision import NORM_RANGE
from soadyn.engine.tracing import Graph, Scalar
from soadyn.engine.tracing.schedule import depth_first, fused_products, rounds_of_angles
from soadyn.mechanics.spatial.arithmetic import PIVOT_ROUNDINGS


def declarations(vectors: Vectors) -> list[str]:
    """What the text of `Writer` refers to."""
    text = sine.declarations(Writer(vectors.doubles()))
    for v in (vectors, vectors.doubles()):
        text += [
            f"declare {v.real} @llvm.fma.{v.suffix}({v.real}, {v.real}, {v.real})",
            f"declare {v.real} @llvm.sqrt.{v.suffix}({v.real})",
            f"declare {v.real} @llvm.fabs.{v.suffix}({v.real})",
        ]
    return [
        *text,
        "declare double @log(double)",
        "declare double @exp(double)",
        f"declare i1 @llvm.vector.reduce.and.v{vectors.lanes}i1({vectors.mask})",
        f"declare {vectors.mask} @llvm.is.fpclass.{vectors.suffix}({vectors.real}, i32 immarg)",
    ]


def _before(step: int) -> str:
    """The comparison that holds before the end of a loop."""
    return "slt" if step > 0 else "sgt"


# LLVM's mark for normal, subnormal and zero numbers of either sign.
FINITE = 0x1F8


@final
class Writer:
    """Writes one function's body: operations on registers, in order, block after block.

    `ok` is the register of a mask: the lanes that still have an answer. `read` loads an input, by its name in the
    graph, when it is first needed; without it all inputs are in registers from the start. Memory is read and written
    as vectors of lanes where no other type is named.
    """

    def __init__(self, vectors: Vectors, ok: str = "", read: Callable[[Any], str] | None = None) -> None:
        self.vectors = vectors
        self.ok = ok
        self.read = read
        self.lines: list[str] = []
        self.block = "entry"
        self._fresh = 0

    @property
    def vector_bytes(self) -> int:
        return self.vectors.lanes * self.vectors.size

    def line(self, text: str) -> None:
        self.lines.append("  " + text)

    def label(self, name: str) -> None:
        """The start of a new block."""
        self.lines.append(f"{name}:")
        self.block = name

    def name(self) -> str:
        """A register not used before."""
        self._fresh += 1
        return f"%r{self._fresh}"

    def set(self, text: str) -> str:
        """A new register with the value of an instruction."""
        register = self.name()
        self.line(f"{register} = {text}")
        return register

    def plus(self, x: str | int, y: str | int) -> str:
        """The sum of two integers."""
        return self.set(f"add i64 {x}, {y}")

    def times(self, x: str | int, y: str | int) -> str:
        """The product of two integers."""
        return self.set(f"mul i64 {x}, {y}")

    def at(self, base: str, index: str | int, kind: str = "") -> str:
        """The address of an element of an array."""
        return base if index == 0 else self.set(f"getelementptr {kind or self.vectors.real}, ptr {base}, i64 {index}")

    def load(self, base: str, index: str | int = 0, kind: str = "", align: int = 0) -> str:
        """An element of an array."""
        return self.set(
            f"load {kind or self.vectors.real}, ptr {self.at(base, index, kind)}{self._aligned(kind, align)}"
        )

    def store(self, value: str, base: str, index: str | int = 0, kind: str = "", align: int = 0) -> None:
        """Writes an element of an array."""
        at = self.at(base, index, kind)
        self.line(f"store {kind or self.vectors.real} {value}, ptr {at}{self._aligned(kind, align)}")

    def _aligned(self, kind: str, align: int) -> str:
        align = align or (0 if kind else self.vector_bytes)
        return f", align {align}" if align else ""

    def go(self, label: str) -> None:
        """The end of a block, which goes on at a label."""
        self.line(f"br label %{label}")

    def need(self, condition: str, otherwise: str) -> None:
        """Goes on where a condition holds, and elsewhere at the label `otherwise`."""
        label = self.name()[1:]
        self.line(f"br i1 {condition}, label %{label}, label %{otherwise}")
        self.label(label)

    def when(self, condition: str, body: Callable[[], None]) -> None:
        """What is done only where a condition holds."""
        after = self.name()[1:] + ".after"
        self.need(condition, otherwise=after)
        body()
        self.go(after)
        self.label(after)

    def replaced(
        self, condition: str, kind: str, registers: Sequence[str], body: Callable[[], Sequence[str]]
    ) -> list[str]:
        """The registers, of one type; where a condition holds those that `body` gives."""
        before, after = self.block, self.name()[1:] + ".after"
        self.need(condition, otherwise=after)
        others, block = body(), self.block
        self.go(after)
        self.label(after)
        return [
            self.set(f"phi {kind} [{x}, %{before}], [{y}, %{block}]") for x, y in zip(registers, others, strict=True)
        ]

    def loop(self, first: str, end: str, body: Callable[[str], None], step: int = 1) -> None:
        """A loop over integers from `first` to before `end`, at least once; the body is given the register."""
        label, before = self.name()[1:], self.block
        self.go(label)
        self.label(label)
        at = len(self.lines)
        body(f"%{label}.i")
        self.line(f"%{label}.next = add i64 %{label}.i, {step}")
        self.line(f"%{label}.more = icmp {_before(step)} i64 %{label}.next, {end}")
        self.lines.insert(at, f"  %{label}.i = phi i64 [{first}, %{before}], [%{label}.next, %{self.block}]")
        self.line(f"br i1 %{label}.more, label %{label}, label %{label}.end")
        self.label(f"{label}.end")

    def loop_if_any(self, first: str, end: str, body: Callable[[str], None], step: int = 1) -> None:
        """The same for integers of which there may be none."""
        self.when(self.set(f"icmp {_before(step)} i64 {first}, {end}"), lambda: self.loop(first, end, body, step))

    def every(self, mask: str) -> str:
        """Whether a mask holds in all lanes."""
        return self.set(f"call i1 @llvm.vector.reduce.and.v{self.vectors.lanes}i1({self.vectors.mask} {mask})")

    def finite(self, register: str) -> str:
        """The lanes whose numbers are finite."""
        v = self.vectors
        return self.set(f"call {v.mask} @llvm.is.fpclass.{v.suffix}({v.real} {register}, i32 {FINITE})")

    def function(self, name: str, parameters: str, attributes: int = 2) -> str:
        """The text as a function of a module that gives nothing back."""
        head = f"define internal void {name}({parameters}) #{attributes} {{"
        return "\n".join([head, "entry:", *self.lines, "  ret void", "}"])

    def in_blocks(
        self, graph: Graph, blocks: Sequence[Sequence[Any]], inputs: Mapping[int, str], ordered: bool = False
    ) -> Iterator[list[str]]:
        """The registers of one block of outputs after the other, each as soon as it is complete.

        Operations are ordered so that few values need registers at a time, unless the graph is `ordered` already.
        """
        registers, order, fused = self._with_sines(graph, [x for block in blocks for x in block], inputs)
        results = [[x.node for x in block if isinstance(x, Scalar)] for block in blocks]
        if not ordered:
            wanted = [*(node for nodes in results for node in nodes), *(guard.node for guard in graph.guards)]
            order = depth_first(graph, order, fused, wanted)
        place = {node: i for i, node in enumerate(order, start=1)}
        done = 0
        for block, nodes in zip(blocks, results, strict=True):
            end = max((place.get(node, 0) for node in nodes), default=0)
            self._compute(graph, order[done:end], fused, registers)
            done = max(done, end)
            yield [self._signed(x, registers) for x in block]
        self._compute(graph, order[done:], fused, registers)

    def _with_sines(
        self, graph: Graph, outputs: Sequence[Any], inputs: Mapping[int, str]
    ) -> tuple[dict[int, str], list[int], dict[int, int]]:
        """Write sines, cosines and what they need; the registers so far, the nodes left, and `fused_products`."""
        registers = dict(inputs)
        live = graph.live(outputs)
        fused = fused_products(graph, live, outputs) if self.vectors.fused else {}
        taken = set(fused.values())
        for angles in rounds_of_angles(graph, live):
            first = [node for node in graph.needed(angles) if node not in taken]
            self._compute(graph, first, fused, registers)
            registers.update(self._sines(graph, live, angles, registers))
        return registers, [node for node in live if node not in registers and node not in taken], fused

    def _compute(self, graph: Graph, nodes: Iterable[int], fused: Mapping[int, int], registers: dict[int, str]) -> None:
        for node in nodes:
            if node not in registers:
                registers[node] = (
                    self._multiply_and_add(graph, node, fused[node], registers)
                    if node in fused
                    else self._operation(graph, node, registers)
                )

    def _signed(self, x: Any, registers: Mapping[int, str]) -> str:
        if not isinstance(x, Scalar):
            return self.vectors.splat(float(x))
        register = registers[x.node]
        return self.set(f"fneg {self.vectors.real} {register}") if x.negative else register

    def _operation(self, graph: Graph, node: int, registers: Mapping[int, str]) -> str:
        T, operation = self.vectors.real, graph.nodes[node][0]
        if operation == "constant":
            return self.vectors.splat(graph.nodes[node][1])
        if operation == "input":
            assert self.read is not None, "an input that is in no register"
            return self.read(graph.nodes[node][1])
        a, b = (None if x is None else registers[x] for x in graph.nodes[node][1:])
        match operation:
            case "add" | "sub" | "mul":
                return self.set(f"f{operation} {T} {a}, {b}")
            case "reciprocal":
                return self.set(f"fdiv {T} {self.vectors.splat(1.0)}, {a}")
            case "negative":
                return self.set(f"fneg {T} {a}")
            case "sqrt":
                return self.set(f"call {T} @llvm.sqrt.{self.vectors.suffix}({T} {a})")
            case "log" | "exp":
                return self._lane_by_lane(operation, a)
            case "positive":
                above = self.set(f"fcmp ogt {T} {a}, zeroinitializer")
                return self.set(
                    f"select {self.vectors.mask} {above}, {T} {self.vectors.splat(1.0)}, {T} zeroinitializer"
                )
            case "max":
                larger = self.set(f"fcmp ogt {T} {a}, {b}")
                return self.set(f"select {self.vectors.mask} {larger}, {T} {a}, {T} {b}")
            case "pivot":
                least = self.set(f"fmul {T} {b}, {self.vectors.splat(PIVOT_ROUNDINGS * self.vectors.eps)}")
                return self._guarded(a, self.set(f"fcmp ogt {T} {a}, {least}"))
            case "norm":
                low, high = NORM_RANGE[self.vectors.precision]
                above = self.set(f"fcmp ogt {T} {a}, {self.vectors.splat(low)}")
                below = self.set(f"fcmp olt {T} {a}, {self.vectors.splat(high)}")
                return self._guarded(a, self.set(f"and {self.vectors.mask} {above}, {below}"))
        raise AssertionError(operation)

    def fma(self, a: str, b: str, c: str, vectors: Vectors) -> str:
        """a b + c, rounded once where the processor can."""
        T = vectors.real
        if vectors.fused:
            return self.set(f"call {T} @llvm.fma.{vectors.suffix}({T} {a}, {T} {b}, {T} {c})")
        return self.set(f"fadd {T} {self.set(f'fmul {T} {a}, {b}')}, {c}")

    def _multiply_and_add(self, graph: Graph, node: int, product: int, registers: Mapping[int, str]) -> str:
        """A sum or difference with one of its operands, a product used nowhere else."""
        T = self.vectors.real
        operation, x, y = graph.nodes[node]
        a, b = (registers[factor] for factor in graph.nodes[product][1:])
        other = registers[y if product == x else x]
        if operation == "sub" and product == x:
            other = self.set(f"fneg {T} {other}")
        elif operation == "sub":
            b = self.set(f"fneg {T} {b}")
        return self.fma(a, b, other, self.vectors)

    def _guarded(self, value: str | None, holds: str) -> str:
        """The value in lanes where a condition holds; 1 in the others, which have no answer from here on."""
        mask, T = self.vectors.mask, self.vectors.real
        self.ok = self.set(f"and {mask} {self.ok}, {holds}")
        return self.set(f"select {mask} {holds}, {T} {value}, {T} {self.vectors.splat(1.0)}")

    def _sines(
        self, graph: Graph, live: Iterable[int], angles: list[int], registers: Mapping[int, str]
    ) -> dict[int, str]:
        """Sines and cosines of angles that are computed already."""
        doubles = self.vectors.doubles()
        found = sine.sines_and_cosines(self, [self._as_double(registers[angle]) for angle in angles], doubles)
        pairs = {angle: [self._as_single(x) for x in pair] for angle, pair in zip(angles, found, strict=True)}
        wanted = [(node, *graph.nodes[node][:2]) for node in live if graph.nodes[node][0] in ("sin", "cos")]
        return {node: pairs[angle][operation == "cos"] for node, operation, angle in wanted if angle in pairs}

    def _lane_by_lane(self, function: str, x: str | None) -> str:
        """A function of the C library: at most one call for each joint component, beside all that leads to it."""
        v = self.vectors.doubles()
        wide = self._as_double(str(x))
        found = "poison"
        for lane in range(v.lanes):
            one = self.set(f"extractelement {v.real} {wide}, i32 {lane}")
            value = self.set(f"call double @{function}(double {one})")
            found = self.set(f"insertelement {v.real} {found}, double {value}, i32 {lane}")
        return self._as_single(found)

    def _as_double(self, x: str) -> str:
        if self.vectors.precision == "float64":
            return x
        return self.set(f"fpext {self.vectors.real} {x} to <{self.vectors.lanes} x double>")

    def _as_single(self, x: str) -> str:
        if self.vectors.precision == "float64":
            return x
        return self.set(f"fptrunc <{self.vectors.lanes} x double> {x} to {self.vectors.real}")

    def entry_allocations(self) -> list[str]:
        """Memory that the text refers to, to be placed at the function's entry."""
        return sine.allocations(self.vectors.doubles())
