"""What the scratch of a rolled kernel holds before the first loop, as LLVM text: the ground's values, zeros, frames."""

from __future__ import annotations

from collections.abc import Callable

from soadyn.engine.loops.step import Step
from soadyn.engine.native.rolled.loop_writer import LoopWriter
from soadyn.engine.tracing.values import array_of, scalars
from soadyn.programs.sweep.inputs import is_frame
from soadyn.programs.sweep.program import Layout

# Layouts of results of which the loops do not write every entry: the same ones in every pass, or add to it.
SPARSE: tuple[Layout, ...] = ("blocks", "matrix", "symmetric", "pairs")
ADDED_TO: tuple[Layout, ...] = ("sum", "solved")
MEMSET = "declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)"


def prepare(t: LoopWriter) -> None:
    """Write what the ground shares and zeros where results leave gaps; find the links that carry frames."""
    w = t.w
    t.address_of("%ground_share", "share", "0")
    t.address_of("%ground_sums", "sums", "0")
    for slot in range(t.layout.sizes.sums):
        t.zero(w.set(f"add i64 %f.zeros, {slot}"))
    gravity = [t.spread(w.set(f"getelementptr {t.vectors.scalar}, ptr %f.gravity, i64 {i}")) for i in range(3)]
    for name, ground in t.plan.grounds.items():
        wanted = {i: slot for (shared, i), slot in t.layout.share.items() if shared == name}
        if wanted:
            _write_ground(t, ground, wanted, gravity)
    for port in t.inputs:
        if t.plan.needs.get(port) and is_frame(port):
            first = w.set(f"load {t.vectors.scalar}, ptr %arg.{port}")
            t.address_of(f"%at_{port}", "share", w.set(f"fptosi {t.vectors.scalar} {first} to i64"))
    for i, output in enumerate(t.plan.program.outputs):
        if output.layout in (*SPARSE, *ADDED_TO):
            # Where a result is gathered in the scratch, gaps of the pass before are still zero.
            stays = output.layout in SPARSE and t.vectors.lanes > 1
            count = t.count_of(f"out{i}")
            gaps = w.set(f"select i1 {w.set('icmp eq i64 %i, 0')}, i64 {count}, i64 0") if stays else count
            size = w.set(f"mul i64 {gaps}, {t.bytes}")
            w.line(f"call void @llvm.memset.p0.i64(ptr %base.out{i}, i8 0, i64 {size}, i1 false)")


def _write_ground(t: LoopWriter, ground: Callable[..., object], wanted: dict[int, int], gravity: list[str]) -> None:
    """Scalars of a value that the ground shares, as a function of gravity, into their slots."""
    step = Step()
    value = scalars(ground(array_of(step.read_all("whole", "gravity", 3), (3, 1))))
    registers = {scalar.node: gravity[i] for (_, _, i), scalar in step.inputs.items()}
    (found,) = t.w.in_blocks(step.graph, [[value[i] for i in wanted]], registers)
    for slot, register in zip(wanted.values(), found, strict=True):
        t.store(register, "%ground_share", slot)
