"""From a caller's arrays to the scratch of a rolled kernel and back, as LLVM text."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial

from soadyn.engine.native.llvm.state_loop import COUNTED
from soadyn.engine.native.llvm.turning import turn
from soadyn.engine.native.rolled.loop_writer import LoopWriter


def read_arguments(t: LoopWriter) -> None:
    """Read arguments into the scratch; a number that is not finite becomes zero, and its lane comes out NaN.

    Where results go is found out as well.
    """
    w, v = t.w, t.vectors
    w.store("splat (i1 true)", "%ok", kind=v.mask)

    def take(name: str, index: str, distance: str) -> None:
        vector = "poison"
        for lane, row in enumerate(t.rows[name]):
            x = w.load(w.at(row, distance, "i8"), kind=v.scalar)
            vector = w.set(f"insertelement {v.real} {vector}, {v.scalar} {x}, i32 {lane}")
        finite = w.finite(vector)
        w.store(w.set(f"and {v.mask} {w.load('%ok', kind=v.mask)}, {finite}"), "%ok", kind=v.mask)
        known = w.set(f"select {v.mask} {finite}, {v.real} {vector}, {v.real} zeroinitializer")
        w.store(known, "%scratch", w.plus(index, f"%f.{name}.start"))

    for name in t.inputs:
        _each_entry(t, name, take)
    for name in t.outputs:
        _choose_memory(t, name)


def _choose_memory(t: LoopWriter, name: str) -> None:
    """Set %base, where a result is gathered: in the scratch, or of one lane in the caller's row if that is packed."""
    w, packed, tight = t.w, "true", str(t.vectors.size)
    for axis in reversed(t.axes[name]):
        fits = w.set(f"icmp eq i64 %core.{name}.{axis}, {tight}")
        packed, tight = w.set(f"and i1 {packed}, {fits}"), w.times(tight, f"%f.{name}.{axis}")
    w.line(f"%packed.{name} = and i1 {packed}, true")
    gathered = w.at("%scratch", f"%f.{name}.start")
    in_place = f"%packed.{name}" if t.vectors.lanes == 1 else "false"
    w.line(f"%base.{name} = select i1 {in_place}, ptr {t.rows[name][0]}, ptr {gathered}")


def write_results(t: LoopWriter) -> None:
    """Bring results into the caller's arrays, NaN in lanes that have no answer; such a pass is counted."""
    w, v = t.w, t.vectors
    ok = w.load("%ok", kind=v.mask)
    every = w.every(ok)

    def turned(name: str) -> None:
        for lane, row in enumerate(t.rows[name]):
            w.store(row, "%rows", lane, "ptr")
        turn(w, f"%base.{name}", f"%f.{name}.count", "%rows")

    def give(name: str, index: str, distance: str) -> None:
        x = w.load(f"%base.{name}", index)
        answer = w.set(f"select {v.mask} {ok}, {v.real} {x}, {v.real} {v.splat(math.nan)}")
        for lane, row in enumerate(t.rows[name]):
            one = w.set(f"extractelement {v.real} {answer}, i32 {lane}")
            w.store(one, w.at(row, distance, "i8"), kind=v.scalar)

    for name in t.outputs:
        whole = w.set(f"and i1 %packed.{name}, {every}")
        if v.lanes > 1:  # one lane's are there
            w.when(whole, partial(turned, name))
        w.when(w.set(f"xor i1 {whole}, true"), partial(_each_entry, t, name, give))
    w.when(w.set(f"xor i1 {every}, true"), lambda: w.line(f"%counted = {COUNTED}"))


def _each_entry(t: LoopWriter, name: str, body: Callable[[str, str, str], None]) -> None:
    """Write a loop over a state's entries of an array: its name, their number, and bytes from the first."""
    w = t.w

    def nested(axes: Sequence[str], index: str, distance: str) -> None:
        if not axes:
            body(name, index, distance)
            return
        axis, *further = axes

        def entry(i: str) -> None:
            jump = w.times(i, f"%core.{name}.{axis}")
            nested(further, t.entry(index, i, f"%f.{name}.{axis}"), w.plus(distance, jump))

        w.loop_if_any("0", f"%f.{name}.{axis}", entry)

    nested(t.axes[name], "0", "0")
