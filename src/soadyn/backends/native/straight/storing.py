"""How results leave a straight-line kernel.

Each block of lanes is transposed on its way to memory, in place or by calls of one function. Calls compile faster, but
what the kernel holds in registers is saved before each: matrices over the joints are stored faster in place.
Derivatives gain nothing by that. Many results of large batches are gathered first where that pays, see `gathering`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Protocol, final

from soadyn.backends.native.llvm.lanes import scattered
from soadyn.backends.native.llvm.turning import LINE
from soadyn.backends.native.llvm.vectors import Vectors
from soadyn.backends.native.llvm.writer import Writer
from soadyn.backends.native.straight.loop import StateLoop
from soadyn.backends.ports import Port
from soadyn.tracing import Graph, Scalar
from soadyn.tracing.schedule import storing_order

# Numbers of a state's results that are many: LLVM must not look for neighbours among all their stores, which takes it
# longer than everything else. It does not look past a barrier, which is no instruction of the processor; each row has
# one in front of every so many pieces.
MANY = 800
BETWEEN_BARRIERS = 8
BARRIER = 'fence syncscope("singlethread") seq_cst'
# Numbers that a call stores where there is one lane.
ALONE = 8
# Numbers of a state's results from which on zeros among them are cleared in runs: most of the second derivatives of a
# humanoid are zero. Among fewer results they are stored faster with what stands beside them.
CLEARED = 10_000

MEMSET = "declare void @llvm.memset.p0.i64(ptr, i8, i64, i1 immarg)"


def are_many(outputs: Iterable[Port]) -> bool:
    """Do a state's results count as many?"""
    return sum(port.count for port in outputs) >= MANY


@final
@dataclass(frozen=True, slots=True)
class Piece:
    """Scalars that stand side by side in a row of the results, from the number `start` on; or so many zeros."""

    array: int  # which of the results
    start: int
    scalars: Sequence[Any]
    zeros: int = 0


