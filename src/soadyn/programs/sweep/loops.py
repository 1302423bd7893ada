"""Level 4 - which stages of a program share a loop over the links: what is printed, and what rolled kernels run."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import final

from soadyn.programs.sweep.inputs import is_frame
from soadyn.programs.sweep.program import Climb, Direction, Once, Pairs, Program, Stage, Sweep, free_reads, read_of

HEADERS = {
    Direction.TIP_TO_BASE: "for k = 1 ... n   (tip to base)",
    Direction.BASE_TO_TIP: "for k = n ... 1   (base to tip)",
    Direction.EVERY_LINK: "every link",
}


@final
@dataclass(slots=True)
class Loop:
    """Sweeps done in one walk over the links, or one Climb or Pairs, or Onces that follow each other.

    `direction` is None unless it is a walk. A walk with `columns` is repeated for every column of the joint identity.
    """

    direction: Direction | None
    columns: bool = False
    stages: list[Stage] = field(default_factory=list)

    @property
    def header(self) -> str:
        if self.direction is not None:
            return HEADERS[self.direction]
        return "for k = 1 ... n, i along the ancestors of k" if isinstance(self.stages[0], Climb | Pairs) else "once"


def loops(program: Program) -> list[Loop]:
    """The stages of a program in as few loops as can compute them.

    A sweep joins the walk before it if both go the same way, or one of them needs no order; if both are repeated for
    columns or neither is; and if it reads only what that walk has written on the way, not what arrives at the ground
    or at a frame when the walk is done.
    """
    found: list[Loop] = []
    for stage in program.stages:
        loop = _loop_of(stage)
        if found and _joins(stage, loop, found[-1]):
            if found[-1].direction is Direction.EVERY_LINK:
                found[-1].direction = loop.direction
            found[-1].stages.append(stage)
        else:
            loop.stages.append(stage)
            found.append(loop)
    return found


def _loop_of(stage: Stage) -> Loop:
    if isinstance(stage, Sweep):
        return Loop(stage.direction, "identity" in dict(stage.given).values())
    return Loop(None)


def _joins(stage: Stage, loop: Loop, last: Loop) -> bool:
    """Can a stage, whose loop this would be, be done in the last one?"""
    if isinstance(stage, Once):
        return isinstance(last.stages[0], Once)
    if not isinstance(stage, Sweep) or last.direction is None or stage.apart or loop.columns != last.columns:
        return False
    written = {name for earlier in last.stages for name in earlier.writes}
    reads = map(read_of, free_reads(stage))
    afterwards = {name for where, name in reads if where == "ground" or is_frame(where)}
    ways = {stage.direction, last.direction} - {Direction.EVERY_LINK}
    return len(ways) <= 1 and not written & afterwards
