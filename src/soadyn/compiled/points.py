"""Operational points: forces at frames as forces on links, and motions of links as motions of frames.

    B f    at the link that carries the frame:   [R* (N + r × F); R* F],    r from link to frame
    B* V   of that link:                         [R ω; R v + R ω × r]

Forces and motions at frames are in world axes at the frame's origin, those of links at the link's frame along its axes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import final

import numpy as np

from soadyn.errors import ArgumentError
from soadyn.evaluation import arguments
from soadyn.evaluation.arguments import FrameLike
from soadyn.model.model import Frame
from soadyn.robot import Robot


@final
@dataclass(frozen=True, slots=True)
class Point:
    """A frame and the row of the link that carries it; None for a frame of the ground."""

    frame: Frame
    row: int | None
    given: FrameLike


def points_of(robot: Robot, frames: Sequence[FrameLike]) -> tuple[Point, ...]:
    """The frames of a formula, found in the robot."""
    if isinstance(frames, str):
        raise ArgumentError(f"frames takes a list of frames, got the text {frames!r}; write [{frames!r}]")
    if not isinstance(frames, Iterable):
        raise ArgumentError(f"frames takes a list of frames, got {frames!r}")
    rows = {k: i for i, k in enumerate(robot.model.visible)}
    found = [(arguments.frame(robot.model, frame), frame) for frame in frames]
    return tuple(Point(frame, rows.get(frame.link), given) for frame, given in found)


def forces_on_links(robot: Robot, points: tuple[Point, ...], q: np.ndarray, f: np.ndarray) -> np.ndarray:
    """B f, (..., links, 6), from forces at the points, (..., 6 m)."""
    batch = np.broadcast_shapes(q.shape[:-1], f.shape[:-1])
    forces = np.zeros((*batch, len(robot.model.visible), 6), dtype=np.result_type(q, f, float))
    for i, point in enumerate(points):
        if point.row is not None:
            R, r = _placed(robot, point, q)
            moment, force = f[..., 6 * i : 6 * i + 3], f[..., 6 * i + 3 : 6 * i + 6]
            moment = moment + np.cross(r, force)
            forces[..., point.row, :3] += _turned(R.swapaxes(-1, -2), moment)
            forces[..., point.row, 3:] += _turned(R.swapaxes(-1, -2), force)
    return forces


def motions_at_points(robot: Robot, points: tuple[Point, ...], q: np.ndarray, V: np.ndarray) -> np.ndarray:
    """B* V, (..., 6 m), from motions of the links, (..., links, 6)."""
    motions = np.zeros((*V.shape[:-2], 6 * len(points)), dtype=V.dtype)
    for i, point in enumerate(points):
        if point.row is not None:
            R, r = _placed(robot, point, q)
            omega = _turned(R, V[..., point.row, :3])
            motions[..., 6 * i : 6 * i + 3] = omega
            motions[..., 6 * i + 3 : 6 * i + 6] = _turned(R, V[..., point.row, 3:]) + np.cross(omega, r)
    return motions


def swings_of_points(robot: Robot, points: tuple[Point, ...], q: np.ndarray, v: np.ndarray) -> np.ndarray:
    """a(0), (..., 6 m), in world axes (001 eq. 9).

    a(0) = [0; ω × (ω × l)],    l from the link's joint, where the papers' vectors of links stand, to the point
    """
    V = robot.link_velocities(q, v)
    swings = np.zeros((*V.shape[:-2], 6 * len(points)), dtype=V.dtype)
    for i, point in enumerate(points):
        if point.row is not None:
            R, r = _placed(robot, point, q)
            omega, l = _turned(R, V[..., point.row, :3]), r - _turned(R, _joint_in_link(robot, point))
            swings[..., 6 * i + 3 : 6 * i + 6] = np.cross(omega, np.cross(omega, l))
    return swings


def _placed(robot: Robot, point: Point, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The link's rotation, and the way from the link's to the frame's origin, both in world axes."""
    link = robot.model.links[point.frame.link - 1].name
    R = robot.pose(q, link)[..., :3, :3]
    return R, _turned(R, np.array(point.frame.placement.position))


def _joint_in_link(robot: Robot, point: Point) -> np.ndarray:
    """Where the joint of the point's link stands in the link's frame."""
    offset = robot.model.joints[point.frame.link - 1].offset.matrix()
    return np.asarray(-offset[:3, :3].T @ offset[:3, 3])


def _turned(R: np.ndarray, x: np.ndarray) -> np.ndarray:
    return np.asarray((R @ x[..., None])[..., 0])
