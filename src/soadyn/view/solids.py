"""Triangle meshes of simple solids. Corners are repeated where an edge must look sharp: viewers blend shared ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from soadyn.mechanics.spatial.rotation import onto
from soadyn.model.placement import Placement

AROUND = 24  # corners of a circle
HALF_RINGS = 6  # rings of a half ball


@final
@dataclass(frozen=True, slots=True, eq=False)
class Solid:
    """Vertices (n, 3) in metres and faces (m, 3), counter-clockwise seen from outside."""

    vertices: np.ndarray
    faces: np.ndarray

    def moved(self, placement: Placement) -> Solid:
        """The solid in the frame in which its own frame is placed."""
        return Solid(self.vertices @ np.array(placement.rotation).T + np.array(placement.position), self.faces)

    @property
    def corners(self) -> np.ndarray:
        """The eight corners of the box around it."""
        low, high = self.vertices.min(axis=0), self.vertices.max(axis=0)
        return np.array([np.where([i & 1, i & 2, i & 4], high, low) for i in range(8)])


def merged(solids: Sequence[Solid]) -> Solid:
    """Several solids as one mesh.

    >>> merged([ball(1.0), ball(2.0)]).vertices.shape[0] == 2 * ball(1.0).vertices.shape[0]
    True
    """
    starts = np.cumsum([0, *(len(solid.vertices) for solid in solids)])
    faces = [solid.faces + start for solid, start in zip(solids, starts, strict=False)]
    return Solid(np.concatenate([solid.vertices for solid in solids]), np.concatenate(faces))


def ball(radius: float, centre: Any = (0.0, 0.0, 0.0)) -> Solid:
    """A ball.

    >>> bool(np.allclose(np.linalg.norm(ball(2.0).vertices, axis=1), 2.0))
    True
    """
    return capsule(centre, centre, radius)


def capsule(start: Any, end: Any, radius: float) -> Solid:
    """A round rod between two points with a half ball on each end.

    >>> capsule((0, 0, 0), (0, 0, 3), 0.5).vertices[:, 2].max().item()
    3.5
    """
    a, b = np.asarray(start, dtype=float), np.asarray(end, dtype=float)
    length = float(np.linalg.norm(b - a))
    rise = np.linspace(0, np.pi / 2, HALF_RINGS + 1)
    # from the lower pole to the upper one; the two widest rings bound the cylinder
    z = radius * np.concatenate([-np.sin(rise[::-1]), np.sin(rise)])
    r = radius * np.concatenate([np.cos(rise[::-1]), np.cos(rise)])
    z[HALF_RINGS + 1 :] += length
    body = _turned(z, r)
    R = onto((b - a) / length) if length > 0 else np.eye(3)
    return body.moved(Placement.of(R, a))


def cylinder(radius: float, length: float) -> Solid:
    """A cylinder along z with flat ends, centred on the origin.

    >>> cylinder(1.0, 4.0).corners[-1].tolist()
    [1.0, 1.0, 2.0]
    """
    h = length / 2
    return _turned(np.array([-h, -h, -h, h, h, h]), np.array([0.0, radius, radius, radius, radius, 0.0]), (1, 3))


def box(size: Any) -> Solid:
    """A box with edges `size`, centred on the origin.

    >>> box((1, 2, 3)).vertices.shape, box((1, 2, 3)).faces.shape
    ((24, 3), (12, 3))
    """
    sides = []
    for axis in range(3):
        for sign in (1.0, -1.0):
            normal = np.zeros(3)
            normal[axis] = sign
            across = np.roll(np.abs(normal), 1)
            up = np.cross(normal, across)
            corners = [normal + across * i + up * j for i, j in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
            sides.append(Solid(np.array(corners), np.array([[0, 1, 2], [0, 2, 3]])))
    unit = merged(sides)
    return Solid(unit.vertices * np.asarray(size, dtype=float) / 2, unit.faces)


def _turned(z: np.ndarray, r: np.ndarray, unjoined: tuple[int, ...] = ()) -> Solid:
    """The surface that rings of radius r at height z sweep; rings i and i + 1 are not joined for i in `unjoined`."""
    angle = 2 * np.pi * np.arange(AROUND) / AROUND
    ring = np.stack([np.cos(angle), np.sin(angle)], axis=-1)
    vertices = np.concatenate(
        [np.column_stack([x * ring, np.full(AROUND, height)]) for height, x in zip(z, r, strict=True)]
    )
    here, there = np.arange(AROUND), np.roll(np.arange(AROUND), -1)
    faces = []
    for i in range(len(z) - 1):
        if i not in unjoined:
            low, high = i * AROUND, (i + 1) * AROUND
            faces.append(np.column_stack([low + here, low + there, high + there]))
            faces.append(np.column_stack([low + here, high + there, high + here]))
    return Solid(vertices, np.concatenate(faces))
