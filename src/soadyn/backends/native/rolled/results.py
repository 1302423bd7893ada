"""From the scratch of a rolled kernel to the caller's arrays, as LLVM text."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from soadyn.backends.native.llvm.lanes import transposed
from soadyn.backends.native.result_memory import KEPT
from soadyn.backends.native.rolled.arrays import axes_of, block_rows, each_entry, rows_of
from soadyn.backends.native.rolled.loop_writer import LoopWriter

# Bytes of a result that are asked for ahead of storing there.
AHEAD = 768
PREFETCH = "declare void @llvm.prefetch.p0(ptr, i32, i32, i32)"


def choose_result_memory(t: LoopWriter, name: str) -> None:
    """Where a result is gathered: in the scratch, or for one lane in the caller's own row if its numbers are packed."""
    w = t.w
    start = w.set(f"mul i64 %f.{name}.start, {t.bytes}")
    own = w.set(f"getelementptr i8, ptr %scratch, i64 {start}")
    packed, step = "true", str(t.vectors.size)
    for axis in reversed(axes_of(t, name)):
        tight = w.set(f"icmp eq i64 %core.{name}.{axis}, {step}")
        packed = w.set(f"and i1 {packed}, {tight}")
        if axis == "column":
            step = w.set(f"mul i64 %f.{name}.columns, {step}")
        elif axis == "row" and "block" in axes_of(t, name):
            step = w.set(f"mul i64 {step}, {block_rows(t, name)}")
    w.line(f"%packed.{name} = and i1 {packed}, true")
    if t.vectors.lanes > 1:
        _choose_streaming(t, name)
    in_place = f"%packed.{name}" if t.vectors.lanes == 1 else "false"
    w.line(f"%base.{name} = select i1 {in_place}, ptr {rows_of(t, name)[0]}, ptr {own}")


def _choose_streaming(t: LoopWriter, name: str) -> None:
    """Are the results too large for the cache, and does each row start where half vectors may be stored past it?"""
    w = t.w
    row = "0"
    for each in t.outputs:
        row = w.set(f"add i64 {row}, %step.{each}")
    large = w.set(f"icmp uge i64 {w.set(f'mul i64 %states, {row}')}, {KEPT}")
    address = w.set(f"ptrtoint ptr %arg.{name} to i64")
    crooked = w.set(f"and i64 {w.set(f'or i64 {address}, %step.{name}')}, {t.bytes // 2 - 1}")
    straight = w.set(f"icmp eq i64 {crooked}, 0")
    w.line(f"%streamed.{name} = and i1 {large}, {straight}")


def write_results(t: LoopWriter) -> str:
    """Results into the caller's arrays, NaN where there is no answer; the register that says if all lanes have one."""
    ok, every = t.answered()
    for name in t.outputs:
        _give(t, name, ok, every)
    return every


def _give(t: LoopWriter, name: str, ok: str, every: str) -> None:
    """One result, as it stands in the scratch; of one lane it may be in its place already."""
    w, rows = t.w, rows_of(t, name)
    w.line(f"br i1 %packed.{name}, label %packed.{name}.rows, label %give.{name}")
    w.label(f"packed.{name}.rows")
    if t.vectors.lanes == 1:
        w.line(f"br i1 {every}, label %given.{name}, label %give.{name}")
    else:
        w.line(f"br i1 %streamed.{name}, label %stream.{name}, label %pack.{name}")
        for label, store in (("stream", _past_the_cache), ("pack", _into_the_cache)):
            w.label(f"{label}.{name}")
            _give_side_by_side(t, name, rows, ok, store)
            w.line(f"br label %given.{name}")
    w.label(f"give.{name}")
    each_entry(t, name, _giving(t, name, rows, ok))
    w.line(f"br label %given.{name}")
    w.label(f"given.{name}")


def _giving(t: LoopWriter, name: str, rows: Sequence[str], ok: str) -> Callable[[str, str], None]:
    """Stores one entry of a result, lane by lane."""
    w, v = t.w, t.vectors

    def give(index: str, distance: str) -> None:
        kept = _answered(t, name, index, ok)
        for lane, row in enumerate(rows):
            at = w.set(f"getelementptr i8, ptr {row}, i64 {distance}")
            w.line(f"store {v.scalar} {w.set(f'extractelement {v.real} {kept}, i32 {lane}')}, ptr {at}")

    return give


def _give_side_by_side(
    t: LoopWriter, name: str, rows: Sequence[str], ok: str, store: Callable[[LoopWriter, str, str], None]
) -> None:
    """Stores a result whose numbers are packed: as many entries as there are lanes at once, then the last few."""
    w, v = t.w, t.vectors
    count = w.set(f"mul i64 %f.{name}.rows, %f.{name}.columns")
    whole = w.set(f"sub i64 {count}, {w.set(f'urem i64 {count}, {v.lanes}')}")

    def block(first: str) -> None:
        entries = [_answered(t, name, w.set(f"add i64 {first}, {i}"), ok) for i in range(v.lanes)]
        for row, numbers in zip(rows, transposed(w, entries), strict=True):
            store(t, numbers, w.set(f"getelementptr {v.scalar}, ptr {row}, i64 {first}"))

    t.count("0", w.set(f"sub i64 {whole}, {v.lanes}"), v.lanes, block, "block")
    give = _giving(t, name, rows, ok)
    t.count(whole, w.set(f"sub i64 {count}, 1"), 1, lambda j: give(j, w.set(f"mul i64 {j}, {v.size}")), "rest")


def _into_the_cache(t: LoopWriter, numbers: str, at: str) -> None:
    """Stores a vector, and asks for the place of later ones ahead, for which stores would wait."""
    w, v = t.w, t.vectors
    w.line(f"store {v.real} {numbers}, ptr {at}, align {v.size}")
    ahead = w.set(f"getelementptr i8, ptr {at}, i64 {AHEAD}")
    w.line(f"call void @llvm.prefetch.p0(ptr {ahead}, i32 1, i32 3, i32 1)")


def _past_the_cache(t: LoopWriter, numbers: str, at: str) -> None:
    """Stores a vector in two halves straight to memory, which need not be read into the cache for that."""
    w, v = t.w, t.vectors
    half = v.lanes // 2
    for first in (0, half):
        taken = ", ".join(f"i32 {first + i}" for i in range(half))
        part = w.set(f"shufflevector {v.real} {numbers}, {v.real} poison, <{half} x i32> <{taken}>")
        place = w.set(f"getelementptr {v.scalar}, ptr {at}, i64 {first}")
        w.line(f"store <{half} x {v.scalar}> {part}, ptr {place}, align {t.bytes // 2}, !nontemporal !0")


def _answered(t: LoopWriter, name: str, index: str, ok: str) -> str:
    """An entry of a result in all lanes, NaN where there is no answer."""
    v = t.vectors
    x = t.load(f"%base.{name}", index)
    return t.w.set(f"select {v.mask} {ok}, {v.real} {x}, {v.real} {v.splat(float('nan'))}")
