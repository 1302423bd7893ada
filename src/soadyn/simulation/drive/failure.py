"""Errors for numbers that are not finite: which number, at what time, in which joint."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, final

import numpy as np

from soadyn.errors import SingularError, errstate
from soadyn.robot import Robot
from soadyn.robot.labels import coordinate_names, rate_names

if TYPE_CHECKING:
    from soadyn.simulation.record.trajectory import Trajectory


@final
class SimulationError(SingularError):
    """A simulation met a number that is not finite. `trajectory` is what was done until then, None if nothing was.

    >>> import numpy as np, soadyn as sd
    >>> arm = sd.load("planar_two_link")
    >>> try:
    ...     sd.simulate(arm, [0.0, 0.0], control=lambda t, q, v: np.full(2, np.nan), duration=0.1, step=0.01)
    ... except sd.SimulationError as error:
    ...     print("joint1" in str(error))
    True
    """

    trajectory: Trajectory | None = None


def check_finite(robot: Robot, t: float, what: str, x: np.ndarray) -> None:
    """Every joint's force, or acceleration, is finite."""
    if not np.isfinite(x).all():
        raise _stopped(t, what, x, rate_names(robot), "")


def check_state(robot: Robot, t: float, q: np.ndarray, v: np.ndarray) -> None:
    """Every coordinate and speed is finite."""
    advice = "; the motion ran away: try a shorter step or gentler forces" if t > 0 else ""
    for what, x, names in (("speed", v, rate_names), ("coordinate", q, coordinate_names)):
        if not np.isfinite(x).all():
            raise _stopped(t, what, x, names(robot), advice)


def check_acceleration(
    robot: Robot,
    t: float,
    q: np.ndarray,
    v: np.ndarray,
    wrenches: np.ndarray | None,
    a: np.ndarray,
    solve: Callable[[], object],
) -> None:
    """Every acceleration is finite; otherwise name the cause: state, wrench, or what `solve` raises when run again."""
    if np.isfinite(a).all():
        return
    check_state(robot, t, q, v)
    if wrenches is not None and not np.isfinite(wrenches).all():
        link = robot.link_names[np.argwhere(~np.isfinite(wrenches))[0][-2]]
        raise SimulationError(f"simulate: at t = {t:.6g} s the external wrench on link {link!r} is not finite")
    try:
        with errstate("raise"):
            solve()
    except SingularError as error:
        raise SimulationError(f"simulate: at t = {t:.6g} s {error}{_fastest(robot, v)}") from None


def ran_away(robot: Robot, t: float, v: np.ndarray) -> SimulationError:
    """The error for a motion whose energy, or what else is integrated, overflows; its fastest joint is named."""
    runs = f"the motion runs away{_fastest(robot, v)}"
    return SimulationError(f"simulate: at t = {t:.6g} s {runs}: try a shorter step or gentler forces")


def _fastest(robot: Robot, v: np.ndarray) -> str:
    if not v.size:
        return ""
    place = np.unravel_index(np.argmax(np.abs(v)), v.shape)
    return f"; fastest is joint {rate_names(robot)[place[-1]]!r} with {v[place]:.3g}"


def _stopped(t: float, what: str, x: np.ndarray, names: tuple[str, ...], advice: str) -> SimulationError:
    place = tuple(int(i) for i in np.argwhere(~np.isfinite(x))[0])
    row = f" in row {place[0] if len(place) == 2 else place[:-1]}" if len(place) > 1 else ""
    return SimulationError(
        f"simulate: at t = {t:.6g} s the {what} of joint {names[place[-1]]!r}{row} is {x[place]}{advice}"
    )
