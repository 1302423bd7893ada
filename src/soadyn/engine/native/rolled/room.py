"""How much room a plan's loops need: what a robot's table depends on besides the robot.

These few numbers are kept with the machine code. A process that finds the code on disk makes tables without planning.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple, dataclass
from typing import final

from soadyn.engine.loops.plan import ClimbLoop, Plan, SubstitutionLoop
from soadyn.engine.native.rolled.slots import slots_of


@final
@dataclass(frozen=True, slots=True)
class Room:
    """Counts of vectors: what links share, sum up, keep once, and for the columns that start at one link.

    `share_stays` and `sums_stay` are those of `Slots`. `substitutes`: the mass matrix is kept. `visible_only`: what
    climbs are the ten columns of each visible link. `own` is what a link of each joint class keeps.
    """

    share: int
    sums: int
    once: int
    climbing: int
    share_stays: bool
    sums_stay: bool
    substitutes: bool
    visible_only: bool
    own: tuple[int, ...]

    @property
    def numbers(self) -> list[int]:
        """The same as whole numbers."""
        *first, own = astuple(self)
        return [*map(int, first), *own]

    @classmethod
    def of_numbers(cls, numbers: Sequence[int]) -> Room:
        """What `numbers` gave."""
        share, sums, once, climbing, *flags = numbers[:8]
        share_stays, sums_stay, substitutes, visible_only = map(bool, flags)
        own = tuple(numbers[8:])
        return cls(share, sums, once, climbing, share_stays, sums_stay, substitutes, visible_only, own)


def room_of(plan: Plan) -> Room:
    """The room for all that a plan's loops keep."""
    slots = slots_of(plan)
    climbs = [part for part in plan.parts if isinstance(part, ClimbLoop)]
    kinds = {part.climb.visible_only for part in climbs}
    assert len(kinds) <= 1, "matrices of different widths in one kernel"
    return Room(
        share=len(slots.share),
        sums=len(slots.sums),
        once=len(slots.once),
        climbing=max((part.height * max(part.widths) for part in climbs), default=0),
        share_stays=slots.share_stays,
        sums_stay=slots.sums_stay,
        substitutes=any(isinstance(part, SubstitutionLoop) for part in plan.parts),
        visible_only=True in kinds,
        own=tuple(map(len, slots.own)),
    )
