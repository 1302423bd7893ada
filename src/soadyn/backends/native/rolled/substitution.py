"""Substitutions of a rolled kernel for several lanes, as LLVM text: sums along each component's inboard ones, in place.

Z(a,c) = X(a,c) - Σ_b U(b,a) Z(b,c),    b inboard of a's joint
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from soadyn.backends.native.rolled.loop_writer import LoopWriter
from soadyn.backends.plan.plan import KEPT, SubstitutionLoop

# Columns of each matrix that are summed at once, so that additions need not wait for one another.
TILE = 4


def substitute(t: LoopWriter, part: SubstitutionLoop) -> None:
    """The matrices but the last a few columns at a time, which stay in the fastest cache; the last by its symmetry."""
    w = t.w
    *general, symmetric = part.places
    last = w.set("sub i64 %f.nv, 1")

    def columns(c: str, count: int) -> None:
        t.count("0", last, 1, lambda a: _entries(t, general, a, c, count, _stored), "row")

    _in_tiles(t, last, columns)
    # Columns up to the diagonal: what is found is stored at (c,a) as well, where the entry on the diagonal needs it.
    t.count("0", last, 1, lambda a: _in_tiles(t, a, lambda c, n: _entries(t, [symmetric], a, c, n, _mirrored)), "row")


def _in_tiles(t: LoopWriter, last: str, body: Callable[[str, int], None]) -> None:
    """Columns 0 to `last`, a tile at a time without `last` itself, then one at a time."""
    w = t.w
    whole = w.set(f"mul i64 {w.set(f'sdiv i64 {last}, {TILE}')}, {TILE}")
    t.count("0", w.set(f"sub i64 {whole}, {TILE}"), TILE, lambda c: body(c, TILE), "tile")
    t.count(whole, last, 1, lambda c: body(c, 1), "rest")


def _entries(t: LoopWriter, places: Sequence[int], a: str, c: str, count: int, store: Callable[..., None]) -> None:
    """The entries (a, c), (a, c + 1), ... of every matrix."""
    w = t.w

    def entries(row: str) -> list[str]:
        bases = [t.at(t.matrix(place), _index(t, row, c)) for place in places]
        return [t.load(base, i) for base in bases for i in range(count)]

    found = inboard_sums(t, a, entries, lambda b: t.load(t.matrix(KEPT), _index(t, a, b)))
    for i, register in enumerate(found):
        store(t, register, places[i // count], a, w.set(f"add i64 {c}, {i % count}"))


def inboard_sums(t: LoopWriter, a: str, entries: Callable[[str], list[str]], U: Callable[[str], str]) -> list[str]:
    """What `entries` gives of row a, less the sum over rows b inboard of U(b,a) times what it gives of them."""
    w, v = t.w, t.vectors
    T = v.real
    first = entries(a)
    b = t.entry_of("outside", a)
    label, before = t.unique("inboard"), w.block
    w.line(f"br i1 {w.set(f'icmp slt i64 {b}, 0')}, label %{label}.end, label %{label}")
    w.label(label)
    totals = [f"%{label}.{i}" for i, _ in enumerate(first)]
    head = len(w.lines)
    row = f"%{label}.b"
    less = w.set(f"fneg {T} {U(row)}")
    sums = [w.fma(less, x, total, v) for x, total in zip(entries(row), totals, strict=True)]
    following = t.entry_of("inboard", row)
    w.line(f"br i1 {w.set(f'icmp slt i64 {following}, 0')}, label %{label}.end, label %{label}")
    # What a loop carries stands at its head, but is known only here.
    carried = zip([row, *totals], [b, *first], [following, *sums], ["i64", *[T] * len(totals)], strict=True)
    w.lines[head:head] = [f"  {x} = phi {kind} [{y}, %{before}], [{z}, %{label}]" for x, y, z, kind in carried]
    w.label(f"{label}.end")
    return [w.set(f"phi {T} [{x}, %{before}], [{y}, %{label}]") for x, y in zip(first, sums, strict=True)]


def _index(t: LoopWriter, row: str, column: str) -> str:
    return t.w.set(f"add i64 {t.w.set(f'mul i64 {row}, %f.nv')}, {column}")


def _stored(t: LoopWriter, register: str, place: int, a: str, c: str) -> None:
    t.store(register, t.matrix(place), _index(t, a, c))


def _mirrored(t: LoopWriter, register: str, place: int, a: str, c: str) -> None:
    _stored(t, register, place, a, c)
    _stored(t, register, place, c, a)
