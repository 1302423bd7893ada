"""Memory that a kernel works in, as LLVM text: on the stack or on the heap."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

from soadyn.engine.native.llvm.writer import Writer

HEAP = ("declare ptr @malloc(i64)", "declare void @free(ptr)")
# What the counter of bad passes grows by when there is no memory for the scratch; results are then not written.
NO_MEMORY = 1 << 40
# Scratch up to this many bytes lies on the stack, which costs nothing; larger scratch on the heap.
ON_STACK = 48 * 1024
ALIGNMENT = 64


@final
@dataclass(frozen=True, slots=True)
class ConstantScratch:
    """Scratch of a size that is known while the text is written."""

    size: int  # bytes

    def declarations(self) -> tuple[str, ...]:
        """What the text refers to."""
        return HEAP if self.size > ON_STACK else ()

    def enter(self, w: Writer, otherwise: str) -> None:
        """Sets %scratch, its address; goes to a label if there is no memory, which is counted."""
        if self.size <= ON_STACK:
            if self.size:
                w.line(f"%scratch = alloca i8, i64 {self.size}, align {ALIGNMENT}")
            return
        w.line(f"%heap = call ptr @malloc(i64 {self.size + ALIGNMENT})")
        there = w.set("icmp ne ptr %heap, null")
        w.set(f"atomicrmw add ptr %data, i64 {w.set(f'select i1 {there}, i64 0, i64 {NO_MEMORY}')} monotonic")
        past = w.set(f"ptrtoint ptr {w.at('%heap', ALIGNMENT, 'i8')} to i64")
        w.line(f"%scratch = inttoptr i64 {w.set(f'and i64 {past}, {-ALIGNMENT}')} to ptr")
        w.need(there, otherwise)

    def leave(self, w: Writer) -> None:
        """Gives the memory back."""
        if self.size > ON_STACK:
            w.line("call void @free(ptr %heap)")
