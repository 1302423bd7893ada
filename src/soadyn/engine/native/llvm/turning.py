"""Results of several states, as LLVM text: from vectors of lanes, one for each number, into a row for each state.

Scattered stores wait for memory. Results are therefore collected as vectors in a kernel's scratch, which stays in the
cache, and then transposed block by block. Rows that the cache would not hold are turned in scratch as well, and copied
past the cache: that is fast if whole lines are written back to back.
"""

from __future__ import annotations

from soadyn.engine import policy
from soadyn.engine.native.llvm.lanes import scattered
from soadyn.engine.native.llvm.vectors import Vectors
from soadyn.engine.native.llvm.writer import Writer

# Bytes of a line of the cache.
LINE = 64

SMALLER = "declare i64 @llvm.smin.i64(i64, i64)"
PAST = "!0 = !{i32 1}"  # what LLVM's mark of a store past the cache refers to


def turning_function(vectors: Vectors) -> str:
    """`void turn(vectors, count, rows)`: so many vectors, and the addresses of the lanes' rows."""
    w, v = Writer(vectors), vectors
    rows = [w.load("%rows", lane, "ptr") for lane in range(v.lanes)]

    def block(i: str) -> None:
        there = [w.at(row, i, v.scalar) for row in rows]
        scattered(w, there, 0, [w.load(w.at("%from", i), further) for further in range(v.lanes)])

    def number(i: str) -> None:
        x = w.load("%from", i)
        for lane, row in enumerate(rows):
            w.store(w.set(f"extractelement {v.real} {x}, i32 {lane}"), row, i, v.scalar)

    whole = w.set(f"sub i64 %count, {w.set(f'urem i64 %count, {v.lanes}')}")
    w.loop_if_any("0", whole, block, v.lanes)
    w.loop_if_any(whole, "%count", number)
    return w.function(f"@turn.{v.suffix}", "ptr noalias %from, i64 %count, ptr noalias %rows")


def streaming_functions(vectors: Vectors) -> list[str]:
    """`void stream(vectors, count, rows, turned)`: the same past the cache, through parts of rows in scratch."""
    w, lanes, size = Writer(vectors), vectors.lanes, vectors.size
    parts = [w.load("%turned", lane, "ptr") for lane in range(lanes)]
    rows = [w.load("%rows", lane, "ptr") for lane in range(lanes)]

    def part(i: str) -> None:
        rest = w.set(f"sub i64 %count, {i}")
        count = w.set(f"call i64 @llvm.smin.i64(i64 {rest}, i64 {policy.TURNED_AT_ONCE // size})")
        turn(w, w.at("%from", i), count, "%turned")
        for there, row in zip(parts, rows, strict=True):
            to = w.at(row, i, vectors.scalar)
            w.line(f"call void @past.{vectors.suffix}(ptr {there}, i64 {count}, ptr {to})")

    w.loop_if_any("0", "%count", part, policy.TURNED_AT_ONCE // size)
    w.line("fence seq_cst")  # other threads find what was stored past the cache
    parameters = "ptr noalias %from, i64 %count, ptr noalias %rows, ptr noalias %turned"
    return [_copying_function(vectors), w.function(f"@stream.{vectors.suffix}", parameters)]


def _copying_function(vectors: Vectors) -> str:
    """`void past(from, count, to)`: so many numbers of a row, copied past the cache line by line."""
    w, scalar, size = Writer(vectors), vectors.scalar, vectors.size
    width = LINE // size
    past = w.set("ptrtoint ptr %to to i64")
    before = w.set(f"and i64 {w.set(f'sub i64 0, {past}')}, {LINE - 1}")
    head = w.set(f"call i64 @llvm.smin.i64(i64 {w.set(f'udiv i64 {before}, {size}')}, i64 %count)")
    lines = w.set(f"and i64 {w.set(f'sub i64 %count, {head}')}, {-width}")
    tail = w.set(f"add i64 {head}, {lines}")

    def number(i: str) -> None:
        w.store(w.load("%from", i, scalar), "%to", i, scalar)

    def line(i: str) -> None:
        kind = f"<{width} x {scalar}>"
        x = w.load(w.at("%from", i, scalar), kind=kind, align=size)
        w.line(f"store {kind} {x}, ptr {w.at('%to', i, scalar)}, align {LINE}, !nontemporal !0")

    w.loop_if_any("0", head, number)
    w.loop_if_any(head, tail, line, width)
    w.loop_if_any(tail, "%count", number)
    return w.function(f"@past.{vectors.suffix}", "ptr noalias %from, i64 %count, ptr noalias %to")


def turn(w: Writer, vectors: str, count: str | int, rows: str) -> None:
    """A call of that function."""
    w.line(f"call void @turn.{w.vectors.suffix}(ptr {vectors}, i64 {count}, ptr {rows})")


def stream(w: Writer, vectors: str, count: str | int, rows: str) -> None:
    """A call of the other one, with parts of rows at %turned."""
    w.line(f"call void @stream.{w.vectors.suffix}(ptr {vectors}, i64 {count}, ptr {rows}, ptr %turned)")
