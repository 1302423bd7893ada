"""A kernel's module: its functions for several lanes and for one, and the loop that chooses between them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

ATTRIBUTES = (
    'attributes #0 = { nounwind "prefer-vector-width"="512" }',
    'attributes #1 = { nounwind noinline cold "prefer-vector-width"="512" }',
)
ARGUMENTS = "ptr %args, ptr %dims, ptr %steps, ptr %data"


@final
@dataclass(frozen=True, slots=True)
class Function:
    """A gufunc's inner loop for a number of lanes: its lines between the braces, and what it refers to."""

    lanes: int
    lines: Sequence[str]
    declarations: Sequence[str]


def module_text(functions: Sequence[Function]) -> str:
    """The text of a module whose @loop takes the function for one lane if there is a single state."""
    declarations = dict.fromkeys(line for function in functions for line in function.declarations)
    text = [*declarations]
    for function in functions:
        text += [f"define internal void @loop.{function.lanes}({ARGUMENTS}) #0 {{", *function.lines, "}"]
    lanes = [function.lanes for function in functions]
    text += [
        f"define void @loop({ARGUMENTS}) #0 {{",
        "  %states = load i64, ptr %dims",
        "  %single = icmp eq i64 %states, 1",
        "  br i1 %single, label %one, label %many",
        "one:",
        f"  call void @loop.{min(lanes)}({ARGUMENTS})",
        "  ret void",
        "many:",
        f"  call void @loop.{max(lanes)}({ARGUMENTS})",
        "  ret void",
        "}",
    ]
    return "\n".join([*text, *ATTRIBUTES])
