"""Kernels that give some entries of another kernel's results, as contiguous arrays of their own.

Programs of robots with passive joints compute whole matrices, of which a quantity's results are columns or blocks. The
other kernel writes a few states' matrices into memory that stays in the cache; from there their entries are stored
where the caller wants them. What depends on the passive set is in a table, so one piece of machine code serves all.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import final

import numpy as np

from soadyn.backends.native.kernel import Kernel
from soadyn.backends.native.llvm.code_cache import compiled
from soadyn.backends.native.llvm.machine_code import Loaded
from soadyn.backends.native.llvm.module import ARGUMENTS
from soadyn.backends.native.llvm.processor import processor
from soadyn.backends.native.llvm.scratch import HEAP, NO_MEMORY
from soadyn.backends.native.llvm.turning import LINE
from soadyn.backends.native.rolled.table import Table
from soadyn.backends.passive_set import Part, part_ports

# Bytes of whole results that are kept at a time, unless these many states' are more; they fill the lanes of any kernel.
IN_CACHE = 64 * 1024
STATES = 16


@final
@dataclass(frozen=True, slots=True)
class _Form:
    """What the code depends on: the axes of each argument, of each output, and of each part, and the parts' outputs."""

    inputs: tuple[int, ...]
    outputs: tuple[int, ...]
    parts: tuple[int, ...]
    sources: tuple[int, ...]


