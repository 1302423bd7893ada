"""Parts of a trajectory: records and rows by index, a span of time, states between records, other times."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from soadyn.errors import ArgumentError
from soadyn.robot import Robot, State
from soadyn.simulation.record.interpolation import Between, checked_times, state_between, times_of
from soadyn.simulation.record.tables import PARTS

if TYPE_CHECKING:
    from soadyn.simulation.record.trajectory import Trajectory

MOST_TIMES = 10**8  # of a resampled trajectory


def arrays_of(run: Trajectory) -> dict[str, np.ndarray]:
    """The arrays that have a value for every record and row, those that are None left out."""
    return {name: x for name in PARTS if (x := getattr(run, name)) is not None}


def picked(run: Trajectory, key: Any) -> Trajectory:
    """`run[records, rows...]`: records by number, slice or booleans, then NumPy's indices of the batch axes."""
    first, *rows = key if isinstance(key, tuple) else (key,)
    batch = run.q.shape[1:-1]
    try:
        if isinstance(first, int | np.integer) and not isinstance(first, bool):
            first = slice(first, first + 1 or None) if -len(run) <= first < len(run) else range(len(run))[first]
        t = run.t[first]
        places = np.arange(int(np.prod(batch))).reshape(batch)[tuple(rows)]
    except (IndexError, TypeError, ValueError):
        raise ArgumentError(f"[{_shown(key)}] does not pick from {len(run)} records of a batch {batch}") from None
    if t.ndim != 1 or not len(t):
        raise ArgumentError(f"[{_shown(key)}] leaves no records of {len(run)}")
    if (np.diff(t) <= 0).any():
        raise ArgumentError(f"[{_shown(key)}] leaves times that do not ascend")

    def part(x: np.ndarray) -> np.ndarray:
        chosen = x[first]
        end = chosen.shape[1 + len(batch) :]
        return np.ascontiguousarray(chosen.reshape(len(t), -1, *end)[:, places])

    parts: dict[str, Any] = {name: part(x) for name, x in arrays_of(run).items()}
    return replace(run, t=np.array(t), derivatives=None, **parts)


def _shown(key: Any) -> str:
    return ", ".join(f"{part!r:.40}" for part in (key if isinstance(key, tuple) else (key,)))


def robot_of(run: Trajectory) -> Robot:
    """The trajectory's robot; one read from a file must have been given its robot."""
    if run.robot is None:
        raise ArgumentError(
            f"the trajectory of {run.robot_name!r} does not know its robot; give it one with trajectory.of(robot)"
        )
    return run.robot


def state_at(run: Trajectory, times: ArrayLike) -> State:
    """The state at one time or several, between records along a cubic curve on the manifold."""
    robot, at = robot_of(run), Between.of(run.t, times)
    q, v = state_between(robot, at, run.q, run.v)
    return robot.at(q, v, tau=at.line(run.tau))


def span(run: Trajectory, start: float, end: float) -> Trajectory:
    """The part from `start` to `end`, with records made at both."""
    ends = checked_times(run.t, [start, end])
    if not ends[0] < ends[1]:
        raise ArgumentError(f"between takes a start and a later end, got {start:g} and {end:g} s")
    inside = run.t[(run.t > ends[0]) & (run.t < ends[1])]
    return resampled(run, np.concatenate([ends[:1], inside, ends[1:]]))


def resampled(run: Trajectory, times: ArrayLike) -> Trajectory:
    """The motion at other times: ascending ones, or a distance between records that the end need not meet."""
    robot, t = robot_of(run), _times(run, times)
    at = Between.of(run.t, t)
    q, v = state_between(robot, at, run.q, run.v)
    # What springs store is not known between records: their share follows a line, gravity's is computed.
    springs = run.potential - robot.potential_energy(run.q)
    values: dict[str, Any] = {
        name: at.line(x) for name, x in arrays_of(run).items() if name in ("tau", "work", "impulse")
    }
    values |= {"q": q, "v": v, "kinetic": robot.kinetic_energy(q, v)}
    values["potential"] = robot.potential_energy(q) + at.line(springs)
    if run.momentum is not None:
        values["momentum"] = robot.momentum(q, v)
    if run.passive is not None:
        values["passive"] = at.held(run.passive)
    return replace(run, t=t, derivatives=None, **values)


def _times(run: Trajectory, times: ArrayLike) -> np.ndarray:
    t = times_of(times)
    if t.ndim == 0:
        every, lasts = float(t), float(run.t[-1] - run.t[0])
        if not every > 0 or lasts / every > MOST_TIMES:
            raise ArgumentError(f"records every {every:g} s cannot be made of {lasts:g} s")
        return run.t[0] + np.arange(int(lasts / every * (1 + 1e-9)) + 1) * every
    if t.ndim != 1 or not len(t) or not (np.diff(t) > 0).all():
        raise ArgumentError(f"resample takes a distance in seconds or ascending times (n,), got shape {t.shape}")
    return checked_times(run.t, t)
