"""What drives each joint: a torque, a prescribed acceleration, or nothing after its actuator failed.

The sets of passive joints and of failed actuators stay the same during a step; steps end at the times at which a set is
known to change.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np
from numpy.typing import ArrayLike

from soadyn.errors import ArgumentError, ShapeError
from soadyn.robot import Robot
from soadyn.robot.arguments import arguments
from soadyn.robot.arguments.arguments import PassiveLike
from soadyn.robot.arguments.plain_values import flag, single
from soadyn.simulation.drive.failure import check_finite
from soadyn.simulation.drive.inputs import Torque, joint_function, spread

ROUNDING = 1e-12  # relative; records and changes of sets that are closer in time than this happen together

Planner = Callable[[float, np.ndarray, np.ndarray, np.ndarray], ArrayLike]
AccelerationLike = ArrayLike | Planner
PassiveSets = PassiveLike | Mapping[float, PassiveLike] | Callable[[float], PassiveLike] | None
Failures = Sequence[tuple[float, str | tuple[str, int]]]
Acceleration = Callable[[float, np.ndarray, np.ndarray, np.ndarray], np.ndarray]


@final
@dataclass(frozen=True, eq=False)
class Prescribed:
    """Accelerations that joints have whatever that takes (hybrid dynamics); the trajectory's `tau` tells what it took.

    acceleration: (..., nv), or a function (t, q, v, passive) -> (..., nv); passive joints' entries do not matter.
    passive: the joints that move by their torque instead: names, (name, component) pairs or booleans (..., nv); a
        schedule of such, {time: joints}, steps meeting the times; or a function of t that returns such, asked at the
        beginning of each step. None: no joint.

    >>> import soadyn as sd
    >>> arm = sd.load("planar_two_link")
    >>> swing = sd.Prescribed([2.0, 0.0], passive=["joint2"])
    >>> run = sd.simulate(arm, [0.0, 0.0], duration=0.1, step=0.01, prescribed=swing)
    >>> run.v[-1, 0].round(9).item(), run.tau[-1, 1].item()
    (0.2, 0.0)
    """

    acceleration: AccelerationLike
    passive: PassiveSets = None


def checked_prescribed(prescribed: Any) -> Prescribed | None:
    """What is prescribed, if anything."""
    if prescribed is not None and (not isinstance(prescribed, Prescribed) or prescribed.acceleration is None):
        raise ArgumentError(
            f"simulate: prescribed takes sd.Prescribed(acceleration, passive=...), got {prescribed!r:.80}"
        )
    return prescribed


@final
@dataclass(frozen=True, slots=True, eq=False)
class Roles:
    """Which components move by known forces, and which of them have lost their actuator; booleans (..., nv).

    `torque` and `acceleration` hold a sampled controller's answer; None if it is called at every evaluation.
    """

    passive: np.ndarray
    failed: np.ndarray
    torque: np.ndarray | None = None
    acceleration: np.ndarray | None = None


@final
class Actuation:
    """The caller's torques, accelerations, passive sets and failures, checked, as functions of time and state.

    Without `acceleration` every component is passive: it moves by its torque.
    """

    def __init__(
        self,
        robot: Robot,
        torque: Torque,
        acceleration: AccelerationLike | None,
        passive: PassiveSets,
        failures: Failures,
        sampled: bool,
        batch: tuple[int, ...],
    ) -> None:
        self.robot, self._torque, self.sampled = robot, torque, flag("sampled", sampled)
        self._passive, switches = _sets(robot, passive, (*batch, robot.nv))
        self._acceleration = _acceleration_of(robot, acceleration, batch)
        self._failures = _checked_failures(robot, failures)
        self.switches = sorted({*switches, *(t for t, _ in self._failures)})

    @property
    def prescribes(self) -> bool:
        """Whether active joints have prescribed accelerations."""
        return self._acceleration is not None

    @property
    def fails(self) -> bool:
        """Whether actuators fail."""
        return bool(self._failures)

    @property
    def changes(self) -> bool:
        """Whether the trajectory records which joints were passive."""
        return self.prescribes or bool(self._failures)

    def roles(self, t: float, q: np.ndarray, v: np.ndarray) -> Roles:
        """The roles of the joints during a step that begins at time t in state (q, v)."""
        roles = self.sets(t)
        if not self.sampled:
            return roles
        acceleration = self.acceleration(t, q, v, roles) if self.prescribes else None
        return Roles(roles.passive, roles.failed, self.torque(t, q, v, roles), acceleration)

    def sets(self, t: float) -> Roles:
        """The passive and the failed components from time t on; no controller is asked."""
        failed = np.zeros(self.robot.nv, dtype=bool)
        for time, joint in self._failures:
            failed = failed | joint if _has_come(time, t) else failed
        return Roles(self._passive(t) | failed if self.prescribes else failed, failed)

    def torque(self, t: float, q: np.ndarray, v: np.ndarray, roles: Roles) -> np.ndarray:
        """The caller's torque, zero where the actuator has failed."""
        if roles.torque is not None:
            return roles.torque
        _protect(q, v)
        tau = self._torque(t, q, v)
        tau = np.where(roles.failed, 0.0, tau) if roles.failed.any() else tau
        check_finite(self.robot, t, "torque", tau)
        return tau

    def acceleration(self, t: float, q: np.ndarray, v: np.ndarray, roles: Roles) -> np.ndarray:
        """The prescribed accelerations of active joints; zero for passive ones."""
        if roles.acceleration is not None:
            return roles.acceleration
        assert self._acceleration is not None
        _protect(q, v)
        wanted = np.where(roles.passive, 0.0, self._acceleration(t, q, v, roles.passive))
        check_finite(self.robot, t, "acceleration", wanted)
        return wanted


