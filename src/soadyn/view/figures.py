"""Figures of a robot beside its sliders: where its tip is, what it takes to hold it there, its potential energy."""

from __future__ import annotations

from typing import Any, final

import numpy as np

from soadyn.errors import visible
from soadyn.view.display.tables import number, numbers
from soadyn.view.motions import ShownMotion

MOST_JOINTS = 12  # a longer list would cover the robot


@final
class Figures:
    """Text in a live view's panel that follows a robot which stands still; empty for what has no dynamics."""

    def __init__(self, gui: Any, motion: ShownMotion, frame: str | None) -> None:
        self._robot: Any = motion.robot
        self._known = all(hasattr(self._robot, name) for name in ("gravity_force", "potential_energy", "joint_dofs"))
        self._frame = tip(motion) if frame is None else frame
        self._shown = gui.add_markdown(self.text(motion.q[0])) if self._known else None

    def put(self, q: np.ndarray) -> None:
        """Show the figures at another configuration."""
        if self._shown is not None:
            self._shown.content = self.text(q)

    def text(self, q: np.ndarray) -> str:
        """The figures as Markdown; names come from files, so they stand there as text."""
        robot = self._robot
        at, held = robot.pose(q, self._frame)[:3, 3], robot.gravity_force(q)
        lines = [
            f"**{_plain(self._frame)}** at {numbers(np.round(at, 4))} m",
            f"potential energy {number(float(robot.potential_energy(q)))} J",
            "held against gravity by (N m, N)",
        ]
        for name in robot.joint_names[:MOST_JOINTS]:
            lines.append(f"{_plain(name)}: {numbers(np.round(held[list(robot.joint_dofs(name))], 4))}")
        if (more := len(robot.joint_names) - MOST_JOINTS) > 0:
            lines.append(f"and {more} more")
        return "  \n".join(lines)


def tip(motion: ShownMotion) -> str:
    """The last frame of the file: robots' files end with tools."""
    return list(motion.robot.model.frame_index)[-1]


def _plain(name: str) -> str:
    """A name that Markdown shows as it is: what could mean something is written as a number."""
    return "".join(c if c.isalnum() or c in " -." else f"&#{ord(c)};" for c in visible(name))
