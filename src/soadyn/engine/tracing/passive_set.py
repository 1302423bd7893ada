"""A set of passive joints that stays the same: straight-line code can be made for it alone.

Where the set is known, every product with an entry of its mask folds away, and of the matrices that a program computes
only the parts that are wanted are computed and stored. Robots that are specialised for a set and formulas compiled with
one have such code. Elsewhere the mask is an argument, and nothing is compiled for a new set.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, final

from soadyn.engine.tracing.ports import Port


class Part(NamedTuple):
    """A result: which `output` it is taken from, which `entries` of that output's numbers, times a sign; its shape."""

    output: int
    entries: tuple[int, ...]
    sign: float
    shape: tuple[int, ...]


@final
@dataclass(frozen=True, slots=True)
class PassiveSet:
    """The mask of passive components, 1.0 or 0.0, and the parts that are wanted of a program's outputs; without, all.

    No part is empty: NumPy calls nothing that has empty results.
    """

    mask: tuple[float, ...]
    parts: tuple[Part, ...] = ()

    @property
    def ports(self) -> tuple[Port, ...]:
        """The results of a kernel that gives the wanted parts."""
        return tuple(Port(f"part {m}", part.shape) for m, part in enumerate(self.parts))

    def taken(self, outputs: Mapping[Port, Sequence[Any]]) -> dict[Port, Sequence[Any]]:
        """The scalars of the wanted parts, of those of a trace's outputs."""
        if not self.parts:
            return dict(outputs)
        rows = list(outputs.values())
        found = [
            [rows[part.output][i] if part.sign > 0 else -rows[part.output][i] for i in part.entries]
            for part in self.parts
        ]
        return dict(zip(self.ports, found, strict=True))
