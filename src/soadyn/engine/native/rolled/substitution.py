"""A substitution of a rolled kernel, as LLVM text: rows less multiples of the rows inboard of them, in place.

    Z(a,c) = X(a,c) - Σ_b U(b,a) Z(b,c),    b inboard of a's joint

A tile is the entries of some neighbouring columns in one row. They lie side by side, for each column a number of every
lane, and LLVM takes them as one vector. So the text is the same for several states and for one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from soadyn.engine import policy
from soadyn.engine.loops.plan import KEPT, SubstitutionLoop
from soadyn.engine.native.llvm.vectors import Vectors
from soadyn.engine.native.llvm.writer import declarations
from soadyn.engine.native.rolled.loop_writer import LoopWriter


def substitute(t: LoopWriter, part: SubstitutionLoop, widest: int) -> None:
    """Compute all entries of the matrices, as many columns at a time as a widest tile has.

    The last matrix is symmetric: its rows are computed up to the diagonal and copied into its columns, where later
    entries read them. The processor's vectors hold `widest` numbers.
    """
    *general, symmetric = map(t.matrix, part.places)
    widths = _widths(t.vectors, widest)

    def least(x: str, y: str) -> str:
        return t.w.set(f"call i64 @llvm.smin.i64(i64 {x}, i64 {y})")

    def columns(first: str) -> None:
        end = least(t.w.plus(first, widths[0]), "%f.nv")

        def symmetric_row(a: str) -> None:
            before = least(a, end)
            _row(t, [symmetric], a, first, before, widths)
            t.w.loop_if_any(first, before, partial(_mirror, t, symmetric, a))
            diagonal = least(t.w.plus(a, 1), end)  # the end of where it is among these columns
            t.w.loop_if_any(before, diagonal, partial(_tile, t, [symmetric], a, 1))

        t.w.loop("0", "%f.nv", lambda a: _row(t, general, a, first, end, widths))
        t.w.loop(first, "%f.nv", symmetric_row)

    t.w.loop("0", "%f.nv", columns, widths[0])


def tile_declarations(vectors: Vectors, widest: int) -> list[str]:
    """The declarations that the text of `substitute` needs."""
    return [line for width in _widths(vectors, widest) for line in declarations(_tile_vectors(vectors, width))]


def _widths(vectors: Vectors, widest: int) -> list[int]:
    """How many columns tiles have: powers of two, the largest first."""
    most = policy.WIDEST_TILE * max(widest // vectors.lanes, 1)
    return [1 << i for i in reversed(range(most.bit_length()))]


def _tile_vectors(vectors: Vectors, width: int) -> Vectors:
    return replace(vectors, lanes=width * vectors.lanes)


def _row(t: LoopWriter, matrices: Sequence[str], a: str, first: str, end: str, widths: Sequence[int]) -> None:
    """Compute the entries of row a in the columns from `first` to before `end`, most of them in the widest tiles."""
    for width in widths:
        count = t.w.set(f"and i64 {t.w.set(f'sub i64 {end}, {first}')}, {-width}")
        whole = t.w.plus(first, count)
        t.w.loop_if_any(first, whole, partial(_tile, t, matrices, a, width), width)
        first = whole


def _tile(t: LoopWriter, matrices: Sequence[str], a: str, width: int, c: str) -> None:
    """Compute the entries of row a in so many columns from c on, of every matrix."""
    w, one, tile = t.w, t.vectors.real, _tile_vectors(t.vectors, width)
    T, lanes = tile.real, ", ".join(f"i32 {lane}" for _ in range(width) for lane in range(t.vectors.lanes))
    columns = [t.w.at(matrix, c) for matrix in matrices]
    step = t.w.times("%f.nv", w.vector_bytes)

    def in_row(row: str, columns: Sequence[str]) -> list[str]:
        offset = t.w.times(row, step)
        return [w.at(column, offset, "i8") for column in columns]

    def loaded(places: Sequence[str]) -> list[str]:
        return [w.load(place, kind=T, align=w.vector_bytes) for place in places]

    places = in_row(a, columns)
    (U,) = in_row(a, [t.matrix(KEPT)])
    X = loaded(places)

    def less(b: str, so_far: Sequence[str]) -> list[str]:
        factor = w.set(f"fneg {one} {t.w.load(U, b)}")
        factors = w.set(f"shufflevector {one} {factor}, {one} poison, <{tile.lanes} x i32> <{lanes}>")
        return [w.fma(factors, Z, x, tile) for Z, x in zip(loaded(in_row(b, columns)), so_far, strict=True)]

    found = t.follow("inboard", t.entry_of("outside", a), (T, X), less)
    for place, Z in zip(places, found, strict=True):
        w.store(Z, place, kind=T, align=w.vector_bytes)


def _mirror(t: LoopWriter, matrix: str, a: str, c: str) -> None:
    """Copy entry (a,c) to (c,a)."""
    t.w.store(t.w.load(matrix, t.entry(a, c)), matrix, t.entry(c, a))
