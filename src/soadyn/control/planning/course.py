"""The way of a frame from one pose to another: a straight line and one turn, smoothly begun and ended.

p(t) = p₀ + σ (p₁ - p₀),    R(t) = exp(σ r̃) R₀,    R₁ = exp(r̃) R₀,    σ(s) = 10 s³ - 15 s⁴ + 6 s⁵,    s = t / T
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, final

import numpy as np
from numpy.typing import ArrayLike

from soadyn.errors import ArgumentError, ShapeError
from soadyn.fork_safe import cached_property
from soadyn.mechanics.spatial import rigid, rotation
from soadyn.model.placement import Placement
from soadyn.robot.arguments.plain_values import positive, real


def smooth(s: np.ndarray | float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The quintic σ from 0 to 1 and its first two derivatives; both vanish at the ends, and it stays there.

    >>> [float(x) for x in smooth(0.5)]
    [0.5, 1.875, 0.0]
    """
    s = np.clip(s, 0.0, 1.0)
    r = 1.0 - s
    return s**3 * (10 - 15 * s + 6 * s * s), 30 * s * s * r * r, 60 * s * r * (1 - 2 * s)


def target_pose(target: ArrayLike, start: np.ndarray) -> tuple[np.ndarray, Literal["pose", "position"]]:
    """A target as a 4x4 pose, and which part of it counts; a position (3,) gets the orientation of the start."""
    array = real("target", target, meaning="a position (3,) or a pose (4, 4)", of="a plan")
    if array.shape == (4, 4):
        return Placement.from_matrix(array, what="the target").matrix(), "pose"
    if array.shape != (3,):
        raise ShapeError(f"the target has shape {array.shape}; expected a position (3,) or a pose (4, 4)")
    if not np.isfinite(array).all():
        raise ArgumentError(f"the target {array.tolist()} is not finite")
    pose = np.array(start)
    pose[:3, 3] = array
    return pose, "position"


@final
@dataclass(frozen=True, eq=False)
class Course:
    """A frame's way from `start` to `target`, 4x4 poses in the world, in `duration` seconds.

    >>> import numpy as np, soadyn as sd
    >>> there = np.eye(4)
    >>> there[:3, 3] = 0.3, 0, 0
    >>> course = sd.control.Course(np.eye(4), there, 10.0)
    >>> course.pose(5.0)[0, 3], course.twist(10.0).tolist()
    (np.float64(0.15), [0.0, 0.0, 0.0, 0.0, 0.0, 0.0])
    """

    start: np.ndarray
    target: np.ndarray
    duration: float

    def __post_init__(self) -> None:
        for name in ("start", "target"):
            pose = Placement.from_matrix(getattr(self, name), what=f"the {name} of a course").matrix()
            object.__setattr__(self, name, pose)
        object.__setattr__(self, "duration", positive("duration", self.duration))

    @cached_property
    def whole(self) -> np.ndarray:
        """The turn and the displacement from start to target, (6,)."""
        return rigid.error(self.start, self.target)

    def pose(self, t: float) -> np.ndarray:
        """Where the frame should be at t, (4, 4)."""
        way = float(smooth(t / self.duration)[0]) * self.whole
        pose = np.array(self.start)
        pose[:3, :3] = rotation.from_vector(way[:3]) @ self.start[:3, :3]
        pose[:3, 3] += way[3:]
        return pose

    def twist(self, t: float) -> np.ndarray:
        """Its velocity at t, (6,) in world axes."""
        return np.asarray(smooth(t / self.duration)[1] / self.duration * self.whole)

    def acceleration(self, t: float) -> np.ndarray:
        """Its acceleration at t, (6,) in world axes."""
        return np.asarray(smooth(t / self.duration)[2] / self.duration**2 * self.whole)
