"""The frame of a rolled kernel, as LLVM text: its memory, its robot's table, and the loop over blocks of states."""

from __future__ import annotations

from soadyn.engine.loops.plan import ClimbLoop
from soadyn.engine.loops.step import LoopStep
from soadyn.engine.native.llvm.scratch import HEAP, NO_MEMORY, ON_STACK
from soadyn.engine.native.rolled.addresses import LinkValues
from soadyn.engine.native.rolled.arrays import choose_result_memory
from soadyn.engine.native.rolled.loop_writer import LoopWriter
from soadyn.engine.native.rolled.robot_table import ADDRESSES, NUMBERS, PORT_FIELDS
from soadyn.programs.sweep.inputs import is_frame
from soadyn.programs.sweep.program import Layout

# Layouts of results of which the loops do not write every entry: the same ones in every pass, or add to it.
SPARSE: tuple[Layout, ...] = ("blocks", "matrix", "symmetric", "pairs")
ADDED_TO: tuple[Layout, ...] = ("sum", "solved")
SUPPORT = ("declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)", "declare i64 @llvm.smin.i64(i64, i64)", *HEAP)


def enter(t: LoopWriter) -> None:
    """Start the function: its memory, and the registers that all passes read."""
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
    _load_fields(t)
    _allocate_scratch(t)
    w.line(f"%idle = or i1 %refused, {w.set('icmp sle i64 %states, 0')}")
    w.line("br i1 %idle, label %exit, label %block")


def _load_fields(t: LoopWriter) -> None:
    """Load the robot's table, and the addresses and steps of the arrays."""
    names = (*t.inputs, *t.outputs)
    fields = [*NUMBERS, *ADDRESSES, *(f"{name}.{field}" for name in names for field in PORT_FIELDS)]
    for i, field in enumerate(fields):
        _load(t, f"f.{field}", "ptr" if field in ADDRESSES else "i64", "data", i)
    for a, name in enumerate(names):
        _load(t, f"arg.{name}", "ptr", "args", a)
        _load(t, f"step.{name}", "i64", "steps", a)
    core = [f"core.{name}.{axis}" for name in names for axis in t.axes[name]]
    for place, register in enumerate(core, start=len(names)):
        _load(t, register, "i64", "steps", place)


def _load(t: LoopWriter, register: str, kind: str, array: str, i: int) -> None:
    t.w.line(f"%{register}.at = getelementptr i64, ptr %{array}, i64 {i}")
    t.w.line(f"%{register} = load {kind}, ptr %{register}.at")


def _allocate_scratch(t: LoopWriter) -> None:
    """Set %scratch, and %refused: there is no memory, which is counted."""
    w = t.w
    w.line(f"%size = mul i64 %f.scratch, {t.bytes}")
    w.line(f"%small = icmp sle i64 %size, {ON_STACK}")
    w.line("br i1 %small, label %entered, label %allocate")
    w.label("allocate")
    w.line(f"%heap = call ptr @malloc(i64 {t.plus('%size', t.bytes)})")
    w.line("%null = icmp eq ptr %heap, null")
    w.line(f"%told = select i1 %null, i64 {NO_MEMORY}, i64 0")
    w.line("%untold = atomicrmw add ptr %data, i64 %told monotonic")
    past = w.set(f"ptrtoint ptr {w.set(f'getelementptr i8, ptr %heap, i64 {t.bytes}')} to i64")
    w.line(f"%on_heap = inttoptr i64 {w.set(f'and i64 {past}, {-t.bytes}')} to ptr")
    w.line("br label %entered")
    w.label("entered")
    w.line("%scratch = phi ptr [%stack, %entry], [%on_heap, %allocate]")
    w.line("%to_free = phi ptr [null, %entry], [%heap, %allocate]")
    w.line("%refused = phi i1 [false, %entry], [%null, %allocate]")


def begin_block(t: LoopWriter) -> None:
    """Start a pass: each lane has a state, lanes beyond the last one have it again."""
    w, v = t.w, t.vectors
    w.label("block")
    w.line("%i = phi i64 [0, %entered], [%i.next, %block.end]")
    w.line(f"store {v.mask} splat (i1 true), ptr %ok")
    for lane in range(v.lanes):
        w.line(f"%state{lane} = call i64 @llvm.smin.i64(i64 {t.plus('%i', lane)}, i64 %last)")
    for name in t.outputs:
        choose_result_memory(t, name)


def prepare(t: LoopWriter) -> None:
    """Write what the loops find: what the ground shares, links that carry frames, zeros where no step writes."""
    w = t.w
    perform_once(t, t.plan.ground)
    for port in t.inputs:
        if t.plan.needs.get(port) and is_frame(port):
            first = w.set(f"load {t.vectors.scalar}, ptr %arg.{port}")
            link = w.set(f"fptosi {t.vectors.scalar} {first} to i64")
            start = t.times(t.entry_of("share", link), t.bytes)
            w.line(f"%at_{port} = getelementptr i8, ptr %scratch, i64 {start}")
    for slot in range(t.layout.sizes.sums):
        t.zero(t.plus("%f.zeros", slot))
    for name, output in zip(t.outputs, t.plan.program.outputs, strict=True):
        if output.layout in (*SPARSE, *ADDED_TO):
            # Where a result is gathered in the scratch, gaps of the pass before are still zero.
            stays = output.layout in SPARSE and t.vectors.lanes > 1
            size = t.times(f"%f.{name}.count", t.bytes)
            gaps = w.set(f"select i1 {w.set('icmp eq i64 %i, 0')}, i64 {size}, i64 0") if stays else size
            w.line(f"call void @llvm.memset.p0.i64(ptr %base.{name}, i8 0, i64 {gaps}, i1 false)")


def perform_once(t: LoopWriter, step: LoopStep) -> None:
    """Perform a step at the ground."""
    ground = LinkValues(t, "0")
    t.perform(step, ground.reader(0), ground.writer(0, ""))


def end_block(t: LoopWriter, every: str) -> None:
    """End a pass, which is counted as bad unless `every` lane has an answer, and the function."""
    w = t.w
    bad = w.set(f"xor i1 {every}, true")
    t.when(bad, lambda: w.line("%counted = atomicrmw add ptr %data, i64 1 monotonic"), "bad")
    w.line("br label %block.end")
    w.label("block.end")
    w.line(f"%i.next = add i64 %i, {t.vectors.lanes}")
    w.line("%more = icmp slt i64 %i.next, %states")
    w.line("br i1 %more, label %block, label %exit")
    w.label("exit")
    w.line("call void @free(ptr %to_free)")
    w.line("ret void")
