"""What surrounds the loops of a rolled kernel, as LLVM text: memory, arguments in, results out."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from soadyn.backends.native.rolled.loops import Loops
from soadyn.backends.native.rolled.scratch import FIELDS, PORT_FIELDS
from soadyn.backends.plan.step import Step
from soadyn.sweep.program import FRAMES, share_of
from soadyn.tracing.values import array_of, scalars

# What the counter of bad passes grows by when no scratch could be had; results are then not written.
NO_MEMORY = 1 << 40
# Scratch up to this many bytes lies on the stack, which costs nothing; larger scratch on the heap.
ON_STACK = 48 * 1024
# Layouts whose results do not touch every entry.
SPARSE = ("sum", "blocks", "matrix", "symmetric")


def entry(t: Loops) -> None:
    w, v = t.w, t.vectors
    w.lines += ["entry:", *w.entry_allocations()]
    w.line(f"%stack = alloca i8, i64 {ON_STACK}, align {max(t.bytes, 16)}")
    w.line(f"%ok = alloca {v.mask}")
    w.line("%width = alloca i64")
    w.line("%climber = alloca i64")
    w.line("%states = load i64, ptr %dims")
    w.line("%last = sub i64 %states, 1")
    outputs = t.outputs
    fields = [*FIELDS, *(f"{port}.{f}" for port in (*t.inputs, *outputs) for f in PORT_FIELDS)]
    pointers = FIELDS[FIELDS.index("kinds") :]
    for i, field in enumerate(fields):
        w.line(f"%at.{field} = getelementptr i64, ptr %data, i64 {i}")
        kind = "ptr" if field in pointers else "i64"
        if field != "counter":
            w.line(f"%f.{field} = load {kind}, ptr %at.{field}")
    place = len(t.inputs) + len(outputs)
    for a, name in enumerate((*t.inputs, *outputs)):
        w.line(f"%arg.{name}.at = getelementptr ptr, ptr %args, i64 {a}")
        w.line(f"%arg.{name} = load ptr, ptr %arg.{name}.at")
        w.line(f"%step.{name}.at = getelementptr i64, ptr %steps, i64 {a}")
        w.line(f"%step.{name} = load i64, ptr %step.{name}.at")
        # Core steps of one axis or two; a single axis is a matrix of one row.
        for axis in _axes(t, name):
            w.line(f"%core.{name}.{axis}.at = getelementptr i64, ptr %steps, i64 {place}")
            w.line(f"%core.{name}.{axis} = load i64, ptr %core.{name}.{axis}.at")
            place += 1
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
    w.line("%none = icmp sle i64 %states, 0")
    w.line("br i1 %none, label %exit, label %block")
    w.label("block")
    w.line("%i = phi i64 [0, %entered], [%i.next, %block.end]")
    w.line(f"store {v.mask} splat (i1 true), ptr %ok")
    for lane in range(v.lanes):
        w.line(f"%state{lane}.raw = add i64 %i, {lane}")
        w.line(f"%state{lane}.fits = icmp slt i64 %state{lane}.raw, %last")
        w.line(f"%state{lane} = select i1 %state{lane}.fits, i64 %state{lane}.raw, i64 %last")
    for name in t.outputs:
        _result_base(t, name)


def _result_base(t: Loops, name: str) -> None:
    """Where a result is gathered: in the scratch, or for a single lane in the caller's row itself if it is packed."""
    w = t.w
    start = w.set(f"mul i64 %f.{name}.start, {t.bytes}")
    own = w.set(f"getelementptr i8, ptr %scratch, i64 {start}")
    packed = "false"
    if t.vectors.lanes == 1:
        packed, step = "true", str(t.vectors.size)
        for axis in reversed(_axes(t, name)):
            tight = w.set(f"icmp eq i64 %core.{name}.{axis}, {step}")
            packed = w.set(f"and i1 {packed}, {tight}")
            # A row holds the result's columns; a block is a pose of four rows.
            step = w.set(f"mul i64 %f.{name}.columns, {step}") if axis == "column" else w.set(f"mul i64 {step}, 4")
    w.line(f"%packed.{name} = and i1 {packed}, true")
    (row,) = _rows_of(t, name)[:1]
    w.line(f"%base.{name} = select i1 %packed.{name}, ptr {row}, ptr {own}")


def _axes(t: Loops, name: str) -> tuple[str, ...]:
    if name.startswith("out"):
        return ("block", "row", "column")[3 - t.ranks[int(name[3:])] :]
    return ("row", "column") if share_of(name) == "wrench" else ("column",)


def _rows_of(t: Loops, name: str) -> list[str]:
    """Each lane's row of an argument."""
    rows = []
    for lane in range(t.vectors.lanes):
        jump = t.w.set(f"mul i64 %state{lane}, %step.{name}")
        rows.append(t.w.set(f"getelementptr i8, ptr %arg.{name}, i64 {jump}"))
    return rows


