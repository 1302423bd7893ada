"""A robot among the arguments of a function, checked."""

from __future__ import annotations

from typing import Any

from soadyn.errors import ArgumentError
from soadyn.robot.robot import Robot


def checked_robot(robot: Any, of: str, moving: bool = False) -> Robot:
    """The robot, if it is one, and if asked for one that has joints; `of` is who asks."""
    if not isinstance(robot, Robot):
        raise ArgumentError(f"{of} takes a Robot, as sd.load makes them, got {type(robot).__name__}")
    if robot.model.closures:
        raise ArgumentError(
            f"{of} knows no closures yet, and robot {robot.name!r} has {robot.closures[0].name!r}; robot.open() is the "
            "tree"
        )
    if moving and robot.nv == 0:
        raise ArgumentError(f"{of}: robot {robot.name!r} has no joints")
    return robot
