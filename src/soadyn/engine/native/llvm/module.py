"""The LLVM module of a kernel: its function, and @loop, which calls it and looks at the processor's flags."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

ATTRIBUTES = (
    'attributes #0 = { nounwind "prefer-vector-width"="512" }',
    'attributes #1 = { nounwind noinline cold "prefer-vector-width"="512" }',
    'attributes #2 = { nounwind noinline "prefer-vector-width"="512" }',
)
ARGUMENTS = "ptr %args, ptr %dims, ptr %steps, ptr %data"


@final
@dataclass(frozen=True, slots=True)
class FunctionText:
    """A gufunc's inner loop: its lines between the braces, and what it refers to."""

    lines: Sequence[str]
    declarations: Sequence[str]
    parts: int = 1  # how many functions compute


# Bits of the x86 status register MXCSR: invalid operation, division by zero, overflow; and all flags cleared.
RECORDED = 0b1101
CLEARED = ~0b111111

MXCSR = ("declare void @llvm.x86.sse.stmxcsr(ptr)", "declare void @llvm.x86.sse.ldmxcsr(ptr)")
LOOK_AT_FLAGS = f"""
  call void @llvm.x86.sse.stmxcsr(ptr %flags)
  %seen = load i32, ptr %flags
  %trouble = and i32 %seen, {RECORDED}
  %clean = icmp eq i32 %trouble, 0
  br i1 %clean, label %done, label %troubled
troubled:
  %cleared = and i32 %seen, {CLEARED}
  store i32 %cleared, ptr %flags
  call void @llvm.x86.sse.ldmxcsr(ptr %flags)
  %counted = atomicrmw add ptr %data, i64 1 monotonic
  br label %done"""


def module_text(function: FunctionText, flags: bool, kept: Sequence[int] = ()) -> str:
    """The text of a module whose @loop is the function.

    With `flags` it reads and clears the processor's flags for overflows and the like afterwards: such a pass is counted
    as bad, and NumPy, which reads the same flags, gives no warning of its own. The numbers `kept` stand beside the
    code, behind their count.
    """
    numbers = ", ".join(f"i64 {number}" for number in (len(kept), *kept))
    text = [
        *dict.fromkeys([*function.declarations, *(MXCSR if flags else ())]),
        f"@kept = constant [{len(kept) + 1} x i64] [{numbers}]",
        f"define internal void @states({ARGUMENTS}) #0 {{",
        "entry:",
        *function.lines,
        "}",
        f"define void @loop({ARGUMENTS}) #0 {{",
        "  %flags = alloca i32",
        f"  call void @states({ARGUMENTS})",
        LOOK_AT_FLAGS if flags else "  br label %done",
        "done:",
        "  ret void",
        "}",
    ]
    return "\n".join([*text, *ATTRIBUTES])
