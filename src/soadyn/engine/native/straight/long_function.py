"""Straight-line kernels of long traces: several functions one after the other, which hand values on in memory.

Each is `void part(scratch, rows, ok)`: the slots, the addresses of each array's row in each lane, and the mask of lanes
that still have an answer. The first ones read the arguments into slots; the others are the parts of the trace.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from soadyn.engine import policy
from soadyn.engine.native.llvm.lanes import gathered
from soadyn.engine.native.llvm.module import FunctionText
from soadyn.engine.native.llvm.state_loop import StateLoop, support
from soadyn.engine.native.llvm.vectors import Vectors
from soadyn.engine.native.llvm.writer import Writer
from soadyn.engine.native.straight.function import answered_at_first
from soadyn.engine.native.straight.results import Gathered, InPlace, are_gathered
from soadyn.engine.tracing import Graph
from soadyn.engine.tracing.parts import Cut, TracePart
from soadyn.engine.tracing.ports import Port


def long_function(
    graph: Graph, inputs: Mapping[Port, Sequence[Any]], outputs: Mapping[Port, Sequence[Any]], vectors: Vectors
) -> FunctionText:
    """A kernel's inner loop, as `straight_function` gives it, bit for bit, in several functions."""
    kept = Gathered(outputs, vectors, len(inputs)) if are_gathered(outputs) else None
    results = kept or InPlace(outputs, vectors, len(inputs))
    scalars = [x for row in inputs.values() for x in row]
    cut = Cut(graph, scalars, [piece.scalars for piece in results.pieces], vectors.fused, policy.PART)
    if kept:
        kept.before = cut.slots

    def give(number: int, registers: Sequence[str], w: Writer) -> None:
        results.store(results.pieces[number], registers, w, lambda array: _rows(w, array))

    parts = [computing(part, vectors, give) for part in cut.parts]
    names, texts = named([*_reading(list(inputs), vectors), *parts])

    w, mask, arrays = Writer(vectors), vectors.mask, (*inputs, *outputs)
    rooms = {"%ok.at": mask, "%rows": f"[{len(arrays) * vectors.lanes} x ptr]", "%turned": f"[{vectors.lanes} x ptr]"}
    loop = StateLoop(w, len(arrays), cut.slots + (kept.scratch if kept else 0), rooms)
    if kept:
        kept.begin(w, loop.states)

    def block() -> None:
        for i, base in enumerate(base for rows in loop.bases for base in rows):
            w.store(base, "%rows", i, "ptr")
        w.store(answered_at_first(graph), "%ok.at", kind=mask)
        call(w, names)
        w.ok = w.load("%ok.at", kind=mask)
        if kept:
            kept.leave(w)
        loop.spoil_unanswered([port.count for port in outputs])

    loop.over_blocks(block)
    used = [*support(vectors), *(kept.support() if kept else ()), *texts]
    return FunctionText(w.lines, used, len(parts))


# Functions that work on slots


def part_writer(vectors: Vectors) -> Writer:
    """What writes one of the functions; it reads slots when they are first needed."""
    w = Writer(vectors, "%ok", lambda slot: w.load("%scratch", slot))
    w.lines += w.entry_allocations()
    w.line(f"%ok = load {vectors.mask}, ptr %ok.at")
    return w


def named(parts: Sequence[Writer]) -> tuple[list[str], list[str]]:
    """The names of such functions, and their texts."""
    names = [f"@part.{w.vectors.suffix}.{i}" for i, w in enumerate(parts)]
    for w in parts:
        if w.ok != "%ok":
            w.store(w.ok, "%ok.at", kind=w.vectors.mask)
    parameters = "ptr noalias %scratch, ptr noalias %rows, ptr noalias %ok.at"
    return names, [w.function(name, parameters) for name, w in zip(names, parts, strict=True)]


def call(w: Writer, names: Sequence[str], rows: str = "%rows") -> None:
    """Calls such functions, one after the other."""
    for name in names:
        w.line(f"call void {name}(ptr %scratch, ptr {rows}, ptr %ok.at)")


def computing(part: TracePart, vectors: Vectors, give: Callable[[int, Sequence[str], Writer], None]) -> Writer:
    """A part of the trace, which writes slots as soon as their value is there; `give` stores a piece of the results."""
    w = part_writer(vectors)
    found = w.in_blocks(part.graph, part.blocks, {}, ordered=True)
    for (where, number), registers in zip(part.goes, found, strict=True):
        if where == "slot":
            w.store(registers[0], "%scratch", number)
        else:
            give(number, registers, w)
    return w


def take(w: Writer, bases: Sequence[str], numbers: range, slot: int) -> int:
    """Brings numbers of an argument into slots and gives the next slot; what is not finite is taken as zero.

    A lane with such a number has no answer.
    """
    v = w.vectors
    for register in gathered(w, bases, numbers):
        finite = w.finite(register)
        w.ok = w.set(f"and {v.mask} {w.ok}, {finite}")
        w.store(w.set(f"select {v.mask} {finite}, {v.real} {register}, {v.real} zeroinitializer"), "%scratch", slot)
        slot += 1
    return slot


def _rows(w: Writer, array: int) -> list[str]:
    """Addresses of each lane's row of an array."""
    return [w.load("%rows", array * w.vectors.lanes + lane, "ptr") for lane in range(w.vectors.lanes)]


def _reading(ports: Sequence[Port], vectors: Vectors) -> list[Writer]:
    """Functions that bring the arguments into the first slots."""
    found, slot = [], 0
    for a, port in enumerate(ports):
        for start in range(0, port.count, policy.PART):
            w = part_writer(vectors)
            slot = take(w, _rows(w, a), range(start, min(start + policy.PART, port.count)), slot)
            found.append(w)
    return found
