"""The robot of a simulation: as it is, or with values of its chosen constants for each row of a batch."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, final

import numpy as np

from soadyn.engine.engine import Engine
from soadyn.errors import ArgumentError
from soadyn.robot import Robot
from soadyn.robot.arguments.inputs import parameter_value
from soadyn.robot.checked import checked_robot
from soadyn.robot.parametric import ParametricRobot, keyword


@final
class BoundRobot:
    """The quantities of a parametric robot at given values of its parameters."""

    def __init__(self, parametric: ParametricRobot, values: Mapping[str, np.ndarray]) -> None:
        self._parametric = parametric
        self._values = {keyword(name): x for name, x in values.items()}

    def __getattr__(self, name: str) -> Callable[..., Any]:
        return partial(getattr(self._parametric, name), **self._values)


@final
@dataclass(frozen=True, slots=True, eq=False)
class Subject:
    """What is simulated: the robot, whose methods give its quantities, and the values of its parameters."""

    robot: Robot
    quantities: Any
    values: Mapping[str, np.ndarray]
    engine: Engine

    @property
    def rows(self) -> tuple[int, ...]:
        """The batch axes of the values."""
        shapes = (x.shape[: x.ndim - len(self.engine.parameters[name])] for name, x in self.values.items())
        return np.broadcast_shapes(*shapes)


def subject_of(robot: Any, parameters: Any) -> Subject:
    """A robot and the values of its parameters, checked."""
    if not isinstance(robot, ParametricRobot):
        checked_robot(robot, "simulate", closed=True)
        _parameter_values(robot, parameters)
        return Subject(robot, robot, {}, robot.engine)
    values = _parameter_values(robot, parameters)
    plain = Robot(robot.engine.model, robot.engine.backend)
    return Subject(plain, BoundRobot(robot, values), values, robot.engine)


def _parameter_values(robot: Robot | ParametricRobot, given: Any) -> dict[str, np.ndarray]:
    """The values of a simulation's parameters: all that the robot has, and no others."""
    shapes = robot.shapes if isinstance(robot, ParametricRobot) else {}
    if given is not None and not isinstance(given, Mapping):
        raise ArgumentError(f"simulate: parameters are a dict of values by name, got {type(given).__name__}")
    named = dict(given or {})
    if set(named) != set(shapes):
        wanted = ", ".join(map(repr, shapes)) or "none: take robot.parametric(...)"
        found = ", ".join(map(repr, named)) or "none"
        raise ArgumentError(f"simulate: the parameters of robot {robot.name!r} are {wanted}; got {found}")
    values = {name: parameter_value(name, shape, named[name]).astype(float) for name, shape in shapes.items()}
    for name, value in values.items():
        if name.endswith((".damping", ".friction")) and not (value >= 0).all():
            raise ArgumentError(f"simulate: parameter {name!r} must be zero or more, got {value.min()}")
    return values
