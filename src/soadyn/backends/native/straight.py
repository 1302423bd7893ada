"""Straight-line kernels: one robot's whole program with its constants folded, one lane for each state."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from soadyn.backends.native.arithmetic import Writer, declarations
from soadyn.backends.native.frame import PACK, LoopFrame
from soadyn.backends.native.module import Function
from soadyn.backends.native.port import Port
from soadyn.backends.native.rows import gathered, scattered
from soadyn.backends.native.text import Vectors
from soadyn.tracing import Graph


def straight_function(
    graph: Graph, inputs: Mapping[Port, Sequence[Any]], outputs: Mapping[Port, Sequence[Any]], vectors: Vectors
) -> Function:
    """A kernel's inner loop: `inputs` and `outputs` give each port's recorded scalars in row order."""
    writer = Writer(vectors, ok=f"splat (i1 {'false' if graph.hopeless else 'true'})")
    frame = LoopFrame(writer, tuple(inputs), tuple(outputs))
    head = frame.entry()
    frame.block()
    registers = _checked_inputs(writer, frame, inputs)
    flat = [x for values in outputs.values() for x in values]
    results = writer.operations(graph, flat, registers)
    start = 0
    for a, values in enumerate(outputs.values(), start=len(inputs)):
        scattered(writer, frame.bases(a), results[start : start + len(values)])
        start += len(values)
    frame.end()
    return Function(vectors.lanes, [*head, *writer.lines], [*declarations(vectors), PACK.format(scalar=vectors.scalar)])


def _checked_inputs(writer: Writer, frame: LoopFrame, inputs: Mapping[Port, Sequence[Any]]) -> dict[int, str]:
    """The registers of the inputs; lanes with a number that is not finite compute on zeros and come out NaN."""
    vectors = writer.vectors
    T, mask = vectors.real, vectors.mask
    raw: list[tuple[Any, str]] = []
    for a, (port, scalars) in enumerate(inputs.items()):
        raw += zip(scalars, gathered(writer, frame.bases(a), port.count), strict=True)
    for _, register in raw:
        size = writer.set(f"call {T} @llvm.fabs.{vectors.suffix}({T} {register})")
        finite = writer.set(f"fcmp olt {T} {size}, {vectors.splat(np.inf)}")
        writer.ok = writer.set(f"and {mask} {writer.ok}, {finite}")
    return {
        scalar.node: writer.set(f"select {mask} {writer.ok}, {T} {register}, {T} zeroinitializer")
        for scalar, register in raw
    }
