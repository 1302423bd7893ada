"""What a notebook shows of a trajectory."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from soadyn.simulation.record.panels import energies, rows_of
from soadyn.view.display import curves
from soadyn.view.display.curves import Curve
from soadyn.view.display.tables import heading, number, shown, table

if TYPE_CHECKING:
    from soadyn.simulation.record.trajectory import Trajectory

MOST_CHARTS = 3
MOST_CURVES = 4  # names side by side above a chart


def shown_trajectory(trajectory: Trajectory) -> str:
    """Figures of the whole motion, the joints that move most, and the energies; of a batch the first row's."""
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
    said = f"{batch} motions; the first is drawn" if batch else "in motion"
    head = heading(trajectory.robot_name, said) + table(["", ""], rows)
    empty = not len(trajectory) or not np.prod(batch)
    return shown(head, "" if empty else _charts(trajectory.row(0) if batch else trajectory))


def _charts(one: Trajectory) -> str:
    """The coordinates of the joints that move most, a chart for each panel of a picture, and the energies."""
    shown = []
    for (panel,) in rows_of(one, ("q",), (one,))[:MOST_CHARTS]:
        moved = np.ptp(panel.values, axis=0)
        names = sorted(np.argsort(-moved, kind="stable")[:MOST_CURVES])
        drawn = [Curve(panel.names[i], one.t, panel.values[:, i]) for i in names]
        shown.append(curves.svg(f"{panel.title} ({panel.unit})", drawn))
    energy = energies(one, (one,))
    drawn = [Curve(name, one.t, energy.values[:, i]) for i, name in enumerate(energy.names)]
    return "".join(shown) + curves.svg("energy (J), potential from the start", drawn)
