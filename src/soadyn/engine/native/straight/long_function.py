"""Straight-line kernels of long traces: several functions one after the other, which hand values on in memory.

Each is `void part(scratch, rows, ok)`: the slots, the addresses of each array's row in each lane, and the mask of lanes
that still have an answer. The first ones read the arguments into slots; the others are the parts of the trace.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, final

from soadyn.engine import policy
from soadyn.engine.native.llvm.module import Function
from soadyn.engine.native.llvm.vectors import Vectors
from soadyn.engine.native.llvm.writer import Writer
from soadyn.engine.native.straight.function import finite_inputs, support
from soadyn.engine.native.straight.loop import StateLoop
from soadyn.engine.native.straight.results import Gathered, Results, results_of
from soadyn.engine.tracing import Graph
from soadyn.engine.tracing.parts import Cut, Part
from soadyn.engine.tracing.ports import Port

# Numbers that one function reads.
READ = 64

# clean(scratch, count, ok): zeros in so many vectors, in the lanes that have no answer
CLEAN = """define internal void @clean.{lanes}(ptr noalias %scratch, i64 %n, ptr noalias %ok.at) #1 {{
entry:
  %ok = load {mask}, ptr %ok.at
  br label %vectors
vectors:
  %i = phi i64 [0, %entry], [%i1, %vectors]
  %at = getelementptr {real}, ptr %scratch, i64 %i
  %x = load {real}, ptr %at
  %kept = select {mask} %ok, {real} %x, {real} zeroinitializer
  store {real} %kept, ptr %at
  %i1 = add i64 %i, 1
  %more = icmp slt i64 %i1, %n
  br i1 %more, label %vectors, label %done
done:
  ret void
}}"""


def long_function(
    graph: Graph,
    inputs: Mapping[Port, Sequence[Any]],
    outputs: Mapping[Port, Sequence[Any]],
    vectors: Vectors,
    size: int | None = None,
) -> Function:
    """A kernel's inner loop, as `straight_function` gives it, bit for bit, in functions of about `size` operations."""
    results = results_of(graph, outputs, vectors, len(inputs))
    scalars = [x for row in inputs.values() for x in row]
    cut = Cut(graph, scalars, [piece.scalars for piece in results.pieces], vectors.fused, size or policy.PART)
    if isinstance(results, Gathered):
        results.before = cut.slots
    reading = _reading(list(inputs), vectors)
    parts = [_computing(part, results) for part in cut.parts]
    names = [f"@part.{vectors.lanes}.{i}" for i in range(len(reading) + len(parts))]
    mask = vectors.mask

    writer = Writer(vectors, ok=f"splat (i1 {'false' if graph.hopeless else 'true'})")
    loop = StateLoop(writer, tuple(inputs), tuple(outputs), scratch=cut.slots + results.scratch)
    label, *rest = loop.entry()
    head = [label, f"  %ok.at = alloca {mask}", loop.room_for_rows(), *rest]
    loop.block()
    loop.keep_rows()
    results.begin(loop)
    writer.line(f"store {mask} {writer.ok}, ptr %ok.at")
    for i, name in enumerate(names):
        if i == len(reading):
            _clean(writer, len(scalars))
        writer.line(f"call void {name}(ptr %scratch, ptr %rows, ptr %ok.at)")
    writer.ok = writer.set(f"load {mask}, ptr %ok.at")
    results.leave(loop)
    loop.end()
    functions = [part.text(name) for name, part in zip(names, [*reading, *parts], strict=True)]
    cleaning = CLEAN.format(lanes=vectors.lanes, mask=mask, real=vectors.real)
    declarations = [*support(vectors), *loop.memory.declarations(), *results.support(), cleaning, *functions]
    return Function(vectors.lanes, [*head, *writer.lines], declarations)


def _clean(writer: Writer, count: int) -> None:
    """Zeros in the inputs of lanes with a number that is not finite; they come out NaN."""
    lanes, mask = writer.vectors.lanes, writer.vectors.mask
    ok = writer.set(f"load {mask}, ptr %ok.at")
    every = writer.set(f"call i1 @llvm.vector.reduce.and.v{lanes}i1({mask} {ok})")
    writer.line(f"br i1 {every}, label %finite, label %unclean")
    writer.label("unclean")
    writer.line(f"call void @clean.{lanes}(ptr %scratch, i64 {count}, ptr %ok.at)")
    writer.line("br label %finite")
    writer.label("finite")


@final
class PartWriter:
    """Writes one of the functions."""

    def __init__(self, vectors: Vectors) -> None:
        self.vectors = vectors
        self.writer = Writer(vectors, "%ok", self.load)

    def _slot(self, slot: int) -> str:
        return self.writer.set(f"getelementptr {self.vectors.real}, ptr %scratch, i64 {slot}")

    def load(self, slot: int) -> str:
        align = self.vectors.lanes * self.vectors.size
        return self.writer.set(f"load {self.vectors.real}, ptr {self._slot(slot)}, align {align}")

    def store(self, register: str, slot: int) -> None:
        align = self.vectors.lanes * self.vectors.size
        self.writer.line(f"store {self.vectors.real} {register}, ptr {self._slot(slot)}, align {align}")

    def kept(self, array: int) -> str:
        """Where the addresses of an array's rows lie."""
        return self.writer.set(f"getelementptr ptr, ptr %rows, i64 {array * self.vectors.lanes}")

    def bases(self, array: int) -> list[str]:
        """Addresses of each lane's row of an array."""
        w, lanes = self.writer, self.vectors.lanes
        places = [w.set(f"getelementptr ptr, ptr %rows, i64 {array * lanes + lane}") for lane in range(lanes)]
        return [w.set(f"load ptr, ptr {place}") for place in places]

    def text(self, name: str) -> str:
        w, mask = self.writer, self.vectors.mask
        head = [f"define internal void {name}(ptr noalias %scratch, ptr noalias %rows, ptr noalias %ok.at) #2 {{"]
        head += ["entry:", *w.entry_allocations(), f"  %ok = load {mask}, ptr %ok.at"]
        answered = [f"  store {mask} {w.ok}, ptr %ok.at"] if w.ok != "%ok" else []
        return "\n".join([*head, *w.lines, *answered, "  ret void", "}"])


def _reading(ports: Sequence[Port], vectors: Vectors) -> list[PartWriter]:
    """Functions that bring the arguments into the first slots."""
    found, slot = [], 0
    for a, port in enumerate(ports):
        for start in range(0, port.count, READ):
            part = PartWriter(vectors)
            numbers = range(start, min(start + READ, port.count))
            for register in finite_inputs(part.writer, part.bases(a), numbers):
                part.store(register, slot)
                slot += 1
            found.append(part)
    return found


def _computing(part: Part, results: Results) -> PartWriter:
    """A part of the trace: slots are read when first needed, and written as soon as their value is there."""
    own = PartWriter(results.vectors)
    found = own.writer.in_blocks(part.graph, part.blocks, {}, ordered=True)
    for (where, number), registers in zip(part.goes, found, strict=True):
        if where == "slot":
            own.store(registers[0], number)
        else:
            results.store(results.pieces[number], registers, own)
    return own
