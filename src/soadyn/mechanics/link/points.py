"""Level 6 - operational points: frames fixed in links, the forces on them and their motion along the world's axes.

A vector at points has six numbers [angular; linear] for each of them, one below the other. Every link works with its
own share of it: `at_point` is 1 for a point that the link carries and 0 for all others. With R the link's rotation in
the world, and l the way from the link to the point along the link's axes,

    B(k) = [R*, l̃ R*; 0, R*]    for a point on link k
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from soadyn.mechanics.joint import JointKind
from soadyn.mechanics.spatial.arithmetic import Array, cross, rows_of, stacked
from soadyn.mechanics.spatial.transform import Transform
from soadyn.mechanics.spatial.vector import Spatial

NUMBERS = 6  # of a point


def force_on_link(pose: Transform, *points_marks_f: Any) -> Spatial:
    """B(k) f: forces f at the points as a force on the link; first come all placements, then all `at_point`."""
    *placed, f = points_marks_f
    points, marks = placed[: len(placed) // 2], placed[len(placed) // 2 :]
    total = Spatial.zero()
    for point, mark, own in zip(points, marks, _each(f), strict=True):
        carried = _map(pose, point) @ Spatial.of(own)
        total = total + Spatial(mark * carried.angular, mark * carried.linear)
    return total


def motion_of_points(pose: Transform, *points_x: Any) -> Array:
    """B*(k) x: how points, all of them as if fixed in the link, move with its motion x."""
    *points, x = points_x
    return _together([(_map(pose, point).mT @ x).dense() for point in points])


def carried_points(*marks_x: Any) -> Array:
    """A link's share of a sum over the links: the numbers of x at points that it carries, and zeros."""
    *marks, x = marks_x
    return _together([mark * own for mark, own in zip(marks, _each(x), strict=True)])


def swing_of_points(joint: JointKind, V: Spatial, pose: Transform, *points: Transform) -> tuple[Array]:
    """Level 6 - what a link's turning adds to the acceleration of points on it (001 eq. 9).

    a(0) = [0; ω × (ω × l)]
    """
    omega = V.angular
    swings = [pose.R @ cross(omega, cross(omega, point.l)) for point in points]
    return (_together([Spatial(0 * swing, swing).dense() for swing in swings]),)


def pose_of_point(joint: JointKind, pose: Transform, point: Transform) -> tuple[Array]:
    """Level 7 - the pose of a point fixed in the link as twelve numbers (000 eq. 8.5).

    Y = col(y₀, y₁, y₂, y₃)    position and axes, in the world
    """
    there = pose.then(point)
    R, l = there.R, there.l
    return (stacked([*rows_of(l), *(row for j in range(3) for row in rows_of(R[..., :, j : j + 1]))]),)


def pose_wrench(Y: Array, x: Array) -> Array:
    """L_Y* x = [Σ yⱼ × xⱼ; x₀], (..., 6, 1): the wrench at the point that does the work of forces on its pose."""
    moment = cross(Y[..., 3:6, :], x[..., 3:6, :])
    for j in (6, 9):
        moment = moment + cross(Y[..., j : j + 3, :], x[..., j : j + 3, :])
    return stacked([*rows_of(moment), *rows_of(x[..., :3, :])])


def carried_pose(at_point: Array, x: Array) -> Array:
    """A link's share of a sum over the links of what belongs to the pose of a point: x if it carries the point."""
    return at_point * x


def _map(pose: Transform, point: Transform) -> Transform:
    """B(k) of a point."""
    return Transform(pose.R.mT, point.l)


def _each(x: Array) -> list[Array]:
    """The numbers of each point."""
    return [x[..., i : i + NUMBERS, :] for i in range(0, x.shape[-2], NUMBERS)]


def _together(parts: Sequence[Array]) -> Array:
    return stacked([row for part in parts for row in rows_of(part)])
