"""Memory that a kernel works in, as LLVM text: on the stack or on the heap."""

from __future__ import annotations

from soadyn.engine import policy
from soadyn.engine.native.llvm.writer import Writer

HEAP = ("declare ptr @malloc(i64)", "declare void @free(ptr)")
# What the counter of bad passes grows by when there is no memory for the scratch; results are then not written.
NO_MEMORY = 1 << 40
ALIGNMENT = 64


def allocate(w: Writer, size: str | int, otherwise: str) -> None:
    """Sets %scratch, so many bytes, and %heap, to be freed; goes to a label if there is none, which is counted."""
    w.line(f"%stack = alloca i8, i64 {policy.ON_STACK}, align {ALIGNMENT}")
    small, before = w.set(f"icmp sle i64 {size}, {policy.ON_STACK}"), w.block
    w.line(f"br i1 {small}, label %there, label %allocate")
    w.label("allocate")
    w.line(f"%taken = call ptr @malloc(i64 {w.plus(size, ALIGNMENT)})")
    found = w.set("icmp ne ptr %taken, null")
    w.set(f"atomicrmw add ptr %data, i64 {w.set(f'select i1 {found}, i64 0, i64 {NO_MEMORY}')} monotonic")
    past = w.set(f"ptrtoint ptr {w.at('%taken', ALIGNMENT, 'i8')} to i64")
    w.line(f"%aligned = inttoptr i64 {w.set(f'and i64 {past}, {-ALIGNMENT}')} to ptr")
    w.go("there")
    w.label("there")
    w.line(f"%scratch = phi ptr [%stack, %{before}], [%aligned, %allocate]")
    w.line(f"%heap = phi ptr [null, %{before}], [%taken, %allocate]")
    w.need(w.set(f"phi i1 [true, %{before}], [{found}, %allocate]"), otherwise)
