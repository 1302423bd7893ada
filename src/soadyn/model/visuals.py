"""Shapes that show a link, as its file describes them; dynamics knows nothing of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, final

from soadyn.model.placement import Placement, Vector3

VisualKind = Literal["box", "cylinder", "sphere", "mesh"]


@final
@dataclass(frozen=True, slots=True)
class MeshAddress:
    """A mesh as the robot file names it, and the folders it may lie in; the file is opened only to draw it."""

    uri: str
    robot_file: str
    package_roots: tuple[str, ...]
    where: str


@final
@dataclass(frozen=True, slots=True)
class Visual:
    """A shape fixed in the link or frame of that name, centred on `placement`.

    `size`: a box's edges, (radius, radius, length) of a cylinder along z, a sphere's (radius, radius, radius), a
    mesh's scale. `colour` is red, green, blue, opacity from 0 to 1.
    """

    frame: str
    kind: VisualKind
    size: Vector3
    placement: Placement
    colour: tuple[float, float, float, float] | None = None
    mesh: MeshAddress | None = None
