"""Where a rolled kernel keeps what passes between its loops.

Scratch is an array of vectors (one number for each lane):

    arguments | results | unit column | once | climbing columns | U | zeros | sums of all links | ground | link 1 | ...

A link's part is what it shares with its children, and then what later loops need of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple, dataclass
from functools import lru_cache
from typing import Any, final

from soadyn.engine.loops.plan import ClimbLoop, LoopPlan, OnceStep, SubstitutionLoop, Walk
from soadyn.engine.loops.step import LoopStep
from soadyn.programs.sweep.inputs import is_frame

Slots = dict[tuple[str, int], int]


@final
@dataclass(frozen=True, slots=True)
class ScratchSizes:
    """Counts of vectors, on which a robot's table depends besides the robot: for the sums over children, and so on.

    They are kept with the machine code: a process that finds it on disk makes tables without planning.
    """

    sums: int
    once: int
    climbing: int  # for the columns that start at one link
    columns: int  # 1 if walks are repeated for columns: sums are cleared before each
    substitutes: int  # 1 if the matrix U of a substitution is kept
    visible_only: int  # 1 if what climbs are the ten columns of each visible link
    own: tuple[int, ...]  # for the ground, and for a link of each joint class

    @property
    def numbers(self) -> list[int]:
        """The sizes as whole numbers."""
        *first, own = astuple(self)
        return [*first, *own]

    @classmethod
    def of_numbers(cls, numbers: Sequence[Any]) -> ScratchSizes:
        """The sizes that have these `numbers`."""
        sums, once, climbing, columns, substitutes, visible_only, *own = numbers
        return cls(sums, once, climbing, columns, substitutes, visible_only, tuple(own))


@final
@dataclass(frozen=True, slots=True)
class ScratchLayout:
    """Where numbers stand: in a link's part its share and, by joint class, its own; in its sums; in what is once."""

    share: Slots
    sums: Slots
    own: tuple[Slots, ...]
    once: Slots
    sizes: ScratchSizes


@lru_cache(maxsize=256)
def layout_of(plan: LoopPlan) -> ScratchLayout:
    """The layout for all that a plan's loops keep."""
    needs = plan.needs
    walks = [part for part in plan.parts if isinstance(part, Walk)]
    climbs = [part for part in plan.parts if isinstance(part, ClimbLoop)]
    of_frames = [keys for where, keys in needs.items() if is_frame(where) and keys]
    share = _numbered(sorted(needs["parent"].union(*of_frames)))
    sums = _numbered(sorted(needs["sum"] | needs["ground"]))
    own = tuple(_kept("own", [walk.steps[c] for walk in walks], len(share)) for c, _ in enumerate(plan.classes))
    once = _kept("once", [part.step for part in plan.parts if isinstance(part, OnceStep)])
    kinds = {part.climb.visible_only for part in climbs}
    assert len(kinds) <= 1, "matrices of different widths in one kernel"
    sizes = ScratchSizes(
        sums=len(sums),
        once=len(once),
        climbing=max((part.height * max(part.widths) for part in climbs), default=0),
        columns=int(any(walk.columns for walk in walks)),
        substitutes=int(any(isinstance(part, SubstitutionLoop) for part in plan.parts)),
        visible_only=int(True in kinds),
        own=(len(share), *(len(share) + len(slots) for slots in own)),
    )
    return ScratchLayout(share, sums, own, once, sizes)


def _numbered(keys: Sequence[tuple[str, int]], first: int = 0) -> Slots:
    return {key: slot for slot, key in enumerate(keys, start=first)}


def _kept(where: str, steps: Sequence[LoopStep], first: int = 0) -> Slots:
    """Slots from the `first` on for the results of steps that are kept there."""
    return _numbered([key[1:] for step in steps for key in step.live_results() if key[0] == where], first)
