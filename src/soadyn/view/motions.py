"""What is shown, in time: robots standing still or moving, side by side, sampled at the frames of a film."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Protocol, final, runtime_checkable

import numpy as np

from soadyn.errors import ArgumentError, ShapeError
from soadyn.model.knots import interval_of
from soadyn.model.model import Model
from soadyn.robot.arguments.plain_values import single
from soadyn.view.drawing import Drawing

MOST_FRAMES_A_SECOND = 60.0
MOST_FRAMES = 1e6  # of a page
FRAMED = 40  # moments of a motion that the camera is set by


@runtime_checkable
class Movable(Protocol):
    """What is asked of a robot."""

    @property
    def model(self) -> Model: ...
    @property
    def name(self) -> str: ...
    @property
    def nq(self) -> int: ...
    def neutral(self) -> np.ndarray: ...
    def poses(self, q: Any) -> np.ndarray: ...
    def pose(self, q: Any, frame: Any) -> np.ndarray: ...
    def integrate(self, q: Any, dv: Any) -> np.ndarray: ...
    def difference(self, q0: Any, q1: Any) -> np.ndarray: ...


@runtime_checkable
class Posed(Protocol):
    """A robot at a configuration, as `Robot.at` makes it."""

    @property
    def robot(self) -> Movable: ...
    @property
    def q(self) -> np.ndarray: ...


@runtime_checkable
class MovingRobot(Protocol):
    """A robot's configurations (T, nq) at times (T,), as `simulate` makes them."""

    @property
    def robot(self) -> Movable | None: ...
    @property
    def t(self) -> np.ndarray: ...
    @property
    def q(self) -> np.ndarray: ...


Showable = Movable | Posed | MovingRobot


@final
@dataclass(frozen=True, slots=True, eq=False)
class ShownMotion:
    """A robot's configurations (T, nq) at ascending times (T,); one row if it stands still."""

    label: str
    robot: Movable
    t: np.ndarray
    q: np.ndarray

    @property
    def duration(self) -> float:
        return float(self.t[-1] - self.t[0])

    def at(self, times: np.ndarray) -> np.ndarray:
        """Configurations at times counted from the start; between records along the straight way on the manifold."""
        if len(self.t) == 1:
            return np.repeat(self.q, len(times), axis=0)
        clock = np.clip(self.t[0] + times, self.t[0], self.t[-1])
        before = interval_of(self.t, clock)
        share = (clock - self.t[before]) / (self.t[before + 1] - self.t[before])
        step = self.robot.difference(self.q[before], self.q[before + 1])
        return self.robot.integrate(self.q[before], share[:, None] * step)


def motion_of(label: str, shown: Showable) -> ShownMotion:
    """A robot, a state or a trajectory as a motion; whatever cannot be shown gets an error that names it."""
    if isinstance(shown, MovingRobot):
        robot, t, q = shown.robot, np.asarray(shown.t, dtype=float), np.asarray(shown.q, dtype=float)
        if robot is None:
            raise ArgumentError(f"{label!r} does not know its robot; give it one with trajectory.of(robot)")
    elif isinstance(shown, Posed):
        robot, t, q = shown.robot, np.zeros(1), np.asarray(shown.q, dtype=float)[None]
    elif isinstance(shown, Movable):
        robot, t, q = shown, np.zeros(1), shown.neutral()[None]
    else:
        raise ArgumentError(f"{label!r}: a robot, a state or a trajectory can be shown, got {shown!r:.80}")
    if len(t) == 0:
        raise ArgumentError(f"{label!r} is empty: there is nothing to show")
    if q.ndim != 2:
        raise ShapeError(
            f"{label!r} holds a batch of shape {q.shape[1:-1]}; choose one of them, such as q[0] or trajectory.row(0)"
        )
    if q.shape != (len(t), robot.nq):
        raise ShapeError(
            f"{label!r} has {len(t)} times and configurations of shape {q.shape}; "
            f"expected ({len(t)}, {robot.nq}) for robot {robot.name!r}"
        )
    if not np.isfinite(q).all() or not np.isfinite(t).all():
        raise ArgumentError(f"{label!r} has coordinates or times that are not finite")
    if (np.diff(t) <= 0).any():
        raise ArgumentError(f"{label!r} has times that do not ascend")
    return ShownMotion(label, robot, t, q)


def frame_times(motions: Sequence[ShownMotion], fps: float) -> np.ndarray:
    """The moments of a film of all motions, counted from their starts; just 0 if nothing moves.

    >>> frame_times([], 30.0)
    array([0.])
    """
    if not 0 < single(fps) <= MOST_FRAMES_A_SECOND:
        raise ArgumentError(
            f"fps must be above 0 and at most {MOST_FRAMES_A_SECOND:g} frames a second, got {fps!r:.80}"
        )
    fps, duration = float(fps), max((motion.duration for motion in motions), default=0.0)
    if duration * fps > MOST_FRAMES:
        raise ArgumentError(
            f"{duration:g} s at {fps:g} frames a second are {duration * fps:.3g} frames; a page holds at most "
            f"{MOST_FRAMES:g}"
        )
    whole = np.arange(np.floor(duration * fps * (1 + 1e-12)) + 1) / fps
    return np.append(whole, duration) if duration - whole[-1] > 1e-3 / fps else whole


def extent(motion: ShownMotion, figure: Drawing) -> tuple[np.ndarray, np.ndarray]:
    """The corners of the box that holds the robot throughout its motion."""
    poses = all_poses(motion.robot, motion.at(np.linspace(0.0, motion.duration, FRAMED if motion.duration else 1)))
    place = {0: 0, **{k: i for i, k in enumerate(motion.robot.model.visible, start=1)}}
    corners = [np.zeros((1, 3))]
    for part in figure.parts:
        T = poses[:, place[part.link]]
        corners.append((part.solid.corners @ T[:, :3, :3].mT + T[:, None, :3, 3]).reshape(-1, 3))
    # A robot that is nowhere near the origin should not be framed with it.
    found = np.concatenate(corners[1:] or corners)
    return found.min(axis=0), found.max(axis=0)


def all_poses(robot: Movable, q: np.ndarray) -> np.ndarray:
    """Poses of the ground and of the visible links, (T, 1 + links, 4, 4)."""
    return np.concatenate([np.broadcast_to(np.eye(4), (len(q), 1, 4, 4)), robot.poses(q)], axis=1)


def offsets(extents: Sequence[tuple[np.ndarray, np.ndarray]], spacing: float | None) -> list[np.ndarray]:
    """Where each robot's world stands: in a row along y, centred; `spacing` None is what keeps them clear."""
    places = [0.0]
    for (low0, high0), (low1, high1) in pairwise(extents):
        clear = 1.15 * float(max(high0[1] - low1[1], 0.5 * np.max(high0 - low0), 0.5 * np.max(high1 - low1)))
        places.append(places[-1] + (clear if spacing is None else spacing))
    return [np.array([0.0, y - places[-1] / 2, 0.0]) for y in places]
