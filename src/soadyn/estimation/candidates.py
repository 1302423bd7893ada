"""Where a robot may be touched: candidate points, given or spread over the shapes of its links."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, final

import numpy as np
from numpy.typing import ArrayLike

from soadyn.errors import ArgumentError
from soadyn.estimation.shapes import shape_points
from soadyn.model.model import Frame
from soadyn.robot import Robot
from soadyn.robot.arguments import arguments
from soadyn.robot.arguments.arguments import FrameLike
from soadyn.robot.arguments.plain_values import positive, real
from soadyn.robot.checked import checked_robot

PointLike = tuple[FrameLike, ArrayLike]


class SurfacePoints(NamedTuple):
    """Candidate points [(frame, xyz), ...] and the outward normals there, (points, 3), in axes of these frames.

    >>> import soadyn as sd
    >>> found = sd.estimation.sample_surface(sd.load("panda"), 0.1)
    >>> len(found.points) == len(found.normals)
    True
    """

    points: list[tuple[str, np.ndarray]]
    normals: np.ndarray


def sample_surface(robot: Robot, spacing: float = 0.05) -> SurfacePoints:
    """Points spread over the boxes, cylinders and spheres that the robot's file draws, about `spacing` metres apart.

    Meshes are passed over: give points of your own there.

    >>> import soadyn as sd
    >>> points, normals = sd.estimation.sample_surface(sd.load("panda"), 0.05)
    >>> points[0][0], normals.shape == (len(points), 3)
    ('panda_link1', True)
    """
    checked_robot(robot, "sample_surface")
    spacing = positive("spacing", spacing, "sample_surface")
    points, normals = [], []
    for visual in robot.model.visuals:
        if robot.model.frame(visual.frame).link == 0:
            continue
        R, p = np.array(visual.placement.rotation), np.array(visual.placement.position)
        places, outward = shape_points(visual.kind, visual.size, spacing)
        points += [(visual.frame, p + R @ x) for x in places]
        normals += [R @ n for n in outward]
    if not points:
        raise ArgumentError(
            f"robot {robot.name!r} has no moving link drawn as a box, cylinder or sphere; give points of your own"
        )
    return SurfacePoints(points, np.array(normals).reshape(-1, 3))


@final
@dataclass(frozen=True, eq=False)
class Candidates:
    """Points by link: names and places of each, in axes of the moving link that carries it."""

    links: tuple[str, ...]
    places: np.ndarray  # (points, 3)
    normals: np.ndarray | None  # (points, 3), outward

    def of_link(self, link: str) -> np.ndarray:
        """The places in the lists of a link's points."""
        return np.array([i for i, name in enumerate(self.links) if name == link])


def candidates_of(robot: Robot, points: Any, normals: ArrayLike | None) -> Candidates:
    """Points in the axes of frames as points in the axes of the links that carry them, checked."""
    if not isinstance(points, Sequence) or isinstance(points, str) or not points:
        raise ArgumentError(f"points is a list of (frame, xyz), got {points!r:.60}")
    for point in points:
        if not isinstance(point, tuple | list) or len(point) != 2:
            raise ArgumentError(f"a point is (frame, xyz), got {point!r:.60}")
    given = _triples("points", [point[1] for point in points], len(points))
    frames = [_moving_frame(robot, point[0]) for point in points]
    R = np.array([frame.placement.rotation for frame in frames])
    places = (R @ given[..., None])[..., 0] + np.array([frame.placement.position for frame in frames])
    turned = None
    if normals is not None:
        outward = _triples("normals", normals, len(points))
        length = np.linalg.norm(outward, axis=-1, keepdims=True)
        if not (length > 0).all():
            row = int(np.flatnonzero(length[:, 0] == 0)[0])
            raise ArgumentError(f"normals: the normal of point {row} is zero and points nowhere; give its direction")
        turned = (R @ (outward / length)[..., None])[..., 0]
    return Candidates(tuple(robot.model.links[frame.link - 1].name for frame in frames), places, turned)


def _moving_frame(robot: Robot, name: FrameLike) -> Frame:
    frame = arguments.frame(robot.model, name)
    if frame.link == 0:
        raise ArgumentError(f"a point is on {frame.name!r}, which is fixed to the ground: no joint feels it")
    return frame


def _triples(name: str, x: Any, count: int) -> np.ndarray:
    values = real(name, x, 3, meaning="three coordinates for each point", of="locate_contact")
    if values.shape != (count, 3) or not np.isfinite(values).all():
        raise ArgumentError(f"{name} holds {values.shape} numbers; expected ({count}, 3), all finite")
    return values
