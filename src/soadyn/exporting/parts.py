"""Long programs in parts: compilers take far more than twice as long for a function of twice the length."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import final

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
    born: dict[int, int] = {}
    last: dict[int, int] = {}
    for p, part in enumerate(parts):
        for statement in part:
            last.update((node, p) for node in statement.uses)
            born.update((node, p) for node in statement.defines)
    last.update((node, len(parts) - 1) for node in results if node in born)
    places: dict[int, int] = {}
    free: list[int] = []
    room = 0
    for p, part in enumerate(parts):
        for node in (node for statement in part for node in statement.defines if last.get(node, p) > p):
            if not free:
                free.append(room)
                room += 1
            places[node] = free.pop()
        # A place is free again when the part that read it last is over: within a part, order is the compiler's.
        free += [places[node] for node in places if last[node] == p]
    return Parts(parts, places, room)
