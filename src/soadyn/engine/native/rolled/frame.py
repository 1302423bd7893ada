"""What stands around the loops of a rolled kernel, as LLVM text: its robot's table, its memory, arguments, results."""

from __future__ import annotations

from functools import partial

from soadyn.engine.loops.plan import ClimbLoop
from soadyn.engine.loops.step import LoopStep
from soadyn.engine.native.llvm.state_loop import StateLoop
from soadyn.engine.native.llvm.turning import turn
from soadyn.engine.native.rolled.addresses import LinkValues
from soadyn.engine.native.rolled.loop_writer import LoopWriter
from soadyn.engine.native.rolled.robot_table import ADDRESSES, FIRST_FIELD, NUMBERS, PORT_FIELDS
from soadyn.programs.sweep.inputs import is_frame
from soadyn.programs.sweep.program import Layout

# Layouts of results of which the loops do not write every entry: the same ones in every pass, or add to it.
SPARSE: tuple[Layout, ...] = ("blocks", "matrix", "symmetric", "pairs")
ADDED_TO: tuple[Layout, ...] = ("sum", "solved")
SUPPORT = ("declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)", "declare i64 @llvm.smin.i64(i64, i64)")


def enter(t: LoopWriter) -> StateLoop:
    """Start the function: the robot's table and memory."""
    w, names, real = t.w, (*t.inputs, *t.outputs), t.vectors.real
    fields = [*NUMBERS, *ADDRESSES, *(f"{name}.{field}" for name in names for field in PORT_FIELDS)]
    for i, field in enumerate(fields, start=FIRST_FIELD):
        w.line(f"%f.{field} = load {'ptr' if field in ADDRESSES else 'i64'}, ptr {w.at('%data', i, 'i64')}")
    w.line("%beyond = add i64 %f.n, 1")
    tallest = max((part.height for part in t.plan.parts if isinstance(part, ClimbLoop)), default=0)
    rooms = {"%ok": t.vectors.mask, "%rows": f"[{t.vectors.lanes} x ptr]", "%width": "i64"}
    return StateLoop(w, len(names), "%f.scratch", {**rooms, "%rising": f"[{tallest} x {real}]"})


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


def prepare(t: LoopWriter, state: str) -> None:
    """Write what the loops find: what the ground shares, links that carry frames, zeros where no step writes.

    `state` is the number of the block's first state.
    """
    w = t.w
    perform_once(t, t.plan.ground)
    for port in t.inputs:
        if t.plan.needs.get(port) and is_frame(port):
            link = w.set(f"fptosi {t.vectors.scalar} {w.load(t.rows[port][0], kind=t.vectors.scalar)} to i64")
            w.line(f"%at_{port} = getelementptr {t.vectors.real}, ptr %scratch, i64 {t.entry_of('block', link)}")
    for slot in range(t.layout.sizes.sums):
        t.zero(w.plus("%f.zeros", slot))
    for name, output in zip(t.outputs, t.plan.program.outputs, strict=True):
        if output.layout in (*SPARSE, *ADDED_TO):
            # Where a result is gathered in the scratch, gaps of the pass before are still zero.
            stays = output.layout in SPARSE and t.vectors.lanes > 1
            size = w.times(f"%f.{name}.count", w.vector_bytes)
            gaps = w.set(f"select i1 {w.set(f'icmp eq i64 {state}, 0')}, i64 {size}, i64 0") if stays else size
            w.line(f"call void @llvm.memset.p0.i64(ptr %base.{name}, i8 0, i64 {gaps}, i1 false)")


def write_results(t: LoopWriter, loop: StateLoop) -> None:
    """Bring results into the caller's arrays, NaN in lanes that have no answer."""
    w = t.w
    for name in t.outputs if t.vectors.lanes > 1 else ():  # one lane's are there
        for lane, row in enumerate(t.rows[name]):
            w.store(row, "%rows", lane, "ptr")
        turn(w, f"%base.{name}", f"%f.{name}.count", "%rows")
    w.ok = w.load("%ok", kind=t.vectors.mask)
    loop.spoil_unanswered([f"%f.{name}.count" for name in t.outputs])


def perform_once(t: LoopWriter, step: LoopStep) -> None:
    """Perform a step at the ground."""
    ground = LinkValues(t, "0")
    t.perform(step, ground.reader(0), ground.writer(0, ""))
