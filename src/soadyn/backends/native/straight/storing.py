"""How results leave a straight-line kernel.

Each block of lanes is transposed on its way to memory. LLVM takes longer to choose instructions for the shuffles of a
hundred blocks, or to look for neighbours among a thousand single numbers, than to compile the arithmetic between them:
of the second derivatives of UR5 three quarters of the time. Many results are therefore stored by calls of one function.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, final

from soadyn.backends.native.llvm.lanes import scattered
from soadyn.backends.native.llvm.vectors import Vectors
from soadyn.backends.native.llvm.writer import Writer
from soadyn.backends.native.result_memory import ALIGNMENT
from soadyn.backends.ports import Port
from soadyn.tracing import Graph
from soadyn.tracing.schedule import storing_order

# Numbers of a state's results from which on they are stored by calls; fewer are stored up to a tenth faster in place.
MANY = 500
# Numbers that a call stores where there is one lane.
ALONE = 8


@final
@dataclass(frozen=True, slots=True)
class Piece:
    """Scalars that stand side by side in a row of the results, from the number `start` on."""

    array: int  # which of the results
    start: int
    scalars: Sequence[Any]


def pieces_of(graph: Graph, outputs: Mapping[Port, Sequence[Any]], vectors: Vectors) -> list[Piece]:
    """The results in pieces, a line of the cache or a block of lanes each, in the order of storing them."""
    rows = list(outputs.values())
    size = max(vectors.lanes, ALIGNMENT // vectors.size)
    return [Piece(i, start, rows[i][start : start + size]) for i, start in storing_order(graph, rows, size)]


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

    def __init__(self, outputs: Iterable[Port], vectors: Vectors) -> None:
        self.by_calls = sum(port.count for port in outputs) >= MANY
        self.vectors = vectors
        self._width = vectors.lanes if vectors.lanes > 1 else ALONE

    def store(self, piece: Piece, registers: Sequence[str], array: int, rows: Rows) -> None:
        """Write a piece's registers into each lane's row of an array of the kernel."""
        for done in range(0, len(registers), self._width):
            block, start = registers[done : done + self._width], piece.start + done
            if self.by_calls and len(block) == self._width:
                values = ", ".join(f"{self.vectors.real} {x}" for x in block)
                rows.writer.line(
                    f"call void @store.{self.vectors.lanes}(ptr {rows.kept(array)}, i64 {start}, {values})"
                )
            else:
                bases = rows.bases(array)
                for i in range(0, len(block), self.vectors.lanes):
                    scattered(rows.writer, bases, start + i, block[i : i + self.vectors.lanes])

    def support(self) -> list[str]:
        """What the instructions refer to: store(rows, start, values...), which writes a block behind `start`."""
        if not self.by_calls:
            return []
        lanes, own = self.vectors.lanes, Writer(self.vectors, ok="true")
        places = [own.set(f"getelementptr ptr, ptr %rows, i64 {lane}") for lane in range(lanes)]
        rows = [own.set(f"load ptr, ptr {place}") for place in places]
        bases = [own.set(f"getelementptr {self.vectors.scalar}, ptr {row}, i64 %start") for row in rows]
        names = [f"%x{i}" for i in range(self._width)]
        for i in range(0, self._width, lanes):
            scattered(own, bases, i, names[i : i + lanes])
        values = ", ".join(f"{self.vectors.real} {x}" for x in names)
        head = f"define internal void @store.{lanes}(ptr %rows, i64 %start, {values}) #2 {{"
        return ["\n".join([head, "entry:", *own.lines, "  ret void", "}"])]
