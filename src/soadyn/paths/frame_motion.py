"""Motions of a frame in space, of which no robot needs to know: a straight line and one turn, begun and ended smoothly.

p(t) = p₀ + σ (p₁ - p₀),    R(t) = exp(σ r̃) R₀,    R₁ = exp(r̃) R₀,    σ(s) = 10 s³ - 15 s⁴ + 6 s⁵,    s = t / T
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, final

import numpy as np
from numpy.typing import ArrayLike

from soadyn.errors import ArgumentError, ShapeError
from soadyn.fork_safe import cached_property
from soadyn.mechanics.spatial import rigid
from soadyn.model.placement import Placement
from soadyn.paths.scaling import smooth
from soadyn.robot.arguments.plain_values import positive, real


@final
@dataclass(frozen=True, eq=False)
class FrameMotion:
    """A frame's motion from pose `start` to pose `end`, (4, 4) in the world, in `duration` seconds, from rest to rest.

    It is a target of task feedbacks: `sd.control.OperationalSpace(robot, {frame: motion})`.

    >>> import numpy as np, soadyn as sd
    >>> there = np.eye(4)
    >>> there[:3, 3] = 0.3, 0, 0
    >>> motion = sd.paths.FrameMotion(np.eye(4), there, 10.0)
    >>> float(motion.pose(5.0)[0, 3]), motion.twist(10.0).tolist()
    (0.15, [0.0, 0.0, 0.0, 0.0, 0.0, 0.0])
    """

    start: np.ndarray
    end: np.ndarray
    duration: float

    def __post_init__(self) -> None:
        for name in ("start", "end"):
            pose = Placement.from_matrix(getattr(self, name), what=f"the {name} of a frame's motion").matrix()
            object.__setattr__(self, name, pose)
        object.__setattr__(self, "duration", positive("duration", self.duration, "FrameMotion"))

    @cached_property
    def whole(self) -> np.ndarray:
        """The turn and the displacement from start to end, (6,) in world axes."""
        return rigid.error(self.start, self.end)

    def pose(self, t: ArrayLike) -> np.ndarray:
        """Where the frame is at times (...), (..., 4, 4); it rests before the start and after the end."""
        return rigid.on_line(self.start, self.end, self._shares(t)[0])

    def twist(self, t: ArrayLike) -> np.ndarray:
        """Its velocity, [angular; linear] in world axes, (..., 6)."""
        return np.asarray(self._shares(t)[1][..., None] / self.duration * self.whole)

    def acceleration(self, t: ArrayLike) -> np.ndarray:
        """Its acceleration, [angular; linear] in world axes, (..., 6)."""
        return np.asarray(self._shares(t)[2][..., None] / self.duration**2 * self.whole)

    def _shares(self, t: ArrayLike) -> tuple[np.ndarray, ...]:
        """σ and its derivatives by s."""
        times = real("t", t, meaning="times in seconds", of="FrameMotion")
        return tuple(np.asarray(x) for x in smooth(times / self.duration))


def target_pose(
    target: ArrayLike, start: np.ndarray, name: str, of: str
) -> tuple[np.ndarray, Literal["pose", "position"]]:
    """A target as a 4x4 pose, and which part of it counts; a position (3,) gets the orientation of the start."""
    array = real(name, target, meaning="a position (3,) or a pose (4, 4)", of=of)
    if array.shape == (4, 4):
        return Placement.from_matrix(array, what=f"the {name}").matrix(), "pose"
    if array.shape != (3,):
        raise ShapeError(f"the {name} has shape {array.shape}; expected a position (3,) or a pose (4, 4)")
    if not np.isfinite(array).all():
        raise ArgumentError(f"the {name} {array.tolist()} is not finite")
    pose = np.array(start)
    pose[:3, 3] = array
    return pose, "position"
