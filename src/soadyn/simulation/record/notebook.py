"""What a notebook shows of a trajectory."""

from __future__ import annotations

from base64 import b64encode
from typing import TYPE_CHECKING

import numpy as np

from soadyn.errors import ArgumentError
from soadyn.simulation.record.plotting import plot
from soadyn.view.display.tables import heading, number, shown, table

if TYPE_CHECKING:
    from soadyn.simulation.record.trajectory import Trajectory


def shown_trajectory(trajectory: Trajectory) -> str:
    """Figures of the whole motion and, where there is matplotlib, the picture of `plot`."""
    batch = trajectory.q.shape[1:-1]
    drift = float(np.abs(trajectory.energy_drift).max(initial=0.0))
    rows = [
        ("records", f"{len(trajectory)} from {number(trajectory.t[0])} to {number(trajectory.t[-1])} s"),
        ("steps", f"{trajectory.method}, {number(trajectory.step)} s{', interrupted' * trajectory.interrupted}"),
        ("energy drift", f"{number(drift)} J, {number(trajectory.relative_energy_drift)} of the kinetic energy"),
        *((f"{what} acted at", ", ".join(joints)) for what, joints in trajectory.acted.items()),
        *((f"event at {number(t)} s", name) for t, name in trajectory.events),
        *(("in Python", note) for note in trajectory.notes),
    ]
    said = f"{batch} motions" if batch else "in motion"
    head = heading(trajectory.robot_name, said) + table(["", ""], rows)
    return shown(head, _picture(trajectory) if len(trajectory) and np.prod(batch) else "")


def _picture(trajectory: Trajectory) -> str:
    try:
        picture = plot(trajectory, None)
    except ArgumentError:  # without matplotlib the table says it all
        return ""
    data = b64encode(picture._repr_png_()).decode()  # type: ignore[union-attr]
    return f'<img style="max-width:100%" alt="the motion over time" src="data:image/png;base64,{data}"/>'
