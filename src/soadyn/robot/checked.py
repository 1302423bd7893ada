"""A robot among the arguments of a function, checked."""

from __future__ import annotations

from typing import Any

from soadyn.errors import ArgumentError
from soadyn.robot.closed.refusing import refuse_closures
from soadyn.robot.robot import Robot


def checked_robot(robot: Any, of: str, moving: bool = False, closed: bool = False) -> Robot:
    """The robot, if it is one: with joints if it must be `moving`, and without closures unless `closed`; for `of`."""
    if not isinstance(robot, Robot):
        raise ArgumentError(f"{of} takes a Robot, as sd.load makes them, got {type(robot).__name__}")
    if not closed:
        refuse_closures(robot.model, of)
    if moving and robot.nv == 0:
        raise ArgumentError(f"{of}: robot {robot.name!r} has no joints")
    return robot
