"""Memory that a kernel works in, as LLVM text: on the stack or on the heap."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

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

    def entry(self) -> list[str]:
        """Sets %scratch, its address, and %refused: there is no memory, which is counted."""
        if self.size <= ON_STACK:
            place = [f"  %scratch = alloca i8, i64 {self.size}, align {ALIGNMENT}"] if self.size else []
            return [*place, "  %refused = and i1 false, false"]
        return [
            f"  %heap = call ptr @malloc(i64 {self.size + ALIGNMENT})",
            "  %refused = icmp eq ptr %heap, null",
            f"  %told = select i1 %refused, i64 {NO_MEMORY}, i64 0",
            "  %counter = atomicrmw add ptr %data, i64 %told monotonic",
            f"  %past = getelementptr i8, ptr %heap, i64 {ALIGNMENT}",
            "  %past.number = ptrtoint ptr %past to i64",
            f"  %aligned = and i64 %past.number, {-ALIGNMENT}",
            "  %scratch = inttoptr i64 %aligned to ptr",
        ]

    def exit(self) -> list[str]:
        """Gives the memory back."""
        return ["  call void @free(ptr %heap)"] if self.size > ON_STACK else []
