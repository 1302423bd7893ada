"""Where a rolled kernel keeps what passes between its loops.

Scratch is an array of vectors (one number for each lane):

    arguments | results | unit column | once | climbing columns | ground | link 1 | ... | link n

and a link's part is

    what it shares with its children | sums over its children | what later loops need of its own
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import final

from soadyn.backends.plan.plan import OnceStep, Plan, Walk
from soadyn.sweep.program import FRAMES


@final
@dataclass(frozen=True, slots=True)
class Slots:
    """Places within a link's part of the scratch, in vectors, and in the part that is kept once."""

    share: dict[tuple[str, int], int]
    sums: dict[tuple[str, int], int]
    own: tuple[dict[tuple[str, int], int], ...]  # one for each joint class
    once: dict[tuple[str, int], int]

    @property
    def common(self) -> int:
        return len(self.share) + len(self.sums)

    def size(self, joint_class: int) -> int:
        return self.common + len(self.own[joint_class])


@lru_cache(maxsize=256)
def slots_of(plan: Plan) -> Slots:
    """Places for all that a plan's loops keep."""
    needs = plan.needs
    shared = sorted(set().union(needs["parent"], *(needs[frame] for frame in FRAMES)))
    summed = sorted(needs["sum"] | needs["ground"])
    share = {key: i for i, key in enumerate(shared)}
    sums = {key: len(share) + i for i, key in enumerate(summed)}
    own: list[dict[tuple[str, int], int]] = [{} for _ in plan.classes]
    once: dict[tuple[str, int], int] = {}
    for part in plan.parts:
        if isinstance(part, Walk):
            for c, step in enumerate(part.steps):
                for where, name, i in step.live_results():
                    if where == "own":
                        own[c][name, i] = len(share) + len(sums) + len(own[c])
        elif isinstance(part, OnceStep):
            for where, name, i in part.step.live_results():
                if where == "once":
                    once[name, i] = len(once)
    return Slots(share, sums, tuple(own), once)
