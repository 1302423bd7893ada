"""A robot among the arguments of a function, checked."""

from __future__ import annotations

from typing import Any

from soadyn.errors import ArgumentError
from soadyn.robot.closed.refusing import refuse_closures
from soadyn.robot.robot import Robot


def checked_robot(robot: Any, of: str, moving: bool = False) -> Robot:
    """The robot, if it is one, and if asked for one that has joints; `of` is who asks."""
    if not isinstance(robot, Robot):
        raise ArgumentError(f"{of} takes a Robot, as sd.load makes them, got {type(robot).__name__}")
    refuse_closures(robot.model, of)
    if moving and robot.nv == 0:
        raise ArgumentError(f"{of}: robot {robot.name!r} has no joints")
    return robot
