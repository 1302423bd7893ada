"""Results of several states, as LLVM text: from vectors of lanes, one for each number, into a row for each state.

Stores that miss the cache wait; those of one row after the other can be foreseen. Stores past the cache do not wait, if
whole lines of it are stored one after the other: what is stored past it is collected until a line is complete, and a
line that has to go before takes far longer. Half a line is stored at once, since rows often start in the middle
of one; its other half follows immediately.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from soadyn.backends.native.llvm.lanes import transposed
from soadyn.backends.native.llvm.vectors import Vectors
from soadyn.backends.native.llvm.writer import Writer

# Bytes of a row that are asked for ahead of storing there.
AHEAD = 768
# Bytes of a line of the cache, and those that are stored at once.
LINE, HALF = 64, 32
# Bytes of all results from which on they are stored past the cache, which would not hold them for whoever reads them.
PAST_THE_CACHE = 16 * 2**20

PREFETCH = "declare void @llvm.prefetch.p0(ptr, i32, i32, i32)"
# What was stored past the cache is there for other threads too.
FENCE = "fence seq_cst"

# How rows are stored: into the cache; past it, each from the start of a line on; past it, every second one from the
# middle of a line on.
INTO, STRAIGHT, SHIFTED = range(3)


def _half(vectors: Vectors) -> int:
    """How many numbers of a row are stored at once."""
    return min(vectors.lanes, HALF // vectors.size)


def way_past(w: Writer, large: str, start: str, step: str) -> str:
    """How to store rows, the first at an address, each so many bytes on, if they are `large`: one of the three ways."""
    if _half(w.vectors) * w.vectors.size < HALF:
        return str(INTO)
    address = w.set(f"ptrtoint ptr {start} to i64")
    off = w.set(f"or i64 {w.set(f'and i64 {address}, {LINE - 1}')}, {w.set(f'and i64 {step}, {HALF - 1}')}")
    fits = w.set(f"and i1 {large}, {w.set(f'icmp eq i64 {off}, 0')}")
    middle = w.set(f"icmp ne i64 {w.set(f'and i64 {step}, {LINE - 1}')}, 0")
    way = w.set(f"select i1 {middle}, i64 {SHIFTED}, i64 {STRAIGHT}")
    return w.set(f"select i1 {fits}, i64 {way}, i64 {INTO}")


def turning_function(vectors: Vectors) -> str:
    """`void turn(vectors, count, rows, way)`: so many vectors, the addresses of the lanes' rows, how to store them."""
    w, v = Writer(vectors, ok=""), vectors
    places = [w.set(f"getelementptr ptr, ptr %rows, i64 {lane}") for lane in range(v.lanes)]
    rows = [w.set(f"load ptr, ptr {place}") for place in places]
    size = _half(v)
    for name, step in (("rest", size), ("half", 2 * size)):
        w.line(f"%{name} = urem i64 %count, {step}")
    w.line("%whole = sub i64 %count, %rest")
    w.line("%lines = sub i64 %count, %half")
    w.line("%short = icmp eq i64 %lines, 0")
    w.line(f"%way.fit = select i1 %short, i64 {INTO}, i64 %way")
    w.line(f"switch i64 %way.fit, label %into [ i64 {STRAIGHT}, label %straight i64 {SHIFTED}, label %shifted ]")
    w.label("into")
    _loop(w, "halves", "0", "%whole", size, partial(_into_the_cache, w, rows))
    w.line("br label %numbers")
    w.label("straight")
    _loop(w, "pairs", "0", "%lines", 2 * size, partial(_lines, w, rows))
    w.line("br label %last_half")
    w.label("shifted")
    _shifted_lines(w, rows)
    w.line("br label %last_half")
    w.label("last_half")
    _loop(w, "end", "%lines", "%whole", size, partial(_past_the_cache, w, rows))
    w.line("br label %numbers")
    w.label("numbers")
    _loop(w, "last", "%whole", "%count", 1, partial(_number, w, rows))
    arguments = "ptr noalias %from, i64 %count, ptr noalias %rows, i64 %way"
    head = f"define internal void @turn.{v.suffix}({arguments}) #2 {{\nentry:"
    return "\n".join([head, *w.lines, "  ret void", "}"])


def turn(w: Writer, vectors: str, count: str | int, rows: str, way: str) -> None:
    """A call of that function."""
    arguments = f"ptr {vectors}, i64 {count}, ptr {rows}, i64 {way}"
    w.line(f"call void @turn.{w.vectors.suffix}({arguments})")


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


def _entry(w: Writer, i: str, further: int) -> str:
    v = w.vectors
    at = w.set(f"getelementptr {v.real}, ptr %from, i64 {i}")
    place = w.set(f"getelementptr {v.real}, ptr {at}, i64 {further}") if further else at
    return w.set(f"load {v.real}, ptr {place}, align {v.lanes * v.size}")


