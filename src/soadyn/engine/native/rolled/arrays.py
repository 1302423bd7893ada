"""From a caller's arrays to the scratch of a rolled kernel and back, as LLVM text."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from soadyn.engine.native.llvm.turning import turn
from soadyn.engine.native.rolled.loop_writer import LoopWriter


def read_arguments(t: LoopWriter) -> None:
    """Read arguments into the scratch; a number that is not finite becomes zero, and its lane comes out NaN."""
    w, v = t.w, t.vectors
    T, mask = v.real, v.mask
    for name in t.inputs:
        rows = _rows_of(t, name)

        def take(index: str, distance: str, rows: list[str] = rows, name: str = name) -> None:
            vector = "poison"
            for lane, row in enumerate(rows):
                at = w.set(f"getelementptr i8, ptr {row}, i64 {distance}")
                x = w.set(f"load {v.scalar}, ptr {at}")
                vector = w.set(f"insertelement {T} {vector}, {v.scalar} {x}, i32 {lane}")
            size = w.set(f"call {T} @llvm.fabs.{v.suffix}({T} {vector})")
            finite = w.set(f"fcmp olt {T} {size}, {v.splat(float('inf'))}")
            so_far = w.set(f"load {mask}, ptr %ok")
            w.line(f"store {mask} {w.set(f'and {mask} {so_far}, {finite}')}, ptr %ok")
            known = w.set(f"select {mask} {finite}, {T} {vector}, {T} zeroinitializer")
            t.store(known, "%scratch", t.plus(index, f"%f.{name}.start"))

        _each_entry(t, name, take)


def choose_result_memory(t: LoopWriter, name: str) -> None:
    """Set %base, where a result is gathered: in the scratch, or of one lane in the caller's row if that is packed."""
    w, packed, tight = t.w, "true", str(t.vectors.size)
    for axis in reversed(t.axes[name]):
        fits = w.set(f"icmp eq i64 %core.{name}.{axis}, {tight}")
        packed, tight = w.set(f"and i1 {packed}, {fits}"), t.times(tight, f"%f.{name}.{axis}")
    w.line(f"%packed.{name} = and i1 {packed}, true")
    gathered = t.at("%scratch", f"%f.{name}.start")
    in_place = f"%packed.{name}" if t.vectors.lanes == 1 else "false"
    w.line(f"%base.{name} = select i1 {in_place}, ptr {_rows_of(t, name)[0]}, ptr {gathered}")


def write_results(t: LoopWriter) -> str:
    """The register that says if all lanes have an answer; results are in the caller's arrays, NaN in other lanes."""
    w = t.w
    ok, every = t.answered()
    for name in t.outputs:
        rows = _rows_of(t, name)
        whole = w.set(f"and i1 %packed.{name}, {every}")
        w.line(f"br i1 {whole}, label %packed.{name}.rows, label %give.{name}")
        w.label(f"packed.{name}.rows")
        if t.vectors.lanes > 1:  # one lane's are there
            for lane, row in enumerate(rows):
                w.line(f"store ptr {row}, ptr {w.set(f'getelementptr ptr, ptr %rows, i64 {lane}')}")
            turn(w, f"%base.{name}", f"%f.{name}.count", "%rows")
        w.line(f"br label %given.{name}")
        w.label(f"give.{name}")
        _each_entry(t, name, _giving(t, name, rows, ok))
        w.line(f"br label %given.{name}")
        w.label(f"given.{name}")
    return every


def _giving(t: LoopWriter, name: str, rows: Sequence[str], ok: str) -> Callable[[str, str], None]:
    """Stores one entry of a result, lane by lane."""
    w, v = t.w, t.vectors

    def give(index: str, distance: str) -> None:
        x = t.load(f"%base.{name}", index)
        answer = w.set(f"select {v.mask} {ok}, {v.real} {x}, {v.real} {v.splat(math.nan)}")
        for lane, row in enumerate(rows):
            at = w.set(f"getelementptr i8, ptr {row}, i64 {distance}")
            w.line(f"store {v.scalar} {w.set(f'extractelement {v.real} {answer}, i32 {lane}')}, ptr {at}")

    return give


def _rows_of(t: LoopWriter, name: str) -> list[str]:
    """The address of each lane's part of an array."""
    jumps = [t.times(f"%state{lane}", f"%step.{name}") for lane in range(t.vectors.lanes)]
    return [t.w.set(f"getelementptr i8, ptr %arg.{name}, i64 {jump}") for jump in jumps]


def _each_entry(t: LoopWriter, name: str, body: Callable[[str, str], None]) -> None:
    """Write a loop over a state's entries of an array: their number, and their distance from the first in bytes."""

    def nested(axes: Sequence[str], index: str, distance: str) -> None:
        if not axes:
            body(index, distance)
            return
        axis, *further = axes

        def entry(i: str) -> None:
            jump = t.times(i, f"%core.{name}.{axis}")
            nested(further, t.entry(index, i, f"%f.{name}.{axis}"), t.plus(distance, jump))

        t.count("0", t.minus(f"%f.{name}.{axis}", 1), 1, entry, axis)

    nested(t.axes[name], "0", "0")
