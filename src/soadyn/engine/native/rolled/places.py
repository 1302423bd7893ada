"""Places for what links hand to their neighbours, used again as soon as they can be.

A link's share for its children is read until the last child was visited, a sum over children until the link itself is.
Along a branch two places are enough, which stay in the fastest cache; a place for every link would not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final


@final
@dataclass(frozen=True, slots=True)
class Places:
    """The place of each link, the ground's first, and how many places there are."""

    at: list[int]
    count: int


def one_for_each(parents: Sequence[int]) -> Places:
    """A place for every link, for what is read after the walk that wrote it."""
    return Places(list(range(len(parents) + 1)), len(parents) + 1)


def for_shares(parents: Sequence[int]) -> Places:
    """Places for walks from base to tip: a link writes its own while it reads its parent's."""
    last_child = {parent: k for k, parent in enumerate(parents, start=1)}
    at, count = [0], 1  # the ground's place is written before any walk, and stays
    free: list[int] = []
    for k, parent in enumerate(parents, start=1):
        if not free:
            free.append(count)
            count += 1
        at.append(free.pop())
        if parent and last_child[parent] == k:
            free.append(at[parent])
        if k not in last_child:
            free.append(at[k])
    return Places(at, count)


def for_sums(parents: Sequence[int]) -> Places:
    """Places for walks from tip to base: a link reads its own while it adds to its parent's.

    The first place is never written: it holds the zeros that are a tip's sum.
    """
    at, count = [0] * (len(parents) + 1), 1
    free: list[int] = []
    for k, parent in reversed(list(enumerate(parents, start=1))):
        if not at[parent]:
            if not free:
                free.append(count)
                count += 1
            at[parent] = free.pop()
        if at[k]:
            free.append(at[k])
    return Places(at, count)


def before_adding(parents: Sequence[int], sums: Places) -> list[int]:
    """For each link where to read what it adds to: its parent's place, or zeros if it is the first to come there."""
    last_child = {parent: k for k, parent in enumerate(parents, start=1)}
    return [0, *(0 if last_child[parent] == k else sums.at[parent] for k, parent in enumerate(parents, start=1))]
