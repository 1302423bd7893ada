"""A set of passive joints that stays the same: straight-line code can be made for it alone.

Where the set is known, every product with an entry of its mask folds away, and of the matrices that a program computes
only the parts that are wanted are computed and stored. Robots that are specialised for a set and formulas compiled with
one have such code. Elsewhere the mask is an argument, and nothing is compiled for a new set.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from soadyn.engine.tracing.ports import Port


@final
@dataclass(frozen=True, slots=True)
class Part:
    """A result: which `output` it is taken from, at which `entries` of that output's numbers, times a sign."""

    output: int
    entries: np.ndarray
    sign: float


@final
@dataclass(frozen=True, slots=True, eq=False)
class PassiveSet:
    """The mask of passive components, 1.0 or 0.0, and the parts that are wanted of a program's outputs; without, all.

    No part is empty: NumPy calls nothing that has empty results.
    """

    mask: np.ndarray
    parts: Sequence[Part]

    @property
    def key(self) -> tuple[Any, ...]:
        """What tells it from others."""
        parts = ((part.output, part.sign, part.entries.shape, part.entries.tobytes()) for part in self.parts)
        return self.mask.tobytes(), *parts

    def taken(self, outputs: Mapping[Port, Sequence[Any]]) -> dict[Port, Sequence[Any]]:
        """The scalars of the wanted parts, of those of a trace's outputs."""
        if not self.parts:
            return dict(outputs)
        rows = list(outputs.values())
        found: list[Sequence[Any]] = []
        for part in self.parts:
            scalars = [rows[part.output][entry] for entry in part.entries.flat]
            found.append(scalars if part.sign > 0 else [-x for x in scalars])
        return dict(zip(part_ports(self.parts), found, strict=True))


def part_ports(parts: Sequence[Part]) -> tuple[Port, ...]:
    """The results of a kernel that gives parts of a program's outputs."""
    return tuple(Port(f"part {m}", part.entries.shape) for m, part in enumerate(parts))
