"""The name of the ground's frame, kept free: a link or frame that a file calls so gets another name."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar

from soadyn.errors import ModelWarning, warn_caller
from soadyn.model.checks import at
from soadyn.model.model import GROUND, Frame, Link, Model
from soadyn.model.placement import Placement

Named = TypeVar("Named", Link, Frame)


def with_ground_free(model: Model, where: str) -> Model:
    """The model in which "ground" is the ground: a link or frame of that name that stands elsewhere is renamed.

    A root link that is fixed in the ground keeps the name; it is the same frame.
    """
    hidden_by = model.frame(GROUND)
    if not hidden_by.link and hidden_by.placement == Placement():
        return model
    name = f"{GROUND}_link"
    while name in model.frame_index:
        name += "_"
    note = f"{at(where)}{GROUND!r} is the ground's frame; the link or frame of that name is called {name!r} here"
    warn_caller(note, ModelWarning)

    def renamed(items: tuple[Named, ...]) -> tuple[Named, ...]:
        return tuple(replace(item, name=name) if item.name == GROUND else item for item in items)

    return replace(
        model,
        links=renamed(model.links),
        frames=renamed(model.frames),
        visuals=tuple(replace(v, frame=name) if v.frame == GROUND else v for v in model.visuals),
        notes=(*model.notes, note),
    )
