"""Pictures of a trajectory."""

from __future__ import annotations

from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from soadyn.display.picture import COLOURS, Picture, finished, new_figure, plain, tidy

if TYPE_CHECKING:
    from soadyn.simulation.trajectory import Trajectory

KINETIC, POTENTIAL, TOTAL, WORK = "#d55e00", "#0072b2", "#222222", "#009e73"
MOST_NAMES = 12  # a longer legend would cover the picture


def plot(trajectory: Trajectory, path: str | PathLike[str] | None) -> Path | Picture:
    """Draw a trajectory without batch axes into a file, or to look at."""
    single = [i for i, name in enumerate(trajectory.q_names) if "." not in name]
    several = [i for i, name in enumerate(trajectory.q_names) if "." in name]
    rows = [places for places in (single, several) if places]
    figure = new_figure(11, 3.4 * (len(rows) + 1))
    axes = figure.subplots(len(rows) + 1, 2, sharex=True, squeeze=False)
    for (left, right), places in zip(axes, rows, strict=False):
        _joints(left, right, trajectory, several=places is several)
    _energies(axes[-1][0], trajectory)
    _drift(axes[-1][1], trajectory)
    for ax in axes.flat:
        tidy(ax)
    for ax in axes[-1]:
        ax.set_xlabel("time (s)")
    ended = ", interrupted" if trajectory.interrupted else ""
    steps = f"{trajectory.method}, steps of {1e3 * trajectory.step:.3g} ms"
    figure.suptitle(f"{plain(trajectory.robot_name)}: {steps}{ended}")
    return finished(figure, path)


def _joints(left: Any, right: Any, trajectory: Trajectory, several: bool) -> None:
    for ax, x, names in ((left, trajectory.q, trajectory.q_names), (right, trajectory.v, trajectory.v_names)):
        shown = [i for i, name in enumerate(names) if ("." in name) == several]
        for n, i in enumerate(shown):
            style = "-" if n < len(COLOURS) else "--"
            ax.plot(trajectory.t, x[:, i], style, color=COLOURS[n % len(COLOURS)], label=plain(names[i]))
        if several:
            _legend_above(ax, len(shown), 4)
        elif ax is right and len(shown) <= MOST_NAMES:
            ax.legend(fontsize="small", frameon=False, loc="upper left", bbox_to_anchor=(1.01, 1.0))
    left.set_title("joints with several coordinates (quaternions, m)" if several else "joint coordinates (rad, m)")
    right.set_title("their rates (rad/s, m/s)" if several else "joint rates (rad/s, m/s)")


def _energies(ax: Any, trajectory: Trajectory) -> None:
    kinetic, potential = trajectory.kinetic, trajectory.potential
    # Only differences of potential energy mean something; counted from the start all curves share one scale.
    ax.plot(trajectory.t, kinetic, color=KINETIC, label="kinetic")
    ax.plot(trajectory.t, potential - potential[0], color=POTENTIAL, label="potential (from start)")
    ax.plot(trajectory.t, kinetic + potential - potential[0], "--", color=TOTAL, label="total")
    work = trajectory.work
    if np.abs(work).max(initial=0.0) > 0:
        ax.plot(trajectory.t, work + kinetic[0], ":", color=WORK, linewidth=2.2, label="put in")
    ax.set_title("energy (J)")
    _legend_above(ax, 4, 4)


def _drift(ax: Any, trajectory: Trajectory) -> None:
    curves = [(trajectory.energy_drift, TOTAL, "energy (J)")]
    if trajectory.momentum_drift is not None:
        lost = np.linalg.norm(trajectory.momentum_drift, axis=-1)
        curves.append((lost, COLOURS[3], "momentum (SI)"))
    largest = max(np.abs(curve).max(initial=0.0) for curve, _, _ in curves)
    for curve, colour, name in curves:
        # On a logarithmic scale the zero at the start and zeros in passing would draw spikes.
        shown = np.where(np.abs(curve) > 1e-8 * largest, np.abs(curve), np.nan)
        ax.plot(trajectory.t, shown, color=colour, label=name)
    if largest > 0:
        ax.set_yscale("log")
    ax.set_title("drift: what the stepper lost or gained")
    _legend_above(ax, 2, 2)


def _legend_above(ax: Any, entries: int, columns: int) -> None:
    """A legend in rows above the curves, with room made for it."""
    if 0 < entries <= MOST_NAMES:
        ax.margins(y=0.1 + 0.12 * -(-entries // columns))
        ax.legend(fontsize="small", frameon=False, ncols=columns, loc="upper center", columnspacing=1.2)
