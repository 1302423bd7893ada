"""The spaces that operators map between, each with its dual.

A motion paired with a force of the same place is power; the adjoint of an operator maps between the duals, the other
way round. White spaces are those of normalized vectors, where motion and force are one (000 section 5).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, final

from soadyn.errors import SpaceError

Place = Literal["joint", "active joint", "passive joint", "link", "task", "pose", "white joint", "white link", "number"]
Side = Literal["motion", "force", ""]


@final
@dataclass(frozen=True, slots=True)
class Space:
    """A space of stacked vectors: one share for each joint, link or operational point.

    >>> JOINT_MOTION.dual
    Space('joint force')
    """

    place: Place
    side: Side

    @property
    def dual(self) -> Space:
        """Forces for motions and motions for forces."""
        match self.side:
            case "motion":
                return Space(self.place, "force")
            case "force":
                return Space(self.place, "motion")
            case _:
                return self

    def __str__(self) -> str:
        return f"{self.place} {self.side}".rstrip()

    def __repr__(self) -> str:
        return f"Space({str(self)!r})"


JOINT_MOTION, JOINT_FORCE = Space("joint", "motion"), Space("joint", "force")
ACTIVE_MOTION, ACTIVE_FORCE = Space("active joint", "motion"), Space("active joint", "force")
PASSIVE_MOTION, PASSIVE_FORCE = Space("passive joint", "motion"), Space("passive joint", "force")
LINK_MOTION, LINK_FORCE = Space("link", "motion"), Space("link", "force")
TASK_MOTION, TASK_FORCE = Space("task", "motion"), Space("task", "force")
POSE_MOTION, POSE_FORCE = Space("pose", "motion"), Space("pose", "force")
WHITE_JOINT, WHITE_LINK = Space("white joint", ""), Space("white link", "")
NUMBER = Space("number", "")

SPACES = {
    str(space): space
    for space in (
        *(JOINT_MOTION, JOINT_FORCE, ACTIVE_MOTION, ACTIVE_FORCE, PASSIVE_MOTION, PASSIVE_FORCE),
        *(LINK_MOTION, LINK_FORCE, TASK_MOTION, TASK_FORCE, POSE_MOTION, POSE_FORCE, WHITE_JOINT, WHITE_LINK, NUMBER),
    )
}


def space_named(name: str | Space) -> Space:
    """A space by its name.

    >>> space_named("link force")
    Space('link force')
    """
    if isinstance(name, Space):
        return name
    if not isinstance(name, str) or name not in SPACES:
        raise SpaceError(f"no space is called {name!r}; there are {', '.join(map(repr, SPACES))}")
    return SPACES[name]
