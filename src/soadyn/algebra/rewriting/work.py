"""How much rewriting is worth: steps are counted, not timed, so that the answer is the same on every machine."""

from __future__ import annotations

from typing import final

from soadyn.errors import SoadynError

MOST_STEPS = 5_000_000  # a few seconds
TERM = 10  # steps; to look at a letter takes one


class GivenUpError(SoadynError):
    """A formula is not rewritten any further, for a reason that the message says."""


@final
class Work:
    """The steps that are left for one question."""

    def __init__(self, most: int | None = None) -> None:
        self.left = MOST_STEPS if most is None else most

    def add(self, terms: int) -> None:
        """Count terms before they are added to a polynomial."""
        self.spend(TERM * terms)

    def spend(self, steps: int) -> None:
        """Count steps before they are made; GivenUpError if there are not so many left."""
        self.left -= steps
        if self.left < 0:
            raise GivenUpError("rewriting takes too many steps")
