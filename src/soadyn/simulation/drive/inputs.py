"""Checks of a simulation's arguments; torques and wrenches as functions of (t, q, v) whose results are checked."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from soadyn.errors import ArgumentError, ShapeError
from soadyn.robot import Robot
from soadyn.robot.arguments import arguments
from soadyn.robot.arguments.arguments import ExternalLike
from soadyn.robot.arguments.plain_values import floats
from soadyn.simulation.drive.time_series import TimeSeries

Controller = Callable[[float, np.ndarray, np.ndarray], ArrayLike]
ControlLike = ArrayLike | Controller | TimeSeries | None
Wrenches = Callable[[float, np.ndarray, np.ndarray], ExternalLike]
Torque = Callable[[float, np.ndarray, np.ndarray], np.ndarray]
External = Callable[[float, np.ndarray, np.ndarray], np.ndarray | None]


def initial_state(
    robot: Robot,
    q0: Any,
    v0: Any,
    rows: tuple[int, ...] = (),
    names: tuple[str, str] = ("q0", "v0"),
    **constants: Any,
) -> tuple[np.ndarray, np.ndarray]:
    """q0 and v0 as floats, spread over `rows` and the batch axes of both and of what else is constant: a torque."""
    space, (of_q, of_v) = robot.engine.coordinates, names
    given = {of_q: arguments.coordinates(space, q0, of_q)}
    given[of_v] = np.zeros(robot.nv) if v0 is None else arguments.joint_vector(space, v0, of_v)
    for name, x in constants.items():
        if isinstance(x, TimeSeries):
            given[name] = arguments.joint_vector(space, x.values[0], name)
        elif x is not None and not callable(x):
            given[name] = arguments.joint_vector(space, x, name)
    given = {name: floats(x, f"argument {name!r}") for name, x in given.items()}
    given["parameters"] = np.zeros((*rows, 0))
    batch = arguments.batch_shape(given, dict.fromkeys(given, 1))
    q = np.broadcast_to(given[of_q], (*batch, robot.nq)).astype(float)
    return q, np.broadcast_to(given[of_v], (*batch, robot.nv)).astype(float)


def control_of(robot: Robot, control: ControlLike, batch: tuple[int, ...]) -> Torque:
    """The joint forces at (t, q, v), (*batch, nv)."""
    shape = (*batch, robot.nv)
    if control is None or not callable(control):
        constant = np.zeros(robot.nv) if control is None else np.asarray(control, dtype=float)
        spread = np.broadcast_to(constant, shape)
        return lambda t, q, v: spread
    return joint_function(robot, control, "control", ("t", "q", "v"), batch)


def joint_function(
    robot: Robot, function: Callable[..., Any], usual: str, takes: tuple[str, ...], batch: tuple[int, ...]
) -> Callable[..., np.ndarray]:
    """The caller's function of time and state, its results checked and spread to (*batch, nv)."""
    what = f"{_name(function, usual)}({', '.join(takes)})"
    return lambda t, *state: joint_result(robot, what, t, function(t, *state), batch)


def joint_result(robot: Robot, what: str, t: float, result: Any, batch: tuple[int, ...]) -> np.ndarray:
    """What a caller's function gave, checked and spread to (*batch, nv); never the caller's own array."""
    shape = (*batch, robot.nv)
    if type(result) is np.ndarray and result.dtype == np.float64 and result.shape == shape:
        return result.copy()
    return spread(arguments.joint_vector(robot.engine.coordinates, _returned(result, what, t), what), shape, what)


def _returned(result: Any, what: str, t: float) -> Any:
    if result is None:
        raise ArgumentError(f"{what} gave None at t = {t:.6g} s; is a `return` missing?")
    return result


def control_name(control: Any) -> str:
    """What messages call a control that is a function."""
    return f"{_name(control, 'control')}(t, q, v)"


def external_of(
    robot: Robot, external: ExternalLike | TimeSeries | Wrenches | None, batch: tuple[int, ...]
) -> External:
    """The wrenches on the links at (t, q, v), (*batch, links, 6), or None."""
    if external is None:
        return lambda t, q, v: None
    shape = (*batch, len(robot.link_names), 6)
    if not callable(external):
        constant = spread(arguments.external(robot.engine.constants, external), shape, "external")
        return lambda t, q, v: constant
    what = f"{_name(external, 'external')}(t, q, v)"

    def checked(t: float, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        wrenches = _returned(external(t, q, v), what, t)
        try:
            return spread(arguments.external(robot.engine.constants, wrenches), shape, what)
        except ShapeError as error:
            raise ShapeError(str(error).replace("argument 'external'", f"the result of {what}")) from None

    return checked


def _name(function: Any, usual: str) -> str:
    name = getattr(function, "__name__", usual)
    return usual if isinstance(function, Mapping) or name == "<lambda>" else str(name)


def spread(array: np.ndarray, shape: tuple[int, ...], what: str) -> np.ndarray:
    """Real numbers as floats of that shape, which theirs must broadcast to."""
    try:
        return np.broadcast_to(floats(array, what), shape).astype(float)
    except ValueError:
        raise ShapeError(f"{what} has shape {array.shape}, which does not fit the states' {shape}") from None
