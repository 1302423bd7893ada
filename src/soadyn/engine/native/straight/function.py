"""Straight-line kernels: one robot's whole program with its constants folded, one lane for each state."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from soadyn.engine.native.llvm.lanes import gathered
from soadyn.engine.native.llvm.module import FunctionText
from soadyn.engine.native.llvm.state_loop import StateLoop, support
from soadyn.engine.native.llvm.vectors import Vectors
from soadyn.engine.native.llvm.writer import Writer
from soadyn.engine.native.straight.results import InPlace
from soadyn.engine.tracing import Graph
from soadyn.engine.tracing.ports import Port


def straight_function(
    graph: Graph, inputs: Mapping[Port, Sequence[Any]], outputs: Mapping[Port, Sequence[Any]], vectors: Vectors
) -> FunctionText:
    """A kernel's inner loop: `inputs` and `outputs` give each port's recorded scalars in row order."""
    w = Writer(vectors, ok=answered_at_first(graph))
    results = InPlace(outputs, vectors, len(inputs))
    loop = StateLoop(w, len(inputs) + len(outputs))

    def block() -> None:
        registers = _checked_inputs(w, loop.bases, inputs)
        blocks = [piece.scalars for piece in results.pieces]
        for piece, found in zip(results.pieces, w.in_blocks(graph, blocks, registers), strict=True):
            results.store(piece, found, w, loop.bases.__getitem__)
        loop.spoil_unanswered([port.count for port in outputs])

    loop.over_blocks(block)
    return FunctionText(w.lines, support(vectors))


def answered_at_first(graph: Graph) -> str:
    """The mask of lanes that have an answer before anything is computed."""
    return f"splat (i1 {'false' if graph.hopeless else 'true'})"


def _checked_inputs(w: Writer, bases: Sequence[Sequence[str]], inputs: Mapping[Port, Sequence[Any]]) -> dict[int, str]:
    """The registers of the inputs; lanes with a number that is not finite compute on zeros and come out NaN."""
    T, mask = w.vectors.real, w.vectors.mask
    raw: list[tuple[Any, str]] = []
    for rows, (port, scalars) in zip(bases, inputs.items(), strict=False):
        raw += zip(scalars, gathered(w, rows, range(port.count)), strict=True)
    for _, register in raw:
        w.ok = w.set(f"and {mask} {w.ok}, {w.finite(register)}")
    registers = [register for _, register in raw]

    def zeroed() -> list[str]:
        return [w.set(f"select {mask} {w.ok}, {T} {register}, {T} zeroinitializer") for register in registers]

    some = w.set(f"xor i1 {w.every(w.ok)}, true")
    known = w.replaced(some, T, registers, zeroed)
    return {scalar.node: register for (scalar, _), register in zip(raw, known, strict=True)}
