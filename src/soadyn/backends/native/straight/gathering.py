"""How many results of a batch leave a straight-line kernel: gathered as vectors of lanes, then turned into rows.

Results that are found here and there would be stored here and there, and such stores wait for memory. Here a row's
numbers are stored one after the other, past the cache if it could not hold them. What is gathered may also be computed
in any order, and the order decides how many values of a long trace wait for their last use meanwhile: matrices over the
joints gain by that alone. Other results of a small batch stay in the cache and would lose by the detour.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from operator import itemgetter
from typing import Any, Literal, final

from soadyn.backends.native.llvm.turning import FENCE, PREFETCH, turn, turning_function, way_past
from soadyn.backends.native.llvm.vectors import Vectors
from soadyn.backends.native.llvm.writer import Writer
from soadyn.backends.native.straight.loop import StateLoop
from soadyn.backends.native.straight.storing import MANY, MEMSET, Piece, Rows
from soadyn.backends.ports import Port
from soadyn.tracing import Scalar

# What straight-line code is for: single states, small batches with very many results, batches, batches whose results
# the cache cannot hold, or single states and batches; each takes about as long to compile.
States = Literal["one", "few", "many", "vast", "both"]

# Numbers of a state's results from which on long traces gain, and huge batches; most vast ones gain from MANY on.
VERY_MANY = 2_000
# Numbers of a state's results that, as vectors of lanes, stay in the cache until they are turned.
MOST = 16_000
# Operations for each number from which on short code in place computes while its stores wait.
BUSY = 6
# States whose results the cache holds, however many they are: someone is about to read them, see `picked`.
FEW = 64


def pays(outputs: Iterable[Port], vast: bool) -> bool:
    """Are there results enough for gathering them in a `vast` batch, or in a smaller one, and not too many?"""
    return (MANY if vast else VERY_MANY) <= sum(port.count for port in outputs) < MOST


def serves(outputs: Sequence[Port], states: States, operations: int, is_long: bool, by_calls: bool) -> bool:
    """Does straight-line code for that many states gather its results, which it could store by calls or in place?"""
    match states:
        case "few":
            over_joints = all(len(port.shape) == 2 and port.shape[0] == port.shape[1] for port in outputs)
            return is_long and over_joints and pays(outputs, vast=False)
        case "many":
            return is_long and pays(outputs, vast=False)
        case "vast":
            busy = operations > BUSY * sum(port.count for port in outputs)
            return is_long or by_calls or not busy
        case _:
            return False


def number_by_number(outputs: Mapping[Port, Sequence[Any]]) -> list[Piece]:
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
        many = w.set(f"icmp sge i64 %n, {FEW}")
        for i, (start, count) in enumerate(zip(self._starts, self._counts, strict=True)):
            a = self._first + i
            way = way_past(w, w.set(f"and i1 {many}, %packed{a}"), f"%arg{a}", f"%step{a}")
            turn(w, self._at(w, start), count, loop.kept(a), way)

    def support(self) -> list[str]:
        """What the instructions refer to."""
        return [MEMSET, PREFETCH, turning_function(self.vectors)]

    def _at(self, w: Writer, vector: int) -> str:
        return w.set(f"getelementptr {self.vectors.real}, ptr %scratch, i64 {vector}")
