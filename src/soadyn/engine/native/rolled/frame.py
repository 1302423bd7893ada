"""The frame of a rolled kernel, as LLVM text: its memory, its robot's table, and the loop over blocks of states."""

from __future__ import annotations

from soadyn.engine.loops.plan import ClimbLoop
from soadyn.engine.native.llvm.scratch import NO_MEMORY, ON_STACK
from soadyn.engine.native.rolled.arrays import choose_result_memory
from soadyn.engine.native.rolled.loop_writer import LoopWriter
from soadyn.engine.native.rolled.robot_table import ADDRESSES, NUMBERS, PORT_FIELDS


def enter(t: LoopWriter) -> None:
    """The start of the function: the fields of the table, addresses and steps of the arrays, and the scratch."""
    w = t.w
    w.lines += ["entry:", *w.entry_allocations()]
    w.line(f"%stack = alloca i8, i64 {ON_STACK}, align {max(t.bytes, 16)}")
    w.line(f"%ok = alloca {t.vectors.mask}")
    w.line(f"%rows = alloca ptr, i64 {t.vectors.lanes}")
    w.line("%width = alloca i64")
    tallest = max((part.height for part in t.plan.parts if isinstance(part, ClimbLoop)), default=0)
    w.line(f"%rising = alloca [{tallest * t.bytes} x i8], align {max(t.bytes, 16)}")
    w.line("%states = load i64, ptr %dims")
    w.line("%last = sub i64 %states, 1")
    _load_table(t)
    _load_arrays(t)
    _allocate_scratch(t)
    w.line("%none = icmp sle i64 %states, 0")
    w.line("br i1 %none, label %exit, label %block")


def _load_table(t: LoopWriter) -> None:
    w = t.w
    fields = [*NUMBERS, *ADDRESSES, *(f"{port}.{field}" for port in (*t.inputs, *t.outputs) for field in PORT_FIELDS)]
    for i, field in enumerate(fields):
        w.line(f"%at.{field} = getelementptr i64, ptr %data, i64 {i}")
        if field != "counter":
            w.line(f"%f.{field} = load {'ptr' if field in ADDRESSES else 'i64'}, ptr %at.{field}")


def _load_arrays(t: LoopWriter) -> None:
    w, names = t.w, (*t.inputs, *t.outputs)
    place = len(names)
    for a, name in enumerate(names):
        w.line(f"%arg.{name}.at = getelementptr ptr, ptr %args, i64 {a}")
        w.line(f"%arg.{name} = load ptr, ptr %arg.{name}.at")
        w.line(f"%step.{name}.at = getelementptr i64, ptr %steps, i64 {a}")
        w.line(f"%step.{name} = load i64, ptr %step.{name}.at")
        for axis in t.axes_of(name):
            w.line(f"%core.{name}.{axis}.at = getelementptr i64, ptr %steps, i64 {place}")
            w.line(f"%core.{name}.{axis} = load i64, ptr %core.{name}.{axis}.at")
            place += 1


def _allocate_scratch(t: LoopWriter) -> None:
    w = t.w
    w.line(f"%size = mul i64 %f.scratch, {t.bytes}")
    w.line(f"%small = icmp sle i64 %size, {ON_STACK}")
    w.line("br i1 %small, label %entered, label %allocate")
    w.label("allocate")
    room = w.set(f"add i64 %size, {t.bytes}")
    w.line(f"%heap = call ptr @malloc(i64 {room})")
    w.line("%refused = icmp eq ptr %heap, null")
    w.line("br i1 %refused, label %no_memory, label %allocated")
    w.label("no_memory")
    w.line(f"%told = atomicrmw add ptr %data, i64 {NO_MEMORY} monotonic")
    w.line("ret void")
    w.label("allocated")
    past = w.set(f"getelementptr i8, ptr %heap, i64 {t.bytes}")
    address = w.set(f"ptrtoint ptr {past} to i64")
    aligned = w.set(f"and i64 {address}, {-t.bytes}")
    w.line(f"%on_heap = inttoptr i64 {aligned} to ptr")
    w.line("br label %entered")
    w.label("entered")
    w.line("%scratch = phi ptr [%stack, %entry], [%on_heap, %allocated]")
    w.line("%to_free = phi ptr [null, %entry], [%heap, %allocated]")


def begin_block(t: LoopWriter) -> None:
    """The start of a pass: each lane's state, the last one again in lanes beyond it."""
    w, v = t.w, t.vectors
    w.label("block")
    w.line("%i = phi i64 [0, %entered], [%i.next, %block.end]")
    w.line(f"store {v.mask} splat (i1 true), ptr %ok")
    for lane in range(v.lanes):
        w.line(f"%state{lane}.raw = add i64 %i, {lane}")
        w.line(f"%state{lane}.fits = icmp slt i64 %state{lane}.raw, %last")
        w.line(f"%state{lane} = select i1 %state{lane}.fits, i64 %state{lane}.raw, i64 %last")
    for name in t.outputs:
        choose_result_memory(t, name)


def end_block(t: LoopWriter, every: str) -> None:
    """The end of a pass, counted as bad unless `every` lane has an answer, and of the function."""
    w = t.w
    w.line(f"br i1 {every}, label %block.end, label %bad")
    w.label("bad")
    w.line("%counted = atomicrmw add ptr %data, i64 1 monotonic")
    w.line("br label %block.end")
    w.label("block.end")
    w.line(f"%i.next = add i64 %i, {t.vectors.lanes}")
    w.line("%more = icmp slt i64 %i.next, %states")
    w.line("br i1 %more, label %block, label %exit")
    w.label("exit")
    w.line("call void @free(ptr %to_free)")
    w.line("ret void")
