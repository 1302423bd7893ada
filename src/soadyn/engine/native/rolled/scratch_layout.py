"""Where a rolled kernel keeps what passes between its loops.

Scratch is an array of vectors (one number for each lane):

    arguments | results | unit column | once | climbing columns | U | shares | zeros | sums | link 1 | ... | link n

A link's part is what later loops need of its own. What it shares with its children and the sums over its children lie
in places of their own, which several links use one after the other unless a later loop reads them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple, dataclass
from functools import lru_cache
from itertools import count
from typing import Any, final

from soadyn.engine.loops.plan import ClimbLoop, LoopPlan, OnceStep, SubstitutionLoop, Walk
from soadyn.engine.loops.step import LoopStep
from soadyn.programs.sweep.inputs import is_frame

Slots = dict[tuple[str, int], int]


@final
@dataclass(frozen=True, slots=True)
class ScratchSizes:
    """Counts of vectors, on which a robot's table depends besides the robot: for a link's share, its sums, and so on.

    They are kept with the machine code: a process that finds it on disk makes tables without planning.
    """

    share: int
    sums: int
    once: int
    climbing: int  # for the columns that start at one link
    share_stays: bool  # shares, or sums, are read after the walk that wrote them
    sums_stay: bool
    substitutes: bool  # the matrix U of a substitution is kept
    visible_only: bool  # what climbs are the ten columns of each visible link
    own: tuple[int, ...]  # for a link of each joint class

    @property
    def numbers(self) -> list[int]:
        """The sizes as whole numbers."""
        *first, own = astuple(self)
        return [*map(int, first), *own]

    @classmethod
    def of_numbers(cls, numbers: Sequence[Any]) -> ScratchSizes:
        """The sizes that have these `numbers`."""
        return cls(*[*numbers[:4], *map(bool, numbers[4:8]), tuple(numbers[8:])])


@final
@dataclass(frozen=True, slots=True)
class ScratchLayout:
    """Where numbers stand in a link's share, in its sums, in its own part by joint class, and in the part kept once."""

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
    own = tuple(_kept("own", [walk.steps[c] for walk in walks]) for c, _ in enumerate(plan.classes))
    once = _kept("once", [part.step for part in plan.parts if isinstance(part, OnceStep)])
    kinds = {part.climb.visible_only for part in climbs}
    assert len(kinds) <= 1, "matrices of different widths in one kernel"
    sizes = ScratchSizes(
        share=len(share),
        sums=len(sums),
        once=len(once),
        climbing=max((part.height * max(part.widths) for part in climbs), default=0),
        share_stays=bool(of_frames) or any(_reads_others(walk, "parent") for walk in walks),
        # A walk that is repeated for every column skips links, whose parents must find zeros.
        sums_stay=any(walk.columns or _reads_others(walk, "sum") for walk in walks),
        substitutes=any(isinstance(part, SubstitutionLoop) for part in plan.parts),
        visible_only=True in kinds,
        own=tuple(map(len, own)),
    )
    return ScratchLayout(share, sums, own, once, sizes)


def _numbered(keys: Sequence[tuple[str, int]]) -> Slots:
    return {key: slot for slot, key in enumerate(keys)}


def _kept(where: str, steps: Sequence[LoopStep]) -> Slots:
    """Slots for the results of steps that are kept there."""
    return _numbered([key[1:] for step in steps for key in step.live_results() if key[0] == where])


def _reads_others(walk: Walk, where: str) -> bool:
    """Does a walk read what another one handed to neighbours?"""
    written = {name for sweep in walk.sweeps for name in sweep.writes}
    return any(key[0] == where and key[1] not in written for step in walk.steps for key in step.live_inputs())


def places_in_turn(parents: Sequence[int]) -> list[int]:
    """The place of each link's share, and of the sum over its children; the ground's, the first, is no other link's.

    A share is read until the last child was visited outward; the sum is added up from the last child inward until the
    link is visited itself. So both need their place while a walk is between the two, and other links may have it
    before and after. Along a branch two places are enough, which stay in the fastest cache.
    """
    last_child = {parent: k for k, parent in enumerate(parents, start=1)}
    fresh, free = count(1), list[int]()
    places = [0]
    for k, parent in enumerate(parents, start=1):
        places.append(free.pop() if free else next(fresh))
        if parent and last_child[parent] == k:
            free.append(places[parent])
        if k not in last_child:
            free.append(places[k])
    return places
