"""Paths in the space of configurations: q as a function of s from 0 to 1, with its first two derivatives.

A line follows the exponential, q(s) = q0 exp(s d), on any joints. A spline is a natural cubic one through points, of
all coordinates alike; quaternions on it are brought to unit length.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, final

import numpy as np
from numpy.typing import ArrayLike

from soadyn.errors import ArgumentError, ShapeError
from soadyn.fork_safe import cached_property
from soadyn.mechanics.spatial.reading import NotNumbersError, real_array
from soadyn.paths.curve_rates import joint_motion, nearest_signs
from soadyn.robot import Robot
from soadyn.robot.arguments import arguments
from soadyn.robot.arguments.plain_values import real


@final
@dataclass(frozen=True, eq=False, repr=False)
class Path:
    """q(s) of one robot for s from 0 to 1, made by `line`, `spline`, `cartesian_line` or `arc`.

    knots   the places of the points in s, (n,), from 0 to 1
    points  configurations there, (n, nq)

    >>> import soadyn as sd
    >>> path = sd.paths.line(sd.load("planar_two_link"), [0.0, 0.0], [1.0, 2.0])
    >>> q, first, second = path.at(0.25)
    >>> q.tolist(), first.tolist(), second.tolist()
    ([0.25, 0.5], [1.0, 2.0], [0.0, 0.0])
    """

    robot: Robot
    knots: np.ndarray
    points: np.ndarray

    @cached_property
    def _spline(self) -> Any:
        from scipy.interpolate import CubicSpline

        return CubicSpline(self.knots, self.points, bc_type="natural")

    @property
    def bends(self) -> bool:
        """Is it more than a line?"""
        return len(self.knots) > 2 and bool(self._spline.c[:2].any())

    def __repr__(self) -> str:
        return f"<Path of {self.robot.name!r} through {len(self.points)} points>"

    def at(self, s: ArrayLike) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """q (..., nq), dq/ds and d²q/ds² (..., nv) at places s (...)."""
        places = np.clip(real("s", s, meaning="places from 0 to 1", of="a path"), 0.0, 1.0)
        if len(self.knots) == 2:  # a line, on any joints
            d = self.robot.difference(self.points[0], self.points[1])
            first = np.broadcast_to(d, (*places.shape, self.robot.nv))
            return self.robot.integrate(self.points[0], places[..., None] * d), np.array(first), np.zeros(first.shape)
        return joint_motion(self.robot, *(self._spline(places, order) for order in range(3)))


def line(robot: Robot, start: ArrayLike, end: ArrayLike) -> Path:
    """The straight way between two configurations; turns of a quaternion by at most half a revolution.

    >>> import soadyn as sd
    >>> sd.paths.line(sd.load("ur5"), [0.0] * 6, [1.0] * 6)
    <Path of 'ur5' through 2 points>
    """
    points = configurations(robot, [start, end], "line")
    return Path(robot, np.array([0.0, 1.0]), points)


def spline(robot: Robot, points: ArrayLike, knots: ArrayLike | None = None) -> Path:
    """The natural cubic spline through points (n, nq); knots (n,) from 0 to 1, by the points' distances if omitted.

    Quaternions turn by less than a whole revolution from point to point, the shorter way.

    >>> import soadyn as sd
    >>> path = sd.paths.spline(sd.load("planar_two_link"), [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0]])
    >>> path.at(path.knots)[0].round(12).tolist()
    [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0]]
    """
    q = nearest_signs(robot, configurations(robot, points, "spline"))
    return Path(robot, _knots(robot, q, knots), q)


def configurations(robot: Robot, points: Any, of: str) -> np.ndarray:
    """At least two finite configurations (n, nq)."""
    if not isinstance(robot, Robot):
        raise ArgumentError(f"{of} takes a Robot, as sd.load makes them, got {type(robot).__name__}")
    q = arguments.coordinates(robot.engine.coordinates, points, "points")
    if q.ndim != 2 or len(q) < 2:
        raise ShapeError(f"{of} takes at least two configurations (n, {robot.nq}), got shape {q.shape}")
    if q.dtype != float or not np.isfinite(q).all():
        raise ArgumentError(f"{of}: points must be finite real numbers")
    return q


def ascending(x: Any) -> np.ndarray:
    """Places (n,) that ascend from 0 to 1; none if x is something else."""
    try:
        places = real_array(x)
    except NotNumbersError:
        return np.zeros(0)
    ends = places.ndim == 1 and len(places) > 1 and places[0] == 0 and places[-1] == 1
    return places if ends and (np.diff(places) > 0).all() else np.zeros(0)


def _knots(robot: Robot, q: np.ndarray, knots: ArrayLike | None) -> np.ndarray:
    if knots is None:
        apart = np.linalg.norm(robot.difference(q[:-1], q[1:]), axis=-1)
        if not (apart > 0).all():
            raise ArgumentError(f"spline: points {int(np.argmin(apart))} and {int(np.argmin(apart)) + 1} are the same")
        return np.concatenate([[0.0], np.cumsum(apart)]) / apart.sum()
    places = ascending(knots)
    if len(places) != len(q):
        raise ArgumentError(f"spline: {len(q)} points need as many knots that ascend from 0 to 1, got {knots!r:.80}")
    return places
