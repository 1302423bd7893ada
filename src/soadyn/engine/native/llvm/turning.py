"""Results of several states, as LLVM text: from vectors of lanes, one for each number, into a row for each state.

Scattered stores wait for memory. Results are therefore collected as vectors in a kernel's scratch, which stays in the
cache, and then transposed block by block; the rows' next lines are asked for meanwhile.
"""

from __future__ import annotations

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
    w, v = Writer(vectors), vectors
    rows = [w.load("%rows", lane, "ptr") for lane in range(v.lanes)]

    def block(i: str) -> None:
        there = [w.at(row, i, v.scalar) for row in rows]
        for at in there:
            w.line(f"call void @llvm.prefetch.p0(ptr {w.at(at, AHEAD, 'i8')}, i32 1, i32 3, i32 1)")
        scattered(w, there, 0, [w.load(w.at("%from", i), further) for further in range(v.lanes)])

    def number(i: str) -> None:
        x = w.load("%from", i)
        for lane, row in enumerate(rows):
            w.store(w.set(f"extractelement {v.real} {x}, i32 {lane}"), row, i, v.scalar)

    whole = w.set(f"sub i64 %count, {w.set(f'urem i64 %count, {v.lanes}')}")
    w.loop_if_any("0", whole, block, v.lanes)
    w.loop_if_any(whole, "%count", number)
    return w.function(f"@turn.{v.suffix}", "ptr noalias %from, i64 %count, ptr noalias %rows")


def turn(w: Writer, vectors: str, count: str | int, rows: str) -> None:
    """A call of that function."""
    w.line(f"call void @turn.{w.vectors.suffix}(ptr {vectors}, i64 {count}, ptr {rows})")
