"""How many results of huge batches leave a straight-line kernel: gathered as vectors of lanes, then turned into rows.

Results that are found here and there would be stored here and there, and such stores wait for memory. Here a row's
numbers are stored one after the other, past the cache, which could not hold them. Smaller batches, whose results stay
in the cache, would lose by the detour.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, final

from soadyn.backends.native.llvm.turning import FENCE, PREFETCH, turn, turning_function, way_past
from soadyn.backends.native.llvm.vectors import Vectors
from soadyn.backends.native.llvm.writer import Writer
from soadyn.backends.native.straight.loop import StateLoop
from soadyn.backends.native.straight.storing import CLEARED, MANY, MEMSET, Piece, Rows
from soadyn.backends.ports import Port
from soadyn.tracing import Graph, Scalar
from soadyn.tracing.schedule import storing_order


def pays(count: int) -> bool:
    """Are so many results of a state worth gathering? Very many would not stay in the cache until they are turned."""
    return MANY <= count < CLEARED


def number_by_number(graph: Graph, outputs: Mapping[Port, Sequence[Any]]) -> list[Piece]:
    """The results in pieces of one number each, in the order of computing them."""
    rows = list(outputs.values())
    return [Piece(i, start, (rows[i][start],)) for i, start in storing_order(graph, rows, 1)]


@final
class Gathering:
    """Results in the scratch of a kernel, behind the first vectors of it, which are others'; a piece is one number."""

    by_rows = True
    at_exit = (FENCE,)

    def __init__(self, outputs: Sequence[Port], vectors: Vectors, first: int, before: int) -> None:
        self.vectors = vectors
        self._first, self._before = first, before
        self._counts = [port.count for port in outputs]
        self._starts = [before + sum(self._counts[:i]) for i, _ in enumerate(outputs)]
        self.scratch = sum(self._counts)

    def begin(self, loop: StateLoop) -> None:
        """Zeros where no result is written, before the first pass."""
        w, v = loop.writer, self.vectors
        size = self.scratch * v.lanes * v.size
        wanted = w.set(f"select i1 {w.set('icmp eq i64 %i, 0')}, i64 {size}, i64 0")
        w.line(f"call void @llvm.memset.p0.i64(ptr {self._at(w, self._before)}, i8 0, i64 {wanted}, i1 false)")

    def store(self, piece: Piece, registers: Sequence[str], rows: Rows) -> None:
        """Write a piece's register into the scratch."""
        (x,), (register,) = piece.scalars, registers
        if isinstance(x, Scalar) or x:
            w, v = rows.writer, self.vectors
            at = self._at(w, self._starts[piece.array] + piece.start)
            w.line(f"store {v.real} {register}, ptr {at}, align {v.lanes * v.size}")

    def leave(self, loop: StateLoop) -> None:
        """Turn the results into rows, when all are there."""
        w = loop.writer
        for i, (start, count) in enumerate(zip(self._starts, self._counts, strict=True)):
            a = self._first + i
            way = way_past(w, f"%packed{a}", f"%arg{a}", f"%step{a}")
            turn(w, self._at(w, start), count, loop.kept(a), way)

    def support(self) -> list[str]:
        """What the instructions refer to."""
        return [MEMSET, PREFETCH, turning_function(self.vectors)]

    def _at(self, w: Writer, vector: int) -> str:
        return w.set(f"getelementptr {self.vectors.real}, ptr %scratch, i64 {vector}")
