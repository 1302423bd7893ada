"""What the length of a trace decides: straight-line code or loops, one function or several.

The first call waits for the compiler, the longer the more operations there are; later processes find the code on disk.
Straight-line code saves a part of a rolled kernel's time for each state, so what a user may be made to wait for depends
on how many states there are.
"""

from __future__ import annotations

from typing import Literal

from soadyn.sweep.program import Program

Use = Literal["large", "huge", "parameters", "export"]

# Operations. Large batches (256 states) take straight-line code if it is there within two seconds, huge ones (1024)
# if within eight; otherwise a rolled kernel. With parameters the reference is what remains, a hundred times slower.
# In the export of C source the limit is a C compiler's patience.
LONGEST: dict[Use, int] = {"large": 25_000, "huge": 120_000, "parameters": 250_000, "export": 250_000}

# Operations up to which straight-line code is one function. Compiling takes longer than in proportion to a function's
# length, and beyond this several functions, which hand values on in memory, are no slower.
ONE_FUNCTION = 15_000


def longest_trace(program: Program, use: Use) -> int:
    """The operations up to which a program's trace becomes straight-line code.

    Programs with a mask of passive joints are about 20 % longer than forward and inverse dynamics; they are allowed
    25 % more, so that a robot's forward, inverse and hybrid dynamics take the same form.
    """
    masked = use in ("large", "huge") and "passive" in program.inputs
    return LONGEST[use] * 5 // 4 if masked else LONGEST[use]
