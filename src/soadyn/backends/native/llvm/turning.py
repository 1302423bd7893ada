"""Results of several states, as LLVM text: from vectors of lanes, one for each number, into a row for each state.

Stores that miss the cache wait; those of one row after the other can be foreseen.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from soadyn.backends.native.llvm.lanes import transposed
from soadyn.backends.native.llvm.vectors import Vectors
from soadyn.backends.native.llvm.writer import Writer

# Bytes of a row that are asked for ahead of storing there.
AHEAD = 768
# Bytes that are stored at once: rows start at multiples of no more.
AT_ONCE = 32
# Bytes of all results from which on they are stored past the cache, which would not hold them for whoever reads them.
PAST_THE_CACHE = 16 * 2**20

PREFETCH = "declare void @llvm.prefetch.p0(ptr, i32, i32, i32)"
# What was stored past the cache is there for other threads too.
FENCE = "fence seq_cst"


def at_once(vectors: Vectors) -> int:
    """How many numbers of a row are stored at once."""
    return min(vectors.lanes, AT_ONCE // vectors.size)


def turning_function(vectors: Vectors) -> str:
    """`void turn(vectors, count, rows, streamed)`: so many vectors, the addresses of the lanes' rows, how to store.

    Rows that are streamed start where so many numbers as are stored at once may start.
    """
    w, v = Writer(vectors, ok=""), vectors
    places = [w.set(f"getelementptr ptr, ptr %rows, i64 {lane}") for lane in range(v.lanes)]
    rows = [w.set(f"load ptr, ptr {place}") for place in places]
    w.line(f"%rest = urem i64 %count, {at_once(v)}")
    w.line("%whole = sub i64 %count, %rest")
    w.line("%any = icmp sgt i64 %whole, 0")
    w.line("br i1 %any, label %blocks, label %blocks.done")
    w.label("blocks")
    w.line("br i1 %streamed, label %past, label %into")
    for label, store in (("past", _past_the_cache), ("into", _into_the_cache)):
        _loop(w, label, "blocks", "0", "%whole", at_once(v), partial(_block, w, rows, store))
        w.line("br label %blocks.done")
    w.label("blocks.done")
    w.line("%more = icmp sgt i64 %rest, 0")
    w.line("br i1 %more, label %last, label %done")
    _loop(w, "last", "blocks.done", "%whole", "%count", 1, partial(_number, w, rows))
    w.line("br label %done")
    w.label("done")
    arguments = "ptr noalias %from, i64 %count, ptr noalias %rows, i1 %streamed"
    head = f"define internal void @turn.{v.suffix}({arguments}) #2 {{\nentry:"
    return "\n".join([head, *w.lines, "  ret void", "}"])


def turn(w: Writer, vectors: str, count: str | int, rows: str, streamed: str) -> None:
    """A call of that function."""
    arguments = f"ptr {vectors}, i64 {count}, ptr {rows}, i1 {streamed}"
    w.line(f"call void @turn.{w.vectors.suffix}({arguments})")


def aligned(w: Writer, start: str, step: str) -> str:
    """Do rows start where numbers may be stored past the cache? The first at an address, each so many bytes on."""
    address = w.set(f"ptrtoint ptr {start} to i64")
    crooked = w.set(f"and i64 {w.set(f'or i64 {address}, {step}')}, {at_once(w.vectors) * w.vectors.size - 1}")
    return w.set(f"icmp eq i64 {crooked}, 0")


def _loop(w: Writer, label: str, before: str, first: str, end: str, step: int, body: Callable[[str], None]) -> None:
    """A loop that runs at least once, entered from the block `before`."""
    w.label(label)
    w.line(f"%{label}.i = phi i64 [{first}, %{before}], [%{label}.next, %{label}]")
    body(f"%{label}.i")
    w.line(f"%{label}.next = add i64 %{label}.i, {step}")
    w.line(f"%{label}.more = icmp slt i64 %{label}.next, {end}")
    w.line(f"br i1 %{label}.more, label %{label}, label %{label}.end")
    w.label(f"{label}.end")


def _entry(w: Writer, i: str, further: int) -> str:
    v = w.vectors
    at = w.set(f"getelementptr {v.real}, ptr %from, i64 {i}")
    place = w.set(f"getelementptr {v.real}, ptr {at}, i64 {further}") if further else at
    return w.set(f"load {v.real}, ptr {place}, align {v.lanes * v.size}")


def _block(w: Writer, rows: list[str], store: Callable[[Writer, str, str], None], i: str) -> None:
    """As many numbers as are stored at once."""
    v, size = w.vectors, at_once(w.vectors)
    turned = transposed(w, [_entry(w, i, further) for further in range(size)])
    for lane, row in enumerate(rows):
        taken = ", ".join(f"i32 {lane // size * size + j}" for j in range(size))
        numbers = w.set(f"shufflevector {v.real} {turned[lane % size]}, {v.real} poison, <{size} x i32> <{taken}>")
        store(w, numbers, w.set(f"getelementptr {v.scalar}, ptr {row}, i64 {i}"))


def _number(w: Writer, rows: list[str], i: str) -> None:
    v, x = w.vectors, _entry(w, i, 0)
    for lane, row in enumerate(rows):
        at = w.set(f"getelementptr {v.scalar}, ptr {row}, i64 {i}")
        w.line(f"store {v.scalar} {w.set(f'extractelement {v.real} {x}, i32 {lane}')}, ptr {at}")


def _into_the_cache(w: Writer, numbers: str, at: str) -> None:
    v = w.vectors
    w.line(f"store <{at_once(v)} x {v.scalar}> {numbers}, ptr {at}, align {v.size}")
    ahead = w.set(f"getelementptr i8, ptr {at}, i64 {AHEAD}")
    w.line(f"call void @llvm.prefetch.p0(ptr {ahead}, i32 1, i32 3, i32 1)")


def _past_the_cache(w: Writer, numbers: str, at: str) -> None:
    """Straight to memory, which need not be read into the cache for that."""
    v, size = w.vectors, at_once(w.vectors)
    w.line(f"store <{size} x {v.scalar}> {numbers}, ptr {at}, align {size * v.size}, !nontemporal !0")
