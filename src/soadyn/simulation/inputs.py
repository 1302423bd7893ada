"""What the caller lets act on the robot, as functions of (t, q, v) whose results are checked."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from soadyn.errors import ArgumentError, ShapeError
from soadyn.evaluation import arguments
from soadyn.evaluation.arguments import ExternalLike
from soadyn.robot import Robot

Controller = Callable[[float, np.ndarray, np.ndarray], ArrayLike]
TorqueLike = ArrayLike | Controller | None
Wrenches = Callable[[float, np.ndarray, np.ndarray], ExternalLike]
Torque = Callable[[float, np.ndarray, np.ndarray], np.ndarray]
External = Callable[[float, np.ndarray, np.ndarray], np.ndarray | None]


def initial_state(robot: Robot, q0: Any, v0: Any, **constants: Any) -> tuple[np.ndarray, np.ndarray]:
    """q0 and v0 as floats, spread over the batch axes of both and of what else is constant, such as a torque."""
    space = robot.engine.coordinates
    given = {"q0": arguments.coordinates(space, q0, "q0")}
    given["v0"] = np.zeros(robot.nv) if v0 is None else arguments.joint_vector(space, v0, "v0")
    for name, x in constants.items():
        if x is not None and not callable(x):
            given[name] = arguments.joint_vector(space, x, name)
    for name, x in given.items():
        if x.dtype.kind != "f":
            raise ShapeError(f"argument {name!r} has dtype {x.dtype}; a simulation takes real numbers")
    batch = arguments.batch_shape(given, dict.fromkeys(given, 1))
    q = np.broadcast_to(given["q0"], (*batch, robot.nq)).astype(float)
    return q, np.broadcast_to(given["v0"], (*batch, robot.nv)).astype(float)


def torque_of(robot: Robot, torque: TorqueLike, batch: tuple[int, ...]) -> Torque:
    """The joint forces at (t, q, v), (*batch, nv)."""
    shape = (*batch, robot.nv)
    if torque is None or not callable(torque):
        constant = np.zeros(robot.nv) if torque is None else np.asarray(torque, dtype=float)
        spread = np.broadcast_to(constant, shape)
        return lambda t, q, v: spread
    return joint_function(robot, torque, "torque", ("t", "q", "v"), batch)


def joint_function(
    robot: Robot, function: Callable[..., Any], usual: str, takes: tuple[str, ...], batch: tuple[int, ...]
) -> Callable[..., np.ndarray]:
    """The caller's function of time and state, its results checked and spread to (*batch, nv)."""
    what = f"{_name(function, usual)}({', '.join(takes)})"

    def checked(t: float, *state: np.ndarray) -> np.ndarray:
        result = function(t, *state)
        if result is None:
            raise ArgumentError(f"{what} gave None at t = {t:.6g} s; is a `return` missing?")
        array = arguments.joint_vector(robot.engine.coordinates, result, what)
        if array.dtype.kind != "f":
            raise ShapeError(f"{what} gave numbers of dtype {array.dtype}; expected real numbers")
        return spread(array, (*batch, robot.nv), what)

    return checked


def external_of(robot: Robot, external: ExternalLike | Wrenches | None, batch: tuple[int, ...]) -> External:
    """The wrenches on the links at (t, q, v), (*batch, links, 6), or None."""
    if external is None:
        return lambda t, q, v: None
    shape = (*batch, len(robot.link_names), 6)
    if not callable(external):
        constant = spread(arguments.external(robot.engine.constants, external), shape, "external")
        return lambda t, q, v: constant
    what = f"{_name(external, 'external')}(t, q, v)"

    def checked(t: float, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        wrenches = external(t, q, v)
        if wrenches is None:
            raise ArgumentError(f"{what} gave None at t = {t:.6g} s; is a `return` missing?")
        try:
            return spread(arguments.external(robot.engine.constants, wrenches), shape, what)
        except ShapeError as error:
            raise ShapeError(str(error).replace("argument 'external'", f"the result of {what}")) from None

    return checked


def positive(name: str, x: Any, of: str = "simulate") -> float:
    """A time or speed that must be positive and finite."""
    try:
        number = float(x)
    except (TypeError, ValueError):
        number = float("nan")
    if not 0 < number < float("inf"):
        raise ArgumentError(f"{of}: {name} must be a positive number, got {x!r}")
    return number


def _name(function: Any, usual: str) -> str:
    name = getattr(function, "__name__", usual)
    return usual if isinstance(function, Mapping) or name == "<lambda>" else str(name)


def spread(array: np.ndarray, shape: tuple[int, ...], what: str) -> np.ndarray:
    try:
        return np.broadcast_to(array, shape).astype(float)
    except ValueError:
        raise ShapeError(f"{what} has shape {array.shape}, which does not fit the states' {shape}") from None
