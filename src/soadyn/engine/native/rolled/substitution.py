"""Substitutions of a rolled kernel for several lanes, as LLVM text: sums along each component's inboard ones, in place.

Z(a,c) = X(a,c) - Σ_b U(b,a) Z(b,c),    b inboard of a's joint
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from soadyn.engine.loops.plan import KEPT, SubstitutionLoop
from soadyn.engine.native.rolled.inboard_sums import Rows, inboard_sums, rows_abreast
from soadyn.engine.native.rolled.loop_writer import LoopWriter

# Columns of each matrix that are summed at once, so that additions need not wait for one another; then what is left.
TILES = (4, 2, 1)


def substitute(t: LoopWriter, part: SubstitutionLoop) -> None:
    """The matrices but the last a few columns at a time, which stay in the fastest cache; the last by its symmetry."""
    *general, symmetric = part.places

    def columns(count: int, c: str) -> None:
        rows_abreast(t, lambda rows: _entries(t, general, rows, c, count, _stored))

    _in_tiles(t, "%f.nv", columns)
    rows_abreast(t, lambda rows: _symmetric_rows(t, symmetric, rows))


def _symmetric_rows(t: LoopWriter, place: int, rows: Rows) -> None:
    """Columns up to the diagonal; each entry is stored at (c,a) as well, where the entry on the diagonal reads it."""

    def columns(some: Rows, count: int, c: str) -> None:
        _entries(t, [place], some, c, count, _mirrored)

    _in_tiles(t, rows[0], partial(columns, rows))
    for a in rows:
        t.count(rows[0], a, 1, partial(columns, [a], 1), "last")


def _in_tiles(t: LoopWriter, end: str, body: Callable[[int, str], None]) -> None:
    """The columns before `end`, a tile at a time, the widest tiles first."""
    first = "0"
    for count in TILES:
        whole = t.w.set(f"mul i64 {t.w.set(f'sdiv i64 {end}, {count}')}, {count}")
        last = t.w.set(f"sub i64 {whole}, {count}")
        t.count(first, last, count, partial(body, count), "tile")
        first = whole


def _entries(t: LoopWriter, places: Sequence[int], rows: Rows, c: str, count: int, store: Callable[..., None]) -> None:
    """The entries (a, c), (a, c + 1), ... of every matrix, for each row a."""
    w = t.w

    def entries(row: str) -> list[str]:
        bases = [t.at(t.matrix(place), _index(t, row, c)) for place in places]
        return [t.load(base, i) for base in bases for i in range(count)]

    found = inboard_sums(t, rows, entries, lambda a, b: t.load(t.matrix(KEPT), _index(t, a, b)))
    for a, registers in zip(rows, found, strict=True):
        for i, register in enumerate(registers):
            store(t, register, places[i // count], a, w.set(f"add i64 {c}, {i % count}"))


def _index(t: LoopWriter, row: str, column: str) -> str:
    return t.w.set(f"add i64 {t.w.set(f'mul i64 {row}, %f.nv')}, {column}")


def _stored(t: LoopWriter, register: str, place: int, a: str, c: str) -> None:
    t.store(register, t.matrix(place), _index(t, a, c))


def _mirrored(t: LoopWriter, register: str, place: int, a: str, c: str) -> None:
    _stored(t, register, place, a, c)
    _stored(t, register, place, c, a)