def pieces_of(graph: Graph, outputs: Mapping[Port, Sequence[Any]], vectors: Vectors) -> list[Piece]:
    """The results in pieces, a line of the cache or a block of lanes each, in the order of storing them.

    Of very many results, zeros that stand side by side come first.
    """
    rows = list(outputs.values())
    size = max(vectors.lanes, LINE // vectors.size)
    zeros = _zeros(rows, size) if sum(map(len, rows)) >= CLEARED else []
    cleared = {(piece.array, start) for piece in zeros for start in range(piece.start, piece.start + piece.zeros, size)}
    order = [place for place in storing_order(graph, rows, size) if place not in cleared]
    return [*zeros, *(Piece(i, start, rows[i][start : start + size]) for i, start in order)]


def _zeros(rows: Sequence[Sequence[Any]], size: int) -> list[Piece]:
    """Runs of at least two pieces that are nothing but zeros."""
    found: list[Piece] = []
    for i, row in enumerate(rows):
        empty = [not any(isinstance(x, Scalar) or x for x in row[at : at + size]) for at in range(0, len(row), size)]
        end = 0
        for known, run in groupby(empty):
            start, end = end, end + len(list(run))
            if known and end - start > 1:
                found.append(Piece(i, start * size, (), min(end * size, len(row)) - start * size))
    return found


class Rows(Protocol):
    """Addresses of each lane's row of an array, as registers or in memory."""

    writer: Writer

    def bases(self, array: int) -> list[str]:
        """The addresses themselves."""

    def kept(self, array: int) -> str:
        """Where they lie in memory."""


@final
class Storing:
    """Writes the instructions that store pieces of some results."""

    scratch = 0
    at_exit: tuple[str, ...] = ()

    def __init__(self, outputs: Iterable[Port], vectors: Vectors, first: int, by_calls: bool) -> None:
        """Results of the arrays from the `first` on; many are stored `by_calls` or in place."""
        self.by_rows = are_many(outputs)
        self.vectors = vectors
        self._by_calls = by_calls and self.by_rows
        self._first = first
        self._width = vectors.lanes if vectors.lanes > 1 else ALONE

    def begin(self, loop: StateLoop) -> None:
        """Nothing to do before results are stored."""

    def leave(self, loop: StateLoop) -> None:
        """Nothing to do when they are."""

    def store(self, piece: Piece, registers: Sequence[str], rows: Rows) -> None:
        """Write a piece's registers into each lane's row of an array of the kernel."""
        array = self._first + piece.array
        if self.by_rows and piece.start % (BETWEEN_BARRIERS * LINE // self.vectors.size) == 0:
            rows.writer.line(BARRIER)
        if piece.zeros:
            at, count = piece.start * self.vectors.size, piece.zeros * self.vectors.size
            call = f"@clear.{self.vectors.lanes}(ptr {rows.kept(array)}, i64 {at}, i64 {count})"
            rows.writer.line(f"call void {call}")
        elif not any(isinstance(x, Scalar) for x in piece.scalars):
            self._store_constants(piece, rows.bases(array), rows.writer)
        else:
            for done in range(0, len(registers), self._width):
                self._store_block(array, piece.start + done, registers[done : done + self._width], rows)

    def _store_constants(self, piece: Piece, bases: Sequence[str], w: Writer) -> None:
        """Known numbers are the same in each lane's row, so there is nothing to transpose."""
        v = self.vectors
        row = ", ".join(f"{v.scalar} {v.literal(x)}" for x in piece.scalars)
        for base in bases:
            at = w.set(f"getelementptr {v.scalar}, ptr {base}, i64 {piece.start}")
            kind = f"<{len(piece.scalars)} x {v.scalar}>"
            w.line(f"store {kind} <{row}>, ptr {at}, align {v.size}")

    def _store_block(self, array: int, start: int, block: Sequence[str], rows: Rows) -> None:
        lanes = self.vectors.lanes
        if self._by_calls and len(block) == self._width:
            values = ", ".join(f"{self.vectors.real} {x}" for x in block)
            call = f"@store.{lanes}(ptr {rows.kept(array)}, i64 {start}, {values})"
            rows.writer.line(f"call void {call}")
        else:
            bases = rows.bases(array)
            for i in range(0, len(block), lanes):
                scattered(rows.writer, bases, start + i, block[i : i + lanes])

    def support(self) -> list[str]:
        """What the instructions refer to."""
        if not self.by_rows:
            return []
        return [MEMSET, self._clearing(), *([self._storing()] if self._by_calls else [])]

    def _storing(self) -> str:
        """store(rows, start, values...): a block of values from the number `start` on."""
        lanes, own = self.vectors.lanes, Writer(self.vectors, ok="true")
        bases = self._bases(own, self.vectors.scalar)
        names = [f"%x{i}" for i in range(self._width)]
        for i in range(0, self._width, lanes):
            scattered(own, bases, i, names[i : i + lanes])
        values = ", ".join(f"{self.vectors.real} {x}" for x in names)
        return self._function(f"store.{lanes}", values, own)

    def _clearing(self) -> str:
        """clear(rows, start, count): zeros in so many bytes, `start` bytes behind the start of each row."""
        own = Writer(self.vectors, ok="true")
        for base in self._bases(own, "i8"):
            own.line(f"call void @llvm.memset.p0.i64(ptr {base}, i8 0, i64 %count, i1 false)")
        return self._function(f"clear.{self.vectors.lanes}", "i64 %count", own)

    def _bases(self, writer: Writer, unit: str) -> list[str]:
        """The addresses of each lane's row, `start` units on."""
        places = [writer.set(f"getelementptr ptr, ptr %rows, i64 {lane}") for lane in range(self.vectors.lanes)]
        rows = [writer.set(f"load ptr, ptr {place}") for place in places]
        return [writer.set(f"getelementptr {unit}, ptr {row}, i64 %start") for row in rows]

    def _function(self, name: str, values: str, own: Writer) -> str:
        head = f"define internal void @{name}(ptr %rows, i64 %start, {values}) #2 {{"
        return "\n".join([head, "entry:", *own.lines, "  ret void", "}"])