def _each_entry(t: Loops, name: str, body: Callable[[str, str], None]) -> None:
    """A loop over an argument's entries: their number, and their distance from the row's start in bytes."""
    w, axes = t.w, _axes(t, name)

    def entry(r: str, c: str) -> None:
        index = w.set(f"add i64 {w.set(f'mul i64 {r}, %f.{name}.columns')}, {c}")
        distance = "0"
        if "row" in axes:
            row = w.set(f"urem i64 {r}, 4") if "block" in axes else r
            distance = w.set(f"mul i64 {row}, %core.{name}.row")
        if "block" in axes:
            block = w.set(f"mul i64 {w.set(f'udiv i64 {r}, 4')}, %core.{name}.block")
            distance = w.set(f"add i64 {distance}, {block}")
        if "column" in axes:
            distance = w.set(f"add i64 {distance}, {w.set(f'mul i64 {c}, %core.{name}.column')}")
        body(index, distance)

    rows = w.set(f"sub i64 %f.{name}.rows, 1")
    columns = w.set(f"sub i64 %f.{name}.columns, 1")
    t.count("0", rows, 1, lambda r: t.count("0", columns, 1, lambda c: entry(r, c), "column"), "row")


def read_arguments(t: Loops) -> None:
    """Arguments into the scratch; lanes with a number that is not finite compute on zeros and come out NaN."""
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
            t.store(vector, "%scratch", w.set(f"add i64 {index}, %f.{name}.start"))

        _each_entry(t, name, take)
    ok = w.set(f"load {mask}, ptr %ok")
    every = w.set(f"call i1 @llvm.vector.reduce.and.v{v.lanes}i1({mask} {ok})")
    w.line(f"br i1 {every}, label %finite, label %clean")
    w.label("clean")

    def clean(j: str) -> None:
        x = t.load("%scratch", j)
        t.store(w.set(f"select {mask} {ok}, {T} {x}, {T} zeroinitializer"), "%scratch", j)

    t.count("0", w.set("sub i64 %f.unit, 1"), 1, clean, "clean")
    w.line("br label %finite")
    w.label("finite")


def prepare(t: Loops) -> None:
    """What the ground shares, zeros where results leave gaps, and the places of frames."""
    w = t.w
    start = w.set(f"mul i64 {t.entry_of('block', '0')}, {t.bytes}")
    w.line(f"%ground = getelementptr i8, ptr %scratch, i64 {start}")
    gravity = [t.spread(w.set(f"getelementptr {t.vectors.scalar}, ptr %f.gravity, i64 {i}")) for i in range(3)]
    for name, ground in t.plan.grounds.items():
        wanted = {i: slot for (shared, i), slot in t.slots.share.items() if shared == name}
        if wanted:
            _ground_value(t, ground, wanted, gravity)
    for port in FRAMES:
        if port in t.inputs:
            first = w.set(f"load {t.vectors.scalar}, ptr %arg.{port}")
            link = w.set(f"fptosi {t.vectors.scalar} {first} to i64")
            start = w.set(f"mul i64 {t.entry_of('block', link)}, {t.bytes}")
            w.line(f"%at_{port} = getelementptr i8, ptr %scratch, i64 {start}")
    for i, output in enumerate(t.plan.program.outputs):
        if output.layout in SPARSE:
            count = w.set(f"mul i64 %f.out{i}.rows, %f.out{i}.columns")
            clear = partial(t.store, "zeroinitializer", f"%base.out{i}")
            t.count("0", w.set(f"sub i64 {count}, 1"), 1, clear, "zero")


def _ground_value(t: Loops, ground: Callable[..., object], wanted: dict[int, int], gravity: list[str]) -> None:
    step = _ground_step(ground)
    registers = {scalar.node: gravity[i] for (_, _, i), scalar in step.inputs.items()}
    chosen = [step.results["share", "ground", i] for i in wanted]
    for slot, register in zip(wanted.values(), t.w.operations(step.graph, chosen, registers), strict=True):
        t.store(register, "%ground", slot)


def write_results(t: Loops) -> None:
    w, v = t.w, t.vectors
    ok = w.set(f"load {v.mask}, ptr %ok")
    every = w.set(f"call i1 @llvm.vector.reduce.and.v{v.lanes}i1({v.mask} {ok})")
    for name in t.outputs:
        rows = _rows_of(t, name)
        there = w.set(f"and i1 %packed.{name}, {every}")
        w.line(f"br i1 {there}, label %given.{name}, label %give.{name}")
        w.label(f"give.{name}")

        def give(index: str, distance: str, rows: list[str] = rows, name: str = name) -> None:
            x = t.load(f"%base.{name}", index)
            kept = w.set(f"select {v.mask} {ok}, {v.real} {x}, {v.real} {v.splat(float('nan'))}")
            for lane, row in enumerate(rows):
                at = w.set(f"getelementptr i8, ptr {row}, i64 {distance}")
                w.line(f"store {v.scalar} {w.set(f'extractelement {v.real} {kept}, i32 {lane}')}, ptr {at}")

        _each_entry(t, name, give)
        w.line(f"br label %given.{name}")
        w.label(f"given.{name}")
    w.line(f"br i1 {every}, label %block.end, label %bad")
    w.label("bad")
    w.line("%counted = atomicrmw add ptr %data, i64 1 monotonic")
    w.line("br label %block.end")
    w.label("block.end")
    w.line(f"%i.next = add i64 %i, {v.lanes}")
    w.line("%more = icmp slt i64 %i.next, %states")
    w.line("br i1 %more, label %block, label %exit")
    w.label("exit")
    w.line("call void @free(ptr %to_free)")
    w.line("ret void")


def _ground_step(ground: Callable[..., object]) -> Step:
    """What the ground shares, as a step whose inputs are gravity's components."""
    step = Step()
    gravity = array_of(step.read_all("whole", "gravity", 3), (3, 1))
    for i, scalar in enumerate(scalars(ground(gravity))):
        step.results["share", "ground", i] = scalar
    return step
