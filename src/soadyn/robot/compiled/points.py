"""Operational points of a formula: frames found in a robot, and what programs read of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, final

from soadyn.engine.constants.constants import Constants
from soadyn.errors import ArgumentError
from soadyn.model.model import Frame
from soadyn.programs.sweep.inputs import is_frame
from soadyn.robot import Robot
from soadyn.robot.arguments import arguments
from soadyn.robot.arguments.arguments import FrameLike


@final
@dataclass(frozen=True, slots=True)
class Point:
    """A frame, and as what it was given."""

    frame: Frame
    given: FrameLike


def is_list(x: Any) -> bool:
    """Does an argument hold several things? Neither text does nor an array without axes, though both are iterable."""
    return isinstance(x, Iterable) and not isinstance(x, str) and getattr(x, "shape", None) != ()


def points_of(robot: Robot, frames: Sequence[FrameLike]) -> tuple[Point, ...]:
    """The frames of a formula, found in the robot."""
    if isinstance(frames, str):
        raise ArgumentError(f"frames takes a list of frames, got the text {frames!r}; write [{frames!r}]")
    if not is_list(frames):
        raise ArgumentError(f"frames takes a list of frames, got {frames!r}")
    return tuple(Point(arguments.frame(robot.model, frame), frame) for frame in frames)


def point_input(constants: Constants, points: Sequence[Point], name: str) -> Any:
    """What a program reads of a point: where it is, or which link carries it."""
    frame = points[int(name.partition("$")[2])].frame
    return arguments.placed(constants, frame) if is_frame(name) else arguments.marked(constants, [frame.link])
