"""What a planned and a simulated reach have in common: how far frame and base are from where they should be."""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np

from soadyn.control.feedback.free_root import floating
from soadyn.control.planning.demands import Demands
from soadyn.fork_safe import cached_property
from soadyn.mechanics.spatial import rigid
from soadyn.robot import Robot


class Reach(ABC):
    """States in time of a robot whose frame should come to a target."""

    @abstractmethod
    def _states(self) -> tuple[Demands, np.ndarray, np.ndarray]:
        """The demands, the target's pose (4, 4) and the coordinates (T, nq)."""

    @property
    def robot(self) -> Robot:
        """The robot that moves."""
        return self._states()[0].robot

    @cached_property
    def errors(self) -> np.ndarray:
        """What is left to the target, (T, 6): [turn; displacement] in world axes."""
        demands, target, q = self._states()
        return rigid.error(demands.robot.pose(q, demands.frame), target)

    @property
    def position_error(self) -> np.ndarray:
        """The frame's distance from the target, m, (T,)."""
        return np.linalg.norm(self.errors[:, 3:], axis=-1)

    @property
    def angle_error(self) -> np.ndarray:
        """The angle by which the frame is turned from the target, rad, (T,)."""
        return np.linalg.norm(self.errors[:, :3], axis=-1)

    @cached_property
    def _base(self) -> np.ndarray:
        """The motion since the start, (T, 6), [turn; displacement], of the link that floats; zero if none does."""
        robot, q = self.robot, self._states()[2]
        if not floating(robot):
            return np.zeros((len(q), 6))
        root = robot.pose(q, robot.link_names[0])
        return rigid.error(root, root[0])

    @property
    def base_turn(self) -> np.ndarray:
        """The angle by which the root link has turned since the start, rad, (T,)."""
        return np.linalg.norm(self._base[:, :3], axis=-1)

    @property
    def base_shift(self) -> np.ndarray:
        """The distance by which the root link has moved since the start, m, (T,)."""
        return np.linalg.norm(self._base[:, 3:], axis=-1)

    def _missing(self) -> str:
        """What is left to the target at the end, for people."""
        turned = "" if self._states()[0].of_frame == "position" else f" and {np.degrees(self.angle_error[-1]):.2g} deg"
        return f"{1e3 * self.position_error[-1]:.2g} mm{turned}"
