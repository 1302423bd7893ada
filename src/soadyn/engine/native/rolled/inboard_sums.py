"""The sums of which substitutions consist, as LLVM text: for one row of the results, or for two at once.

    Z(a) = X(a) - Σ_b U(b,a) Z(b),    b inboard of a's joint

Two rows found at once read the Z(b) of both only once; a processor multiplies and adds faster than it reads. Row a + 1
can be found beside row a if a is the first component inboard of it. Every row subtracts the product with its first
inboard component last, since row a + 1 needs Z(a), which is known last. So the sums are the same bit for bit, whether
rows are found one by one or in pairs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from soadyn.engine.native.rolled.loop_writer import LoopWriter

Rows = Sequence[str]  # a, or a and a + 1
Registers = list[str]  # the numbers of one row
Entries = Callable[[str], Registers]  # loads a row's numbers
Factor = Callable[[str, str], str]  # loads U(b,a) for a and b


def rows_abreast(t: LoopWriter, body: Callable[[Rows], None]) -> None:
    """All rows from the first to the last, two at once where the robot's table says so."""
    w, label = t.w, t.unique("rows")
    before = w.block
    a = f"%{label}.a"
    w.line(f"br label %{label}")
    w.label(label)
    w.line(f"{a} = phi i64 [0, %{before}], [%{label}.after, %{label}.next]")
    step = t.entry_of("abreast", a)
    w.line(f"%{label}.after = add i64 {a}, {step}")
    w.line(f"br i1 {w.set(f'icmp eq i64 {step}, 2')}, label %{label}.two, label %{label}.one")
    w.label(f"{label}.two")
    body([a, w.set(f"add i64 {a}, 1")])
    w.line(f"br label %{label}.next")
    w.label(f"{label}.one")
    body([a])
    w.line(f"br label %{label}.next")
    w.label(f"{label}.next")
    w.line(f"br i1 {w.set(f'icmp slt i64 %{label}.after, %f.nv')}, label %{label}, label %{label}.end")
    w.label(f"{label}.end")


def inboard_sums(t: LoopWriter, rows: Rows, entries: Entries, U: Factor) -> list[Registers]:
    """What is found for one row, or for two; a pair has components inboard of it."""
    if len(rows) == 2:
        return _both(t, rows, entries, U)
    w = t.w
    (a,) = rows
    first = entries(a)
    nearest = t.entry_of("outside", a)
    label, before = t.unique("inboard"), w.block
    w.line(f"br i1 {w.set(f'icmp slt i64 {nearest}, 0')}, label %{label}.end, label %{label}")
    w.label(label)
    (sums,) = _less_further(t, rows, nearest, [first], entries, U)
    found = _less(t, a, nearest, entries(nearest), sums, U)
    inside = w.block
    w.line(f"br label %{label}.end")
    w.label(f"{label}.end")
    T = t.vectors.real
    return [[w.set(f"phi {T} [{x}, %{before}], [{y}, %{inside}]") for x, y in zip(first, found, strict=True)]]


def _both(t: LoopWriter, rows: Rows, entries: Entries, U: Factor) -> list[Registers]:
    """Row a, and the row of which a is the first component inboard."""
    a, outer = rows
    nearest = t.entry_of("outside", a)
    known = entries(nearest)
    begun = [entries(a), _less(t, outer, nearest, known, entries(outer), U)]
    sums = _less_further(t, rows, nearest, begun, entries, U)
    found = _less(t, a, nearest, entries(nearest), sums[0], U)
    return [found, _less(t, outer, a, found, sums[1], U)]


def _less_further(
    t: LoopWriter, rows: Rows, nearest: str, begun: list[Registers], entries: Entries, U: Factor
) -> list[Registers]:
    """Rows less their products with the components inboard of `nearest`."""
    w, T = t.w, t.vectors.real
    b = t.entry_of("inboard", nearest)
    label, before = t.unique("further"), w.block
    w.line(f"br i1 {w.set(f'icmp slt i64 {b}, 0')}, label %{label}.end, label %{label}")
    w.label(label)
    totals = [[f"%{label}.{i}.{j}" for j, _ in enumerate(row)] for i, row in enumerate(begun)]
    head = len(w.lines)
    row = f"%{label}.b"
    known = entries(row)
    sums = [_less(t, a, row, known, own, U) for a, own in zip(rows, totals, strict=True)]
    following = t.entry_of("inboard", row)
    w.line(f"br i1 {w.set(f'icmp slt i64 {following}, 0')}, label %{label}.end, label %{label}")
    # What a loop carries stands at its head, but is known only here.
    carried = zip(_flat(totals), _flat(begun), _flat(sums), strict=True)
    phis = [f"  {row} = phi i64 [{b}, %{before}], [{following}, %{label}]"]
    phis += [f"  {x} = phi {T} [{y}, %{before}], [{z}, %{label}]" for x, y, z in carried]
    w.lines[head:head] = phis
    w.label(f"{label}.end")
    return [
        [w.set(f"phi {T} [{x}, %{before}], [{y}, %{label}]") for x, y in zip(start, end, strict=True)]
        for start, end in zip(begun, sums, strict=True)
    ]


def _less(t: LoopWriter, a: str, b: str, known: Registers, totals: Registers, U: Factor) -> Registers:
    """totals - U(b,a) Z(b)."""
    factor = t.w.set(f"fneg {t.vectors.real} {U(a, b)}")
    return [t.w.fma(factor, x, total, t.vectors) for x, total in zip(known, totals, strict=True)]


def _flat(rows: list[Registers]) -> Registers:
    return [x for row in rows for x in row]
