"""Substitutions of a rolled kernel for a single state, as LLVM text: a function that solves its matrices in place.

Z(a,c) = X(a,c) - Σ_b U(b,a) Z(b,c),    b inboard of a's joint

A vector holds several columns c instead of several states; each entry's sum is the same, bit for bit.
"""

from __future__ import annotations

from collections.abc import Sequence

from soadyn.engine.loops.plan import KEPT, SubstitutionLoop
from soadyn.engine.native.rolled.inboard_sums import Rows, inboard_sums, rows_abreast
from soadyn.engine.native.rolled.loop_writer import LoopWriter

# Vectors of columns that are summed at once, of each matrix, so that additions need not wait for one another.
TILES = 2


def solving_function(t: LoopWriter, matrices: int) -> str:
    """`void solve(U transposed, nv, outside, inboard, abreast, X, ..., D inverse)`.

    `t` has the widest vectors there are. The last matrix is symmetric: its columns are computed up to the diagonal and
    stored at (c,a) as well.
    """
    names = [f"%X{i}" for i in range(matrices)]
    arguments = ", ".join(["ptr noalias %U", "i64 %f.nv", *(f"ptr noalias {x}" for x in _TABLES + names)])
    head = f"define internal void @solve({arguments}) #2 {{\nentry:"
    last = t.w.set("sub i64 %f.nv, 1")
    *general, symmetric = names
    width = TILES * t.vectors.lanes
    t.count("0", last, width, lambda c: _tile_of_columns(t, general, c), "tile")
    rows_abreast(t, lambda rows: _symmetric_rows(t, symmetric, rows, width))
    return "\n".join([head, *t.w.lines, "  ret void", "}"])


_TABLES = ["%f.outside", "%f.inboard", "%f.abreast"]


def solve(t: LoopWriter, part: SubstitutionLoop) -> None:
    """A call of that function."""
    matrices = [t.matrix(KEPT), *(t.matrix(place) for place in part.places)]
    U, *others = (f"ptr {matrix}" for matrix in matrices)
    tables = [f"ptr {table}" for table in _TABLES]
    t.w.line(f"call void @solve({', '.join([U, 'i64 %f.nv', *tables, *others])})")


def masked(t: LoopWriter) -> list[str]:
    """What the function refers to."""
    v = t.vectors
    return [
        f"declare {v.real} @llvm.masked.load.{v.suffix}.p0(ptr, i32, {v.mask}, {v.real})",
        f"declare void @llvm.masked.store.{v.suffix}.p0({v.real}, ptr, i32, {v.mask})",
    ]


def _tile_of_columns(t: LoopWriter, matrices: Sequence[str], c: str) -> None:
    """Columns c, c + 1, ... of every row of matrices that are not symmetric."""
    inside = _masks(t, c, "%f.nv")
    rows_abreast(t, lambda rows: _sums(t, matrices, rows, c, inside))


def _symmetric_rows(t: LoopWriter, matrix: str, rows: Rows, width: int) -> None:
    """Rows of a symmetric matrix up to the diagonal, the same as columns, then the entries that read these columns."""
    w, first = t.w, rows[0]
    before = w.set(f"sub i64 {first}, 1")
    t.count("0", before, width, lambda c: _sums(t, [matrix], rows, c, _masks(t, c, first)), "tile")
    for a in rows:
        _mirror(t, matrix, a, before)
    for a in rows:
        # Of the columns of the rows above itself, a row behind the first has those before the first already.
        for c in rows[: rows.index(a) + 1]:
            _sums(t, [matrix], [a], c, _masks(t, c, w.set(f"add i64 {c}, 1"))[:1])
            _mirror(t, matrix, a, c, since=c)


def _mirror(t: LoopWriter, matrix: str, a: str, last: str, since: str = "0") -> None:
    """Entries of row a up to column `last`, stored in column a as well."""
    w, scalar = t.w, t.vectors.scalar

    def mirror(c: str) -> None:
        x = w.set(f"load {scalar}, ptr {_place(t, matrix, a, c)}")
        w.line(f"store {scalar} {x}, ptr {_place(t, matrix, c, a)}")

    t.count(since, last, 1, mirror, "mirror")


def _masks(t: LoopWriter, c: str, end: str) -> list[str]:
    """Which of the columns c, c + 1, ... lie before `end`, a mask for each vector of them."""
    w, lanes = t.w, t.vectors.lanes
    kind = f"<{lanes} x i64>"
    numbers = ", ".join(f"i64 {i}" for i in range(lanes))
    found = []
    for tile in range(TILES):
        left = w.set(f"sub i64 {w.set(f'sub i64 {end}, {c}')}, {tile * lanes}")
        one = w.set(f"insertelement {kind} poison, i64 {left}, i32 0")
        every = w.set(f"shufflevector {kind} {one}, {kind} poison, <{lanes} x i32> zeroinitializer")
        found.append(w.set(f"icmp slt {kind} <{numbers}>, {every}"))
    return found


def _place(t: LoopWriter, matrix: str, row: str, column: str) -> str:
    index = t.w.set(f"add i64 {t.w.set(f'mul i64 {row}, %f.nv')}, {column}")
    return t.w.set(f"getelementptr {t.vectors.scalar}, ptr {matrix}, i64 {index}")


def _sums(t: LoopWriter, matrices: Sequence[str], rows: Rows, c: str, inside: Sequence[str]) -> None:
    """The entries (a, c), (a, c + 1), ... of every matrix, for each row a, where the masks `inside` allow."""
    w, v = t.w, t.vectors
    T = v.real
    vectors = [(matrix, tile) for matrix in matrices for tile in range(len(inside))]

    def at(row: str, matrix: str, tile: int) -> str:
        return w.set(f"getelementptr {v.scalar}, ptr {_place(t, matrix, row, c)}, i64 {tile * v.lanes}")

    def entries(row: str) -> list[str]:
        rest = f"i32 {v.size}, {v.mask} {{}}, {T} zeroinitializer"
        call = f"call {T} @llvm.masked.load.{v.suffix}.p0(ptr {{}}, {rest})"
        return [w.set(call.format(at(row, matrix, tile), inside[tile])) for matrix, tile in vectors]

    found = inboard_sums(t, rows, entries, lambda a, b: t.spread(_place(t, "%U", a, b)))
    for a, registers in zip(rows, found, strict=True):
        for register, (matrix, tile) in zip(registers, vectors, strict=True):
            into = f"{T} {register}, ptr {at(a, matrix, tile)}, i32 {v.size}, {v.mask} {inside[tile]}"
            w.line(f"call void @llvm.masked.store.{v.suffix}.p0({into})")
