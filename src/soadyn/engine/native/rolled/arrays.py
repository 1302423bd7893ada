"""From a caller's arrays to the scratch of a rolled kernel and back, as LLVM text."""

from __future__ import annotations

from functools import partial

from soadyn.engine.native.llvm.state_loop import StateLoop
from soadyn.engine.native.llvm.turning import turn
from soadyn.engine.native.rolled.loop_writer import LoopWriter


def read_arguments(t: LoopWriter) -> None:
    """Read arguments into the scratch; a number that is not finite becomes zero, and its lane has no answer.

    Set %base to where a result is gathered: in the scratch, or of one lane in the caller's row.
    """
    w, v = t.w, t.vectors
    w.store("splat (i1 true)", "%ok", kind=v.mask)

    def take(name: str, i: str) -> None:
        vector = "poison"
        for lane, row in enumerate(t.rows[name]):
            vector = w.set(f"insertelement {v.real} {vector}, {v.scalar} {w.load(row, i, v.scalar)}, i32 {lane}")
        finite = w.finite(vector)
        w.store(w.set(f"and {v.mask} {w.load('%ok', kind=v.mask)}, {finite}"), "%ok", kind=v.mask)
        known = w.set(f"select {v.mask} {finite}, {v.real} {vector}, {v.real} zeroinitializer")
        w.store(known, "%scratch", w.plus(i, f"%f.{name}.start"))

    for name in t.inputs:
        w.loop_if_any("0", f"%f.{name}.count", partial(take, name))
    for name in t.outputs:
        base = t.rows[name][0] if v.lanes == 1 else w.at("%scratch", f"%f.{name}.start")
        w.line(f"%base.{name} = getelementptr i8, ptr {base}, i64 0")


def write_results(t: LoopWriter, loop: StateLoop) -> None:
    """Bring results into the caller's arrays, NaN in lanes that have no answer."""
    w = t.w
    for name in t.outputs if t.vectors.lanes > 1 else ():  # one lane's are there
        for lane, row in enumerate(t.rows[name]):
            w.store(row, "%rows", lane, "ptr")
        turn(w, f"%base.{name}", f"%f.{name}.count", "%rows")
    w.ok = w.load("%ok", kind=t.vectors.mask)
    loop.spoil_unanswered([f"%f.{name}.count" for name in t.outputs])