def picked_kernel(kernel: Kernel, parts: Sequence[Part]) -> Kernel:
    """The kernel in double precision whose results are parts of another's."""
    form = _Form(
        tuple(len(port.shape) for port in kernel.inputs),
        tuple(len(port.shape) for port in kernel.outputs),
        tuple(part.entries.ndim for part in parts),
        tuple(part.output for part in parts),
    )
    sizes = [8 * port.count for port in kernel.outputs]
    block = max(1, IN_CACHE // sum(sizes) // STATES) * STATES
    arrays = {f"entries {m}": part.entries.astype(np.int64, order="C") for m, part in enumerate(parts)}
    arrays["signs"] = np.array([part.sign for part in parts])
    core = [step for port in kernel.outputs for step in np.empty(port.shape).strides]
    fields = [0, kernel.address, ctypes.addressof(kernel.counter), block, sum(sizes), *sizes, *core]
    for m, part in enumerate(parts):
        columns = part.entries.shape[-1]
        fields += [arrays[f"entries {m}"].ctypes.data, part.entries.size // columns, columns]
    fields.append(arrays["signs"].ctypes.data)
    table = Table(fields, arrays, others=kernel)
    return Kernel(kernel.name, (kernel.inputs, part_ports(parts)), _code(form), table, "float64", kernel.work)


@cache
def _code(form: _Form) -> Loaded:
    target = processor()
    return Loaded(compiled(_text(form, target.lanes(8)), target, optimise=True), "loop", target)


def _pick(lanes: int) -> str:
    """A function that stores some entries of whole results, state by state: rows that are whole there as vectors."""
    T, mask = f"<{lanes} x double>", f"<{lanes} x i1>"
    counts = ", ".join(f"i64 {lane}" for lane in range(lanes))
    load, store = (f"@llvm.masked.{what}.v{lanes}f64.p0" for what in ("load", "store"))
    return f"""
declare {T} {load}(ptr, i32, {mask}, {T})
declare void {store}({T}, ptr, i32, {mask})
define internal void @pick(ptr %to, ptr %from, i64 %states, i64 %step, i64 %size, i64 %row_step, i64 %column_step, \
ptr %entries, i64 %rows, i64 %columns, double %sign) {{
entry:
  %last = sub i64 %columns, 1
  %packed = icmp eq i64 %column_step, 8
  %sign.0 = insertelement {T} poison, double %sign, i32 0
  %signs = shufflevector {T} %sign.0, {T} poison, <{lanes} x i32> zeroinitializer
  br label %state
state:
  %s = phi i64 [0, %entry], [%s.next, %state.end]
  %to.jump = mul i64 %s, %step
  %from.jump = mul i64 %s, %size
  %state.to = getelementptr i8, ptr %to, i64 %to.jump
  %state.from = getelementptr i8, ptr %from, i64 %from.jump
  br label %row
row:
  %r = phi i64 [0, %state], [%r.next, %row.end]
  %row.jump = mul i64 %r, %row_step
  %row.to = getelementptr i8, ptr %state.to, i64 %row.jump
  %first = mul i64 %r, %columns
  %row.entries = getelementptr i64, ptr %entries, i64 %first
  %last.at = getelementptr i64, ptr %row.entries, i64 %last
  %first.place = load i64, ptr %row.entries
  %last.place = load i64, ptr %last.at
  %span = sub i64 %last.place, %first.place
  %is_run = icmp eq i64 %span, %last
  %is_whole = and i1 %is_run, %packed
  %row.from = getelementptr double, ptr %state.from, i64 %first.place
  br i1 %is_whole, label %vector, label %column
vector:
  %v = phi i64 [0, %row], [%v.next, %vector]
  %rest = sub i64 %columns, %v
  %rest.0 = insertelement <{lanes} x i64> poison, i64 %rest, i32 0
  %rests = shufflevector <{lanes} x i64> %rest.0, <{lanes} x i64> poison, <{lanes} x i32> zeroinitializer
  %inside = icmp slt <{lanes} x i64> <{counts}>, %rests
  %xs.at = getelementptr double, ptr %row.from, i64 %v
  %xs = call {T} {load}(ptr %xs.at, i32 8, {mask} %inside, {T} zeroinitializer)
  %ys = fmul {T} %xs, %signs
  %ys.at = getelementptr double, ptr %row.to, i64 %v
  call void {store}({T} %ys, ptr %ys.at, i32 8, {mask} %inside)
  %v.next = add i64 %v, {lanes}
  %v.more = icmp slt i64 %v.next, %columns
  br i1 %v.more, label %vector, label %row.end
column:
  %c = phi i64 [0, %row], [%c.next, %column]
  %entry.at = getelementptr i64, ptr %row.entries, i64 %c
  %place = load i64, ptr %entry.at
  %x.at = getelementptr double, ptr %state.from, i64 %place
  %x = load double, ptr %x.at
  %y = fmul double %x, %sign
  %column.jump = mul i64 %c, %column_step
  %y.at = getelementptr i8, ptr %row.to, i64 %column.jump
  store double %y, ptr %y.at
  %c.next = add i64 %c, 1
  %c.more = icmp slt i64 %c.next, %columns
  br i1 %c.more, label %column, label %row.end
row.end:
  %r.next = add i64 %r, 1
  %r.more = icmp slt i64 %r.next, %rows
  br i1 %r.more, label %row, label %state.end
state.end:
  %s.next = add i64 %s, 1
  %s.more = icmp slt i64 %s.next, %states
  br i1 %s.more, label %state, label %exit
exit:
  ret void
}}"""


def _text(form: _Form, lanes: int) -> str:
    """The gufunc's inner loop over blocks of states; the last is not a single state, which has code of its own.

    Whole results start at a line of the cache: a vector that straddles two lines is stored twice.
    """
    inputs, outputs = len(form.inputs), len(form.outputs)
    places = inputs + outputs + sum(form.inputs) + sum(form.outputs)
    return f"""
{chr(10).join(HEAP)}
declare ptr @llvm.ptrmask.p0.i64(ptr, i64)
{_pick(lanes)}
define void @loop({ARGUMENTS}) nounwind {{
entry:
  %args.inner = alloca [{inputs + outputs} x ptr]
  %steps.inner = alloca [{places} x i64]
  %count.at = alloca i64
  %n = load i64, ptr %dims
{_fields(form)}
  %most = add i64 %block, 1
  %fits = icmp sle i64 %n, %most
  %states = select i1 %fits, i64 %n, i64 %most
  %needed = mul i64 %states, %sizes
  %bytes = add i64 %needed, {LINE}
  %piece = call ptr @malloc(i64 %bytes)
  %refused = icmp eq ptr %piece, null
  %next.line = getelementptr i8, ptr %piece, i64 {LINE}
  %memory = call ptr @llvm.ptrmask.p0.i64(ptr %next.line, i64 {-LINE})
  %told = select i1 %refused, i64 {NO_MEMORY}, i64 0
  %tell = atomicrmw add ptr %data, i64 %told monotonic
  %before = load i64, ptr %inner.data
{_inner_steps(form)}
  %none = icmp eq i64 %n, 0
  %nothing = or i1 %none, %refused
  br i1 %nothing, label %exit, label %block.begin
block.begin:
  %i = phi i64 [0, %entry], [%i.next, %block.begin]
  %left = sub i64 %n, %i
  %is_last = icmp sle i64 %left, %most
  %count = select i1 %is_last, i64 %left, i64 %block
  store i64 %count, ptr %count.at
{_inner_call(form)}
{_picks(form)}
  %i.next = add i64 %i, %count
  %more = icmp slt i64 %i.next, %n
  br i1 %more, label %block.begin, label %exit
exit:
  call void @free(ptr %piece)
  %after = load i64, ptr %inner.data
  %bad = sub i64 %after, %before
  %counted = atomicrmw add ptr %data, i64 %bad monotonic
  ret void
}}
"""


def _fields(form: _Form) -> str:
    """The table that `picked_kernel` makes, read."""
    names = ["counter", "inner", "inner.data", "block", "sizes"]
    names += [f"size{o}" for o in range(len(form.outputs))]
    names += [f"core{o}.{axis}" for o, rank in enumerate(form.outputs) for axis in range(rank)]
    for m in range(len(form.parts)):
        names += [f"entries{m}", f"rows{m}", f"columns{m}"]
    names.append("signs")
    addresses = {"inner", "inner.data", "signs", *(f"entries{m}" for m in range(len(form.parts)))}
    return "\n".join(
        f"  %{name}.at = getelementptr i64, ptr %data, i64 {i}\n"
        f"  %{name} = load {'ptr' if name in addresses else 'i64'}, ptr %{name}.at"
        for i, name in enumerate(names)
    )


def _inner_steps(form: _Form) -> str:
    """Steps of the other kernel: its arguments have the caller's, its outputs lie in memory one behind the other."""
    inputs, parts = len(form.inputs), len(form.parts)
    lines = [_loaded("steps", i, f"step{i}") for i in range(inputs + parts)]
    axes = sum(form.inputs)
    lines += [_loaded("steps", inputs + parts + a, f"axis{a}") for a in range(axes + sum(form.parts))]
    values = [f"%step{i}" for i in range(inputs)] + [f"%size{o}" for o in range(len(form.outputs))]
    values += [f"%axis{a}" for a in range(axes)]
    values += [f"%core{o}.{axis}" for o, rank in enumerate(form.outputs) for axis in range(rank)]
    for i, value in enumerate(values):
        lines += [f"  %to{i} = getelementptr i64, ptr %steps.inner, i64 {i}", f"  store i64 {value}, ptr %to{i}"]
    lines += [_loaded("args", i, f"arg{i}", "ptr") for i in range(inputs + parts)]
    previous = "%memory"
    for o in range(len(form.outputs)):
        lines.append(f"  %whole{o} = getelementptr i8, ptr {previous}, i64 {f'%all{o - 1}' if o else 0}")
        lines.append(f"  %all{o} = mul i64 %states, %size{o}")
        previous = f"%whole{o}"
    return "\n".join(lines)


def _inner_call(form: _Form) -> str:
    """The other kernel on a block of states."""
    lines, inputs = [], len(form.inputs)
    for i in range(inputs):
        lines += [
            f"  %jump{i} = mul i64 %i, %step{i}",
            f"  %state{i} = getelementptr i8, ptr %arg{i}, i64 %jump{i}",
        ]
    values = [f"%state{i}" for i in range(inputs)] + [f"%whole{o}" for o in range(len(form.outputs))]
    for i, value in enumerate(values):
        lines += [f"  %given{i} = getelementptr ptr, ptr %args.inner, i64 {i}", f"  store ptr {value}, ptr %given{i}"]
    lines.append("  call void %inner(ptr %args.inner, ptr %count.at, ptr %steps.inner, ptr %inner.data)")
    return "\n".join(lines)


def _picks(form: _Form) -> str:
    """Each part of the block, stored in the caller's array."""
    lines, inputs, axis = [], len(form.inputs), sum(form.inputs)
    for m, (rank, source) in enumerate(zip(form.parts, form.sources, strict=True)):
        row_step = f"%axis{axis}" if rank == 2 else "0"
        column_step = f"%axis{axis + rank - 1}"
        axis += rank
        lines += [
            f"  %to.jump{m} = mul i64 %i, %step{inputs + m}",
            f"  %to.part{m} = getelementptr i8, ptr %arg{inputs + m}, i64 %to.jump{m}",
            f"  %sign{m}.at = getelementptr double, ptr %signs, i64 {m}",
            f"  %sign{m} = load double, ptr %sign{m}.at",
            f"  call void @pick(ptr %to.part{m}, ptr %whole{source}, i64 %count, i64 %step{inputs + m}, "
            f"i64 %size{source}, i64 {row_step}, i64 {column_step}, ptr %entries{m}, i64 %rows{m}, i64 %columns{m}, "
            f"double %sign{m})",
        ]
    return "\n".join(lines)


def _loaded(array: str, place: int, name: str, kind: str = "i64") -> str:
    return f"  %{name}.at = getelementptr {kind}, ptr %{array}, i64 {place}\n  %{name} = load {kind}, ptr %{name}.at"
