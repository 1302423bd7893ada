"""Long programs in parts: compilers take far more than twice as long for a function of twice the length."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import final

from soadyn.engine.tracing.parts import slots_for
from soadyn.exporting.statements import Statement

# Statements in a part, at most.
PART = 2_000
# Bytes that calls take, with what they save and pass.
FRAMES = 512


@final
@dataclass(frozen=True, slots=True)
class Parts:
    """Statements in parts, and the places in a shared array of the values that pass from one part to others."""

    parts: tuple[tuple[Statement, ...], ...]
    places: dict[int, int]
    room: int

    def stack(self, size: int, further: int) -> int:
        """Bytes of stack, if every value of `size` bytes has its own place, and `further` values beside them."""
        most = max(len({n for s in part for n in (*s.defines, *s.uses)}) for part in self.parts)
        return size * (most + self.room + further) + FRAMES


def in_parts(statements: Sequence[Statement], results: Iterable[int]) -> Parts:
    """Statements in order; `results` are read at the end of the last part."""
    parts = tuple(tuple(statements[i : i + PART]) for i in range(0, len(statements), PART)) or ((),)
    turns = [[node for statement in part for node in statement.defines] for part in parts]
    last = {node: p for p, part in enumerate(parts) for statement in part for node in statement.uses}
    last.update((node, len(parts) - 1) for node in {*results}.intersection(*[chain(*turns)]))
    return Parts(parts, *slots_for(turns, last))