def _halves(w: Writer, i: str, further: int = 0) -> list[str]:
    """Of each lane, half a line of numbers, from the number i and so many further on."""
    v, size = w.vectors, _half(w.vectors)
    turned = transposed(w, [_entry(w, i, further + j) for j in range(size)])
    found = []
    for lane in range(v.lanes):
        taken = ", ".join(f"i32 {lane // size * size + j}" for j in range(size))
        kind = f"{v.real} {turned[lane % size]}, {v.real} poison"
        found.append(w.set(f"shufflevector {kind}, <{size} x i32> <{taken}>"))
    return found


def _past(w: Writer, numbers: str, row: str, i: str, further: int = 0) -> None:
    """Half a line straight to memory, which need not be read into the cache for that."""
    v, size = w.vectors, _half(w.vectors)
    at = w.set(f"getelementptr {v.scalar}, ptr {row}, i64 {i}")
    at = w.set(f"getelementptr {v.scalar}, ptr {at}, i64 {further}")
    w.line(f"store <{size} x {v.scalar}> {numbers}, ptr {at}, align {size * v.size}, !nontemporal !0")


def _past_the_cache(w: Writer, rows: list[str], i: str) -> None:
    """Half a line of each row."""
    for row, numbers in zip(rows, _halves(w, i), strict=True):
        _past(w, numbers, row, i)


def _lines(w: Writer, rows: list[str], i: str) -> None:
    """A line of each row."""
    size = _half(w.vectors)
    for row, first, second in zip(rows, _halves(w, i), _halves(w, i, size), strict=True):
        _past(w, first, row, i)
        _past(w, second, row, i, size)


def _shifted_lines(w: Writer, rows: list[str]) -> None:
    """A line of each row, time after time; the odd rows' lines start with the second half of the time before."""
    v, size = w.vectors, _half(w.vectors)
    odd = range(1, v.lanes, 2)
    first, second = _halves(w, "0"), _halves(w, "0", size)
    for lane, row in enumerate(rows):
        _past(w, first[lane], row, "0")
        if lane % 2 == 0:
            _past(w, second[lane], row, "0", size)
    before = w.block
    w.line(f"br i1 {w.set(f'icmp slt i64 {2 * size}, %lines')}, label %shifts, label %shifts.end")
    w.label("shifts")
    start = len(w.lines)
    then = {lane: f"%then.{lane}" for lane in odd}
    one, two = _halves(w, "%shifts.i"), _halves(w, "%shifts.i", size)
    for lane, row in enumerate(rows):
        if lane % 2:
            _past(w, then[lane], row, "%shifts.i", -size)
        _past(w, one[lane], row, "%shifts.i")
        if lane % 2 == 0:
            _past(w, two[lane], row, "%shifts.i", size)
    w.line(f"%shifts.next = add i64 %shifts.i, {2 * size}")
    w.line("%shifts.more = icmp slt i64 %shifts.next, %lines")
    w.line("br i1 %shifts.more, label %shifts, label %shifts.end")
    kind = f"<{size} x {v.scalar}>"
    phis = [f"  %shifts.i = phi i64 [{2 * size}, %{before}], [%shifts.next, %shifts]"]
    phis += [f"  {then[lane]} = phi {kind} [{second[lane]}, %{before}], [{two[lane]}, %shifts]" for lane in odd]
    w.lines[start:start] = phis
    w.label("shifts.end")
    last = {lane: w.set(f"phi {kind} [{second[lane]}, %{before}], [{two[lane]}, %shifts]") for lane in odd}
    for lane in odd:
        _past(w, last[lane], rows[lane], "%lines", -size)


def _into_the_cache(w: Writer, rows: list[str], i: str) -> None:
    """Half a line of each row, and what is ahead of it is asked for."""
    v = w.vectors
    for row, numbers in zip(rows, _halves(w, i), strict=True):
        at = w.set(f"getelementptr {v.scalar}, ptr {row}, i64 {i}")
        w.line(f"store <{_half(v)} x {v.scalar}> {numbers}, ptr {at}, align {v.size}")
        ahead = w.set(f"getelementptr i8, ptr {at}, i64 {AHEAD}")
        w.line(f"call void @llvm.prefetch.p0(ptr {ahead}, i32 1, i32 3, i32 1)")


def _number(w: Writer, rows: list[str], i: str) -> None:
    v, x = w.vectors, _entry(w, i, 0)
    for lane, row in enumerate(rows):
        at = w.set(f"getelementptr {v.scalar}, ptr {row}, i64 {i}")
        w.line(f"store {v.scalar} {w.set(f'extractelement {v.real} {x}, i32 {lane}')}, ptr {at}")
