"""How results leave a straight-line kernel: in place, or gathered and then turned into rows.

A few are stored where they belong, a block of lanes at a time. Many would be stored here and there, in stores that wait
for memory; they are gathered in scratch as vectors of lanes, and turned into rows when all are there. What is gathered
may also be computed in any order, and the order decides how many values wait for their last use meanwhile.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from operator import itemgetter
from typing import Any, Protocol, final

from soadyn.engine import policy
from soadyn.engine.native.llvm.lanes import scattered
from soadyn.engine.native.llvm.turning import LINE, PREFETCH, turn, turning_function
from soadyn.engine.native.llvm.vectors import Vectors
from soadyn.engine.native.llvm.writer import Writer
from soadyn.engine.native.straight.loop import StateLoop
from soadyn.engine.tracing import Graph, Scalar
from soadyn.engine.tracing.ports import Port
from soadyn.engine.tracing.schedule import storing_order

MEMSET = "declare void @llvm.memset.p0.i64(ptr, i8, i64, i1 immarg)"


def are_gathered(outputs: Iterable[Port]) -> bool:
    """Are a state's results so many that they are gathered?"""
    return sum(port.count for port in outputs) >= policy.MANY_RESULTS


@final
@dataclass(frozen=True, slots=True)
class Piece:
    """Scalars that stand side by side in a row of the results, from the number `start` on."""

    array: int  # which of the results
    start: int
    scalars: Sequence[Any]


class Rows(Protocol):
    """Addresses of each lane's row of an array, as registers or in memory."""

    writer: Writer

    def bases(self, array: int) -> list[str]:
        """The addresses themselves."""

    def kept(self, array: int) -> str:
        """Where they lie in memory."""


@final
class InPlace:
    """Results stored as soon as they are computed, in pieces of a line of the cache or a block of lanes."""

    scratch = 0

    def __init__(self, graph: Graph, outputs: Mapping[Port, Sequence[Any]], vectors: Vectors, first: int) -> None:
        """Results of the arrays from the `first` on."""
        self.vectors = vectors
        self._first = first
        rows, size = list(outputs.values()), max(vectors.lanes, LINE // vectors.size)
        self.pieces = [Piece(i, at, rows[i][at : at + size]) for i, at in storing_order(graph, rows, size)]

    def begin(self, loop: StateLoop) -> None:
        """Nothing to do before results are stored."""

    def leave(self, loop: StateLoop) -> None:
        """Nothing to do when they are."""

    def store(self, piece: Piece, registers: Sequence[str], rows: Rows) -> None:
        """Write a piece's registers into each lane's row of an array of the kernel."""
        bases, lanes = rows.bases(self._first + piece.array), self.vectors.lanes
        if any(isinstance(x, Scalar) for x in piece.scalars):
            for i in range(0, len(registers), lanes):
                scattered(rows.writer, bases, piece.start + i, registers[i : i + lanes])
        else:
            self._store_constants(piece, bases, rows.writer)

    def _store_constants(self, piece: Piece, bases: Sequence[str], w: Writer) -> None:
        """Known numbers are the same in each lane's row, so there is nothing to transpose."""
        v = self.vectors
        row = ", ".join(f"{v.scalar} {v.literal(x)}" for x in piece.scalars)
        for base in bases:
            at = w.set(f"getelementptr {v.scalar}, ptr {base}, i64 {piece.start}")
            w.line(f"store <{len(piece.scalars)} x {v.scalar}> <{row}>, ptr {at}, align {v.size}")

    def support(self) -> list[str]:
        """What the instructions refer to."""
        return []


@final
class Gathered:
    """Results in the scratch of a kernel, behind the first `before` vectors of it; a piece is one number."""

    def __init__(self, outputs: Mapping[Port, Sequence[Any]], vectors: Vectors, first: int) -> None:
        self.vectors = vectors
        self.pieces = _number_by_number(outputs)
        self._first = first
        self.before = 0
        self._counts = [port.count for port in outputs]
        self.scratch = sum(self._counts)

    def begin(self, loop: StateLoop) -> None:
        """Zeros where no result is written, before the first pass."""
        w, v = loop.writer, self.vectors
        size = self.scratch * v.lanes * v.size
        wanted = w.set(f"select i1 {w.set('icmp eq i64 %i, 0')}, i64 {size}, i64 0")
        w.line(f"call void @llvm.memset.p0.i64(ptr {self._at(w, 0)}, i8 0, i64 {wanted}, i1 false)")

    def store(self, piece: Piece, registers: Sequence[str], rows: Rows) -> None:
        """Write a piece's register into the scratch."""
        (x,), (register,) = piece.scalars, registers
        if isinstance(x, Scalar) or x:
            w, v = rows.writer, self.vectors
            at = self._at(w, sum(self._counts[: piece.array]) + piece.start)
            w.line(f"store {v.real} {register}, ptr {at}, align {v.lanes * v.size}")

    def leave(self, loop: StateLoop) -> None:
        """Turn the results into rows, when all are there."""
        start = 0
        for array, count in enumerate(self._counts, start=self._first):
            turn(loop.writer, self._at(loop.writer, start), count, loop.kept(array))
            start += count

    def support(self) -> list[str]:
        """What the instructions refer to."""
        return [MEMSET, PREFETCH, turning_function(self.vectors)]

    def _at(self, w: Writer, number: int) -> str:
        return w.set(f"getelementptr {self.vectors.real}, ptr %scratch, i64 {self.before + number}")


Results = InPlace | Gathered


def results_of(graph: Graph, outputs: Mapping[Port, Sequence[Any]], vectors: Vectors, first: int) -> Results:
    """How these results leave; they are the kernel's arrays from the `first` on."""
    return Gathered(outputs, vectors, first) if are_gathered(outputs) else InPlace(graph, outputs, vectors, first)


def _number_by_number(outputs: Mapping[Port, Sequence[Any]]) -> list[Piece]:
    """The results in pieces of one number each, in the order of computing them.

    In matrices over the joints, what stands at (j, k) and at (k, j) comes from what one of the two joints does at the
    other. These entries are computed one after the other in all matrices, those of the last joints first: what climbs
    from a joint to the base is then used up before the next one's climb begins.
    """
    found: list[tuple[list[int], Piece]] = []
    for i, (port, row) in enumerate(outputs.items()):
        places = product(*map(range, port.shape))
        for start, (place, scalar) in enumerate(zip(places, row, strict=True)):
            found.append((sorted(place, reverse=True), Piece(i, start, (scalar,))))
    return [piece for _, piece in sorted(found, key=itemgetter(0), reverse=True)]
