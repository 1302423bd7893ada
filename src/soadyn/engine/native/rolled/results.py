"""From the scratch of a rolled kernel to the caller's arrays, as LLVM text."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from soadyn.engine.native.llvm.turning import turn
from soadyn.engine.native.rolled.arrays import axes_of, block_rows, each_entry, rows_of
from soadyn.engine.native.rolled.loop_writer import LoopWriter


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
    in_place = f"%packed.{name}" if t.vectors.lanes == 1 else "false"
    w.line(f"%base.{name} = select i1 {in_place}, ptr {rows_of(t, name)[0]}, ptr {own}")


def write_results(t: LoopWriter) -> str:
    """Results into the caller's arrays, NaN where there is no answer; the register that says if all lanes have one."""
    w = t.w
    ok, every = t.answered()
    for name in t.outputs:
        rows = rows_of(t, name)
        w.line(f"br i1 %packed.{name}, label %packed.{name}.rows, label %give.{name}")
        w.label(f"packed.{name}.rows")
        if t.vectors.lanes == 1:
            w.line(f"br i1 {every}, label %given.{name}, label %give.{name}")
        else:
            for lane, row in enumerate(rows):
                w.line(f"store ptr {row}, ptr {w.set(f'getelementptr ptr, ptr %rows, i64 {lane}')}")
            count = w.set(f"mul i64 %f.{name}.rows, %f.{name}.columns")
            turn(w, f"%base.{name}", count, "%rows")
            _spoil(t, name, rows, ok, every)
        w.label(f"give.{name}")
        each_entry(t, name, _giving(t, name, rows, ok))
        w.line(f"br label %given.{name}")
        w.label(f"given.{name}")
    return every


def _spoil(t: LoopWriter, name: str, rows: Sequence[str], ok: str, every: str) -> None:
    """NaN in packed rows of lanes without an answer."""
    w, v = t.w, t.vectors
    w.line(f"br i1 {every}, label %given.{name}, label %spoil.{name}")
    w.label(f"spoil.{name}")
    count = w.set(f"mul i64 %f.{name}.rows, %f.{name}.columns")
    for lane, row in enumerate(rows):
        answered = w.set(f"extractelement {v.mask} {ok}, i32 {lane}")
        last = w.set(f"sub i64 {w.set(f'select i1 {answered}, i64 0, i64 {count}')}, 1")

        def spoil(j: str, row: str = row) -> None:
            at = w.set(f"getelementptr {v.scalar}, ptr {row}, i64 {j}")
            w.line(f"store {v.scalar} {v.literal(math.nan)}, ptr {at}")

        t.count("0", last, 1, spoil, "spoil")
    w.line(f"br label %given.{name}")


def _giving(t: LoopWriter, name: str, rows: Sequence[str], ok: str) -> Callable[[str, str], None]:
    """Stores one entry of a result, lane by lane."""
    w, v = t.w, t.vectors

    def give(index: str, distance: str) -> None:
        kept = _answered(t, name, index, ok)
        for lane, row in enumerate(rows):
            at = w.set(f"getelementptr i8, ptr {row}, i64 {distance}")
            w.line(f"store {v.scalar} {w.set(f'extractelement {v.real} {kept}, i32 {lane}')}, ptr {at}")

    return give


def _answered(t: LoopWriter, name: str, index: str, ok: str) -> str:
    """An entry of a result in all lanes, NaN where there is no answer."""
    v = t.vectors
    x = t.load(f"%base.{name}", index)
    return t.w.set(f"select {v.mask} {ok}, {v.real} {x}, {v.real} {v.splat(math.nan)}")
