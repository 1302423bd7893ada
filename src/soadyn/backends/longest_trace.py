"""How long a trace may be to become straight-line code.

A compiler's time grows faster than the trace, so the bound depends on what is done instead of compiling it.
"""

from __future__ import annotations

from typing import Literal

from soadyn.sweep.program import Program

Instead = Literal["rolled", "reference", "refused"]

# Operations. Instead of a longer trace: a rolled kernel, about half as fast; the reference, a hundred times slower; an
# error, in the export of C source, where a C compiler's patience is the limit.
LONGEST: dict[Instead, int] = {"rolled": 15_000, "reference": 60_000, "refused": 250_000}


def longest_trace(program: Program, instead: Instead) -> int:
    """The operations up to which a program's trace becomes straight-line code.

    Programs with a mask of passive joints are about 20 % longer than forward and inverse dynamics; they are allowed
    25 % more, so that a robot's forward, inverse and hybrid dynamics take the same form.
    """
    masked = instead == "rolled" and "passive" in program.inputs
    return LONGEST[instead] * 5 // 4 if masked else LONGEST[instead]
