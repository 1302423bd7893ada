"""Triangle meshes of simple solids, made by trimesh.

Corners are repeated where an edge must look sharp: viewers blend shared ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from soadyn.later import optional
from soadyn.mechanics.spatial.rotation import onto
from soadyn.model.placement import Placement

AROUND = 24  # corners of a circle
HALF_RINGS = 6  # rings of a half ball
SHARP = 0.5  # rad between the faces at an edge from which it looks sharp


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

    >>> round(capsule((0, 0, 0), (0, 0, 3), 0.5).vertices[:, 2].max().item(), 12)
    3.5
    """
    a, b = np.asarray(start, dtype=float), np.asarray(end, dtype=float)
    length = float(np.linalg.norm(b - a))
    rod = _shaded(_creation().capsule(height=length, radius=radius, count=[2 * HALF_RINGS + 2, AROUND]))
    middle = Solid(rod.vertices - (rod.corners[0] + rod.corners[-1]) / 2, rod.faces)
    return middle.moved(Placement.of(onto((b - a) / length) if length > 0 else None, (a + b) / 2))


def cylinder(radius: float, length: float) -> Solid:
    """A cylinder along z with flat ends, centred on the origin.

    >>> cylinder(1.0, 4.0).corners[-1].tolist()
    [1.0, 1.0, 2.0]
    """
    return _shaded(_creation().cylinder(radius=radius, height=length, sections=AROUND))


def box(size: Any) -> Solid:
    """A box with edges `size`, centred on the origin.

    >>> box((1, 2, 3)).vertices.shape, box((1, 2, 3)).faces.shape
    ((24, 3), (12, 3))
    """
    return _shaded(_creation().box(np.asarray(size, dtype=float)))


def _creation() -> Any:
    return optional("trimesh.creation", "viewing")


def _shaded(mesh: Any) -> Solid:
    """A mesh with the corners of its sharp edges repeated."""
    apart = optional("trimesh.graph", "viewing").smooth_shade(mesh, angle=SHARP)
    return Solid(np.asarray(apart.vertices, dtype=float), np.asarray(apart.faces))
