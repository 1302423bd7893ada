"""Where a rolled kernel keeps what passes between its loops.

Scratch is an array of vectors (one number for each lane):

    arguments | results | unit column | once | climbing columns | shares | sums | link 1 | ... | link n

A link's part is what later loops need of its own. What it shares with its children and the sums over its children lie
in places of their own, which several links use one after the other unless a later loop reads them (see `places`).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import final

from soadyn.engine.loops.plan import OnceStep, Plan, Walk
from soadyn.programs.sweep.inputs import is_frame


@final
@dataclass(frozen=True, slots=True)
class Slots:
    """Where numbers stand in a link's share, in its sums, in its own part and in the part that is kept once.

    `share_stays` and `sums_stay` say that they are read after the walk that wrote them.
    """

    share: dict[tuple[str, int], int]
    sums: dict[tuple[str, int], int]
    own: tuple[dict[tuple[str, int], int], ...]  # one for each joint class
    once: dict[tuple[str, int], int]
    share_stays: bool
    sums_stay: bool


@lru_cache(maxsize=256)
def slots_of(plan: Plan) -> Slots:
    """Places for all that a plan's loops keep."""
    needs = plan.needs
    of_frames = [keys for where, keys in needs.items() if is_frame(where) and keys]
    shared = sorted(needs["parent"].union(*of_frames))
    summed = sorted(needs["sum"] | needs["ground"])
    share = {key: i for i, key in enumerate(shared)}
    sums = {key: i for i, key in enumerate(summed)}
    own: list[dict[tuple[str, int], int]] = [{} for _ in plan.classes]
    once: dict[tuple[str, int], int] = {}
    for part in plan.parts:
        if isinstance(part, Walk):
            for c, step in enumerate(part.steps):
                for where, name, i in step.live_results():
                    if where == "own":
                        own[c][name, i] = len(own[c])
        elif isinstance(part, OnceStep):
            for where, name, i in part.step.live_results():
                if where == "once":
                    once[name, i] = len(once)
    walks = [part for part in plan.parts if isinstance(part, Walk)]
    share_stays = bool(of_frames) or any(_reads_others(walk, "parent") for walk in walks)
    # A walk that is repeated for every column skips links, whose parents must find zeros.
    sums_stay = any(walk.columns or _reads_others(walk, "sum") for walk in walks)
    return Slots(share, sums, tuple(own), once, share_stays, sums_stay)


def _reads_others(walk: Walk, where: str) -> bool:
    """Does a walk read what another one handed to neighbours?"""
    written = {name for sweep in walk.sweeps for name in sweep.writes}
    return any(key[0] == where and key[1] not in written for step in walk.steps for key in step.live_inputs())
