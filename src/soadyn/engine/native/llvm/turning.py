"""Results of several states, as LLVM text: from vectors of lanes, one for each number, into a row for each state.

Scattered stores wait for memory. Results are therefore collected as vectors in a kernel's scratch, which stays in the
cache, and then transposed block by block; the rows' next lines are asked for meanwhile.
"""

from __future__ import annotations

from collections.abc import Callable

from soadyn.engine.native.llvm.lanes import scattered
from soadyn.engine.native.llvm.vectors import Vectors
from soadyn.engine.native.llvm.writer import Writer

# Bytes of a row that are asked for ahead of storing there.
AHEAD = 768
# Bytes of a line of the cache.
LINE = 64

PREFETCH = "declare void @llvm.prefetch.p0(ptr, i32, i32, i32)"


def turning_function(vectors: Vectors) -> str:
    """`void turn(vectors, count, rows)`: so many vectors, and the addresses of the lanes' rows."""
    w, v = Writer(vectors, ok=""), vectors
    places = [w.set(f"getelementptr ptr, ptr %rows, i64 {lane}") for lane in range(v.lanes)]
    rows = [w.set(f"load ptr, ptr {place}") for place in places]

    def vector(i: str, further: int = 0) -> str:
        at = w.set(f"getelementptr {v.real}, ptr %from, i64 {i}")
        at = w.set(f"getelementptr {v.real}, ptr {at}, i64 {further}")
        return w.set(f"load {v.real}, ptr {at}, align {v.lanes * v.size}")

    def block(i: str) -> None:
        there = [w.set(f"getelementptr {v.scalar}, ptr {row}, i64 {i}") for row in rows]
        for at in there:
            ahead = w.set(f"getelementptr i8, ptr {at}, i64 {AHEAD}")
            w.line(f"call void @llvm.prefetch.p0(ptr {ahead}, i32 1, i32 3, i32 1)")
        scattered(w, there, 0, [vector(i, further) for further in range(v.lanes)])

    def number(i: str) -> None:
        x = vector(i)
        for lane, row in enumerate(rows):
            at = w.set(f"getelementptr {v.scalar}, ptr {row}, i64 {i}")
            w.line(f"store {v.scalar} {w.set(f'extractelement {v.real} {x}, i32 {lane}')}, ptr {at}")

    w.line(f"%rest = urem i64 %count, {v.lanes}")
    w.line("%whole = sub i64 %count, %rest")
    _loop(w, "blocks", "0", "%whole", v.lanes, block)
    _loop(w, "last", "%whole", "%count", 1, number)
    head = f"define internal void @turn.{v.suffix}(ptr noalias %from, i64 %count, ptr noalias %rows) #2 {{\nentry:"
    return "\n".join([head, *w.lines, "  ret void", "}"])


def turn(w: Writer, vectors: str, count: str | int, rows: str) -> None:
    """A call of that function."""
    w.line(f"call void @turn.{w.vectors.suffix}(ptr {vectors}, i64 {count}, ptr {rows})")


def _loop(w: Writer, label: str, first: str, end: str, step: int, body: Callable[[str], None]) -> None:
    before = w.block
    w.line(f"br i1 {w.set(f'icmp slt i64 {first}, {end}')}, label %{label}, label %{label}.end")
    w.label(label)
    w.line(f"%{label}.i = phi i64 [{first}, %{before}], [%{label}.next, %{label}]")
    body(f"%{label}.i")
    w.line(f"%{label}.next = add i64 %{label}.i, {step}")
    w.line(f"%{label}.more = icmp slt i64 %{label}.next, {end}")
    w.line(f"br i1 %{label}.more, label %{label}, label %{label}.end")
    w.label(f"{label}.end")
