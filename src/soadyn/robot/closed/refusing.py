"""What is said where closures are not known of."""

from __future__ import annotations

from soadyn.errors import ArgumentError
from soadyn.model.model import Model


def refuse_closures(model: Model, of: str) -> None:
    """ArgumentError if a robot has closures; `of` is who does not know them."""
    if model.closures:
        raise ArgumentError(
            f"{of} knows no closures yet, and robot {model.name!r} has {model.closures[0].name!r}; robot.open() is the "
            "tree"
        )
