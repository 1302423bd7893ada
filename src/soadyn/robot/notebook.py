"""What a notebook shows of a robot and of a state."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from soadyn.view.display.tables import heading, number, shown, table

if TYPE_CHECKING:
    from soadyn.robot.robot import Robot
    from soadyn.robot.state import State

MOST_NUMBERS = 6  # of one joint


def shown_robot(robot: Robot) -> str:
    """Name, sizes, and a row for each joint and the link it carries."""
    gravity = " ".join(f"{x:g}" for x in robot.gravity)
    links = len(robot.link_names)
    remark = f"{links} moving links, nq = {robot.nq}, nv = {robot.nv}, {number(robot.total_mass)} kg"
    rows = table(["joint", "kind", "from link", "to link", "mass (kg)", "from", "to"], _joints(robot))
    held = ["closure", "kind", "between", "rows"]
    closures = table(held, _closures(robot)) if robot.closures else ""
    notes = table(["worth a look"], [[note] for note in robot.notes]) if robot.notes else ""
    return shown(heading(robot.name, f"{remark}, gravity [{gravity}] m/s²"), rows, closures, notes)


def _closures(robot: Robot) -> Iterator[tuple[str, ...]]:
    for closure in robot.closures:
        follow = f" ({len(closure.superfluous)} follow from others)" if closure.superfluous else ""
        yield closure.name, closure.kind, " and ".join(closure.between), f"{len(closure.rows)}{follow}"


def _joints(robot: Robot) -> Iterator[tuple[str, ...]]:
    model = robot.model
    names = ["ground", *(link.name for link in model.links)]
    for link, joint, parent in zip(model.links, model.joints, model.parents, strict=True):
        if link.hidden:
            continue
        limits = (joint.lower[0], joint.upper[0]) if joint.behaviour.nq == 1 else (-np.inf, np.inf)
        low, high = ("" if not np.isfinite(x) else number(x) for x in limits)
        yield joint.name, joint.kind, names[parent], link.name, number(link.mass), low, high


def shown_state(state: State) -> str:
    """Coordinates and rates of each joint; of a batch its shape."""
    robot, batch = state.robot, state.q.shape[:-1]
    if batch:
        return shown(heading(f"State of {robot.name}", f"a batch of shape {batch}"))
    rates = state.v
    rows = [
        (
            joint,
            _few(state.q[list(robot.joint_coordinates(joint))]),
            "" if rates is None else _few(rates[list(robot.joint_dofs(joint))]),
        )
        for joint in robot.joint_names
    ]
    return shown(heading(f"State of {robot.name}"), table(["joint", "q (rad, m)", "v (rad/s, m/s)"], rows))


def _few(x: np.ndarray) -> str:
    more = ", ..." if len(x) > MOST_NUMBERS + 1 else ""
    return ", ".join(map(number, x[: MOST_NUMBERS + 1])) + more