def _protect(q: np.ndarray, v: np.ndarray) -> None:
    """Make the state read-only; a controller that changed it would spoil the step."""
    q.flags.writeable = v.flags.writeable = False


def _acceleration_of(
    robot: Robot, acceleration: AccelerationLike | None, batch: tuple[int, ...]
) -> Acceleration | None:
    """The accelerations at (t, q, v, passive), (*batch, nv); only those of active joints must be numbers."""
    if acceleration is None:
        return None
    if not callable(acceleration):
        vector = arguments.joint_vector(robot.engine.coordinates, acceleration, "acceleration")
        constant = spread(vector, (*batch, robot.nv), "acceleration")
        return lambda t, q, v, passive: constant
    try:
        inspect.signature(acceleration).bind(0.0, None, None, None)
    except TypeError:
        raise ArgumentError("simulate: acceleration is a function of (t, q, v, passive)") from None
    except ValueError:  # built-in functions have no signature
        pass
    return joint_function(robot, acceleration, "acceleration", ("t", "q", "v", "passive"), batch)


def _sets(
    robot: Robot, passive: PassiveSets, shape: tuple[int, ...]
) -> tuple[Callable[[float], np.ndarray], list[float]]:
    """The mask of passive components as a function of time, and the times at which it changes, if known."""
    if callable(passive):
        chosen = passive
        return lambda t: _mask(robot, chosen(t), shape), []
    if not isinstance(passive, Mapping):
        constant = _mask(robot, () if passive is None else passive, shape)
        return lambda t: constant, []
    times = sorted(_time(t, "passive") for t in passive)
    if not times or times[0] > 0:
        first = f"starts at {times[0]:g} s" if times else "is empty"
        raise ArgumentError(f"simulate: the schedule of passive joints {first}; it needs an entry for 0")
    masks = {_time(t, "passive"): _mask(robot, joints, shape) for t, joints in passive.items()}
    return lambda t: masks[max(time for time in times if _has_come(time, t))], times


def _mask(robot: Robot, passive: PassiveLike, shape: tuple[int, ...]) -> np.ndarray:
    mask = arguments.passive(robot.engine.coordinates, passive)
    try:
        np.broadcast_to(mask, shape)
    except ValueError:
        raise ShapeError(f"passive has shape {mask.shape}, which does not fit the states' {shape}") from None
    return mask


def _checked_failures(robot: Robot, failures: Any) -> list[tuple[float, np.ndarray]]:
    found = []
    for item in failures if isinstance(failures, Sequence) and not isinstance(failures, str) else [failures]:
        if not isinstance(item, tuple | list) or len(item) != 2:
            raise ArgumentError(f"simulate: failures are a list of (time, joint), got {item!r}")
        found.append((_time(item[0], "failures"), arguments.passive(robot.engine.coordinates, [item[1]])))
    return found


def same_time(times: np.ndarray, t: float) -> np.ndarray:
    """Which times differ from t by rounding only."""
    return np.asarray(np.abs(times - t) <= ROUNDING * t)


def _has_come(time: float, now: float) -> bool:
    return time <= now * (1 + ROUNDING)


def _time(t: Any, what: str) -> float:
    time = single(t)
    if not 0 <= time < float("inf"):
        raise ArgumentError(f"simulate: a time in {what} must be zero or more, in seconds, got {t!r}")
    return time
