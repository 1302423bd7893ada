"""Straight-line kernels: one robot's whole program with its constants folded, one lane for each state."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from soadyn.engine.native.llvm.lanes import gathered
from soadyn.engine.native.llvm.module import Function
from soadyn.engine.native.llvm.vectors import Vectors
from soadyn.engine.native.llvm.writer import Writer, declarations
from soadyn.engine.native.straight.loop import BLANK, PACK, StateLoop
from soadyn.engine.native.straight.results import InPlace
from soadyn.engine.tracing import Graph
from soadyn.engine.tracing.ports import Port

# LLVM's mark for normal, subnormal and zero numbers of either sign.
FINITE = 0x1F8


def straight_function(
    graph: Graph,
    inputs: Mapping[Port, Sequence[Any]],
    outputs: Mapping[Port, Sequence[Any]],
    vectors: Vectors,
) -> Function:
    """A kernel's inner loop: `inputs` and `outputs` give each port's recorded scalars in row order."""
    writer = Writer(vectors, ok=f"splat (i1 {'false' if graph.hopeless else 'true'})")
    results = InPlace(graph, outputs, vectors, len(inputs))
    loop = StateLoop(writer, tuple(inputs), tuple(outputs))
    head = loop.entry()
    loop.block()
    registers = _checked_inputs(writer, loop, inputs)
    blocks = [piece.scalars for piece in results.pieces]
    for piece, found in zip(results.pieces, writer.in_blocks(graph, blocks, registers), strict=True):
        results.store(piece, found, loop)
    loop.end()
    return Function(vectors.lanes, [*head, *writer.lines], [*support(vectors), *loop.memory.declarations()])


def support(vectors: Vectors) -> list[str]:
    """What a straight-line kernel refers to."""
    classes = f"declare {vectors.mask} @llvm.is.fpclass.{vectors.suffix}({vectors.real}, i32 immarg)"
    cold = [text.format(scalar=vectors.scalar, nan=vectors.literal(math.nan)) for text in (PACK, BLANK)]
    return [*declarations(vectors), classes, *cold]


def finite_inputs(writer: Writer, bases: Sequence[str], numbers: range) -> list[str]:
    """The registers of some numbers of an argument, after a look whether all their lanes are finite."""
    mask, T, suffix = writer.vectors.mask, writer.vectors.real, writer.vectors.suffix
    registers = gathered(writer, bases, numbers)
    for register in registers:
        finite = writer.set(f"call {mask} @llvm.is.fpclass.{suffix}({T} {register}, i32 {FINITE})")
        writer.ok = writer.set(f"and {mask} {writer.ok}, {finite}")
    return registers


def _checked_inputs(writer: Writer, loop: StateLoop, inputs: Mapping[Port, Sequence[Any]]) -> dict[int, str]:
    """The registers of the inputs; lanes with a number that is not finite compute on zeros and come out NaN."""
    vectors = writer.vectors
    T, mask = vectors.real, vectors.mask
    raw: list[tuple[Any, str]] = []
    for a, (port, scalars) in enumerate(inputs.items()):
        raw += zip(scalars, finite_inputs(writer, loop.bases(a), range(port.count)), strict=True)
    every = writer.set(f"call i1 @llvm.vector.reduce.and.v{vectors.lanes}i1({mask} {writer.ok})")
    before = writer.block
    writer.line(f"br i1 {every}, label %finite, label %clean")
    writer.label("clean")
    zeroed = [writer.set(f"select {mask} {writer.ok}, {T} {register}, {T} zeroinitializer") for _, register in raw]
    writer.line("br label %finite")
    writer.label("finite")
    return {
        scalar.node: writer.set(f"phi {T} [{register}, %{before}], [{zero}, %clean]")
        for (scalar, register), zero in zip(raw, zeroed, strict=True)
    }
