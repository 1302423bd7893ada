"""What pictures of a motion show: panels of curves with names, units and limits; nothing is drawn here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, final

import numpy as np

from soadyn.errors import ArgumentError, check_name
from soadyn.robot.labels import PER_RATE
from soadyn.simulation.record.groups import Group, groups_of, largest

if TYPE_CHECKING:
    from soadyn.simulation.record.trajectory import Trajectory

COORDINATES = ("q", "v", "tau")
ENERGIES = ("energy", "momentum", "energy_drift", "momentum_drift")
MOMENTUM = (("angular momentum about the origin", "N m s", slice(0, 3)), ("linear momentum", "N s", slice(3, 6)))
LEAST = 1e-9  # rad, m, ...: what is smaller is rounding, and not magnified
NOISE = 10.0  # momenta that are no larger than so many times their drift are not magnified


@final
@dataclass(frozen=True, slots=True, eq=False)
class Panel:
    """Curves with one axis.

    of       what of the trajectory they show: "q", "v", "tau", "energy", ...
    title    what they are
    unit     of the values
    names    of the curves
    values   (T, ..., curves)
    limits   lower and upper ones, (2, curves), infinite where there are none
    least    how far the axis reaches at least
    """

    of: str
    title: str
    unit: str
    names: tuple[str, ...]
    values: np.ndarray
    limits: np.ndarray
    least: float = LEAST


def chosen(run: Trajectory, what: Sequence[str] | str | None) -> tuple[str, ...]:
    """What is to be drawn; by default q, v, the torques if there are any, energies and a free base's momentum."""
    if what is None:
        left_out = {"tau"} if not np.any(run.tau) else set()
        left_out |= {"momentum"} if run.momentum is None else set()
        return tuple(name for name in (*COORDINATES, *ENERGIES[:2]) if name not in left_out)
    names = (what,) if isinstance(what, str) else tuple(what)
    for name in names:
        check_name("part of a picture", name, (*COORDINATES, *ENERGIES))
    if not names:
        raise ArgumentError(f"plot: what=() names nothing to draw; choose of {', '.join((*COORDINATES, *ENERGIES))}")
    if lacking := [name for name in names if name.startswith("momentum") and getattr(run, name) is None]:
        raise ArgumentError(f"plot: the motion of {run.robot_name!r} has no {lacking[0]!r}: its base is not free")
    return tuple(dict.fromkeys(names))


def rows_of(run: Trajectory, what: Sequence[str], parts: Sequence[Trajectory]) -> list[list[Panel]]:
    """Rows of panels: one for each group of joints, its q, v and tau side by side, and one of energies and momentum.

    parts: the motions it was joined from, whose drifts do not count what happened between them
    """
    across = [name for name in what if name in COORDINATES]
    rows = [[_of_group(run, group, name) for name in across] for group in groups_of(run)] if across else []
    if np.any(run.tau):  # then groups without torques, such as a free base, need no panel of them
        rows = [[panel for panel in row if panel.of != "tau" or np.any(panel.values)] for row in rows]
    below = [panel for name in what for panel in _others(run, name, parts)]
    return [row for row in (*rows, below) if row]


def _of_group(run: Trajectory, group: Group, of: str) -> Panel:
    if of == "q":
        values, unit = group.coordinates(run), group.unit
    else:
        values = getattr(run, of)[..., list(group.v)]
        turning, sliding = PER_RATE[of]
        unit = {"rad": turning, "deg": turning, "m": sliding}.get(group.unit, f"{turning}, {sliding}")
    return Panel(of, group.title, unit, group.names, values, _limits(run, group, of))


def _limits(run: Trajectory, group: Group, of: str) -> np.ndarray:
    if run.robot is None or (of == "q" and group.unit == "deg"):
        return np.full((2, len(group.names)), np.nan)
    if of == "q":
        return np.array([run.robot.lower, run.robot.upper])[:, list(group.q)]
    most = (run.robot.velocity_limit if of == "v" else run.robot.effort_limit)[list(group.v)]
    most = np.where(most > 0, most, np.nan)  # zero means that none is stated
    return np.array([-most, most])


def _others(run: Trajectory, of: str, parts: Sequence[Trajectory]) -> list[Panel]:
    match of:
        case "energy":
            return [_energies(run, parts)]
        case "energy_drift":
            return [_plain(of, "energy drift", "J", ("drift",), run.energy_drift[..., None])]
        case "momentum" | "momentum_drift":
            found = []
            for title, unit, half in MOMENTUM:
                values = np.asarray(getattr(run, of))[..., half]
                if of == "momentum":
                    drifts = [x.momentum_drift for x in parts]
                    lost = max((largest(x[..., half]) for x in drifts if x is not None), default=0.0)
                    said, least = f"{title}; drift {lost:.2g}", NOISE * lost
                else:
                    said, least = f"drift of {title}", LEAST
                found.append(_plain(of, said, unit, ("x", "y", "z"), values, max(LEAST, least)))
            return found
    return []


def _energies(run: Trajectory, parts: Sequence[Trajectory]) -> Panel:
    """Kinetic and, from the start, potential energy, their total, what was put in; the stepper's loss as a title."""
    # Only differences of potential energy mean something; counted from the start all curves share one scale.
    potential = run.potential - run.potential[:1]
    curves = {"kinetic": run.kinetic}
    if np.any(potential):
        curves |= {"potential": potential, "total": run.kinetic + potential}
    if np.any(run.work):
        curves["put in"] = run.work + run.kinetic[:1]
    drift = max(largest(part.energy_drift) for part in parts)
    return _plain("energy", f"energy; drift {drift:.2g} J", "J", tuple(curves), np.stack([*curves.values()], axis=-1))


def _plain(of: str, title: str, unit: str, names: tuple[str, ...], values: np.ndarray, least: float = LEAST) -> Panel:
    return Panel(of, title, unit, names, values, np.full((2, len(names)), np.nan), least)
