"""How results leave a straight-line kernel: in place, or gathered and then turned into rows.

A few are stored where they belong, a block of lanes at a time. Many would be stored here and there, in stores that wait
for memory; they are gathered in scratch as vectors of lanes, and turned into rows when all are there. What is gathered
may also be computed in any order, and the order decides how many values wait for their last use meanwhile.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import product
from operator import itemgetter
from typing import Any, final

from soadyn.engine import policy
from soadyn.engine.native.llvm.lanes import scattered
from soadyn.engine.native.llvm.turning import (
    LINE,
    PAST,
    SMALLER,
    stream,
    streaming_functions,
    turn,
    turning_function,
)
from soadyn.engine.native.llvm.vectors import Vectors
from soadyn.engine.native.llvm.writer import Writer
from soadyn.engine.tracing import Scalar
from soadyn.engine.tracing.ports import Port

MEMSET = "declare void @llvm.memset.p0.i64(ptr, i8, i64, i1 immarg)"


def are_gathered(outputs: Iterable[Port]) -> bool:
    """Are a state's results so many that they are gathered?"""
    return sum(port.count for port in outputs) >= policy.MANY_RESULTS


@final
@dataclass(frozen=True, slots=True)
class ResultPiece:
    """Scalars that stand side by side in a row of the results, from the number `start` on."""

    array: int  # which of the results
    start: int
    scalars: Sequence[Any]


# Gives the addresses of each lane's row of one of the kernel's arrays.
Bases = Callable[[int], Sequence[str]]


@final
class InPlace:
    """Results stored as soon as they are computed, in pieces of a line of the cache or a block of lanes.

    Those of the last joints come first, which are known after a sweep inward; of poses those of the first links.
    """

    def __init__(self, outputs: Mapping[Port, Sequence[Any]], vectors: Vectors, first: int) -> None:
        """Results of the arrays from the `first` on."""
        self.vectors = vectors
        self._first = first
        self.pieces: list[ResultPiece] = []
        size = max(vectors.lanes, LINE // vectors.size)
        for i, (port, row) in enumerate(outputs.items()):
            starts = range(0, len(row), size)[:: 1 if len(port.shape) == 3 else -1]
            self.pieces += [ResultPiece(i, start, row[start : start + size]) for start in starts]

    def store(self, piece: ResultPiece, registers: Sequence[str], w: Writer, bases: Bases) -> None:
        """Write a piece's registers into each lane's row of an array."""
        rows, v = bases(self._first + piece.array), self.vectors
        for i in range(0, len(registers), v.lanes):
            scattered(w, rows, piece.start + i, registers[i : i + v.lanes])


@final
class Gathered:
    """Results in the scratch of a kernel, behind the first `before` vectors of it; a piece is one number."""

    def __init__(self, outputs: Mapping[Port, Sequence[Any]], vectors: Vectors, first: int) -> None:
        self.vectors = vectors
        self.pieces = _number_by_number(outputs)
        self._first = first
        self.before = 0
        self._counts = [port.count for port in outputs]
        self._total, self._large = sum(self._counts), ""
        self.scratch = self._total + policy.TURNED_AT_ONCE // vectors.size

    def begin(self, w: Writer, states: str) -> None:
        """Zeros where no result is written, before the first block of so many states; rows in scratch at %turned."""
        size = self.vectors.size
        block = self._total * self.vectors.lanes * size
        w.line(f"call void @llvm.memset.p0.i64(ptr {self._at(w, 0)}, i8 0, i64 {block}, i1 false)")
        all_of_them = w.set(f"mul i64 {states}, {self._total * size}")
        self._large = w.set(f"icmp sge i64 {all_of_them}, {policy.PAST_THE_CACHE}")
        for lane in range(self.vectors.lanes):
            row = w.at(self._at(w, self._total), lane * policy.TURNED_AT_ONCE, "i8")
            w.store(row, "%turned", lane, "ptr")

    def store(self, piece: ResultPiece, registers: Sequence[str], w: Writer, bases: Bases) -> None:
        """Write a piece's register into the scratch."""
        (x,), (register,) = piece.scalars, registers
        if isinstance(x, Scalar) or x:
            w.store(register, self._at(w, sum(self._counts[: piece.array]) + piece.start))

    def leave(self, w: Writer) -> None:
        """Turn the results into rows, whose addresses lie at %rows, when all are there."""
        start = 0
        for array, count in enumerate(self._counts, start=self._first):
            rows = w.at("%rows", array * self.vectors.lanes, "ptr")
            here = self._at(w, start)
            w.when(self._large, partial(stream, w, here, count, rows))
            w.when(w.set(f"xor i1 {self._large}, true"), partial(turn, w, here, count, rows))
            start += count

    def support(self) -> list[str]:
        """What the instructions refer to."""
        return [MEMSET, SMALLER, PAST, turning_function(self.vectors), *streaming_functions(self.vectors)]

    def _at(self, w: Writer, number: int) -> str:
        return w.at("%scratch", self.before + number)


def _number_by_number(outputs: Mapping[Port, Sequence[Any]]) -> list[ResultPiece]:
    """The results in pieces of one number each, in the order of computing them.

    In matrices over the joints, what stands at (j, k) and at (k, j) comes from what one of the two joints does at the
    other. These entries are computed one after the other in all matrices, those of the last joints first: what climbs
    from a joint to the base is then used up before the next one's climb begins.
    """
    found: list[tuple[list[int], ResultPiece]] = []
    for i, (port, row) in enumerate(outputs.items()):
        places = product(*map(range, port.shape))
        for start, (place, scalar) in enumerate(zip(places, row, strict=True)):
            found.append((sorted(place, reverse=True), ResultPiece(i, start, (scalar,))))
    return [piece for _, piece in sorted(found, key=itemgetter(0), reverse=True)]
