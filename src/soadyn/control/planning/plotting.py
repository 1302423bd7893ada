"""Pictures of reaches and of workspaces."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from soadyn.view.display.picture import COLOURS, new_figure, plain, saved, tidy

if TYPE_CHECKING:
    from soadyn.control.planning.execution import Execution
    from soadyn.control.planning.singularity_maps import WorkspaceMap


def plot_executions(path: str | PathLike[str], shown: Sequence[tuple[str, Execution]]) -> Path:
    """Base attitude, distance and angle to the target of several executions, over each other."""
    figure = new_figure(10, 3.4)
    axes = figure.subplots(1, 3)
    titles = ("base turned (deg)", "frame to target (mm)", "frame to target (deg)")
    for i, (label, run) in enumerate(shown):
        curves = (np.degrees(run.base_turn), 1e3 * run.position_error, np.degrees(run.angle_error))
        for ax, y in zip(axes, curves, strict=True):
            ax.plot(run.trajectory.t, y, color=COLOURS[i % len(COLOURS)], label=plain(label))
    for ax, title in zip(axes, titles, strict=True):
        ax.set_ylim(bottom=0.0)
        ax.set_title(title)
        ax.set_xlabel("time (s)")
        tidy(ax)
    axes[0].legend(frameon=False, fontsize="small")
    return saved(figure, path, dpi=110)


def plot_workspace(path: str | PathLike[str], shown: WorkspaceMap) -> Path:
    """The smallest singular value over a grid of positions, white where none was reached."""
    figure = new_figure(5.4, 4.4)
    ax = figure.subplots()
    first, second = shown.axes
    picture = ax.pcolormesh(shown.grid[0], shown.grid[1], shown.smallest.T, cmap="viridis", shading="nearest")
    ax.plot(*shown.start, "+", color="#d55e00", markersize=12, markeredgewidth=2)
    figure.colorbar(picture, label="smallest singular value")
    ax.set_xlabel(f"{'xyz'[first]} (m)")
    ax.set_ylabel(f"{'xyz'[second]} (m)")
    ax.set_aspect("equal")
    ax.set_title(plain(shown.title), fontsize="medium")
    return saved(figure, path, dpi=110)
