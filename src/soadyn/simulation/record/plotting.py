"""Pictures of a trajectory, drawn by matplotlib."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from soadyn.simulation.record.panels import COORDINATES, Panel, chosen, rows_of
from soadyn.view.display.picture import COLOURS, Picture, finished, new_figure, plain, tidy

if TYPE_CHECKING:
    from soadyn.simulation.record.trajectory import Trajectory

OWN_COLOURS = {"kinetic": "#d55e00", "potential": "#0072b2", "total": "#222222", "put in": "#009e73"}
OWN_STYLES = {"total": "--", "put in": ":"}
GREY = "#777777"
COLUMN_OF_NAMES, MOST_NAMES = 18, 36  # a longer legend would be as large as the picture
MOST_LINES = 10  # rows of a batch with a line each; of more, the median and a band
BAND = (0.05, 0.5, 0.95)
BAND_POINTS = 400  # moments at which quantiles are computed
ROOM = 0.5  # how far beyond a curve, as a share of its extent, its limits are still in view
GRID = 12  # columns that panels share: rows of one to four


def plot(
    run: Trajectory,
    path: str | PathLike[str] | None,
    what: Sequence[str] | str | None = None,
    parts: Sequence[Trajectory] = (),
) -> Path | Picture:
    """Draw a trajectory into a file, or to look at; a batch as some lines or as a band.

    parts: the motions it was joined from, whose beginnings are marked
    """
    said = [f"{run.method}, steps of {1e3 * run.step:.3g} ms"] + ["interrupted"] * run.interrupted
    if run.q.ndim > 2:
        run, note = _finite_rows(run)
        said.append(note)
    rows = rows_of(run, chosen(run, what), parts or (run,))
    figure, cells = _grid(rows)
    for row, axes in zip(rows, cells, strict=True):
        for panel, ax in zip(row, axes, strict=False):
            _draw(ax, run.t, panel)
            ax.set_title(plain(panel.title) if panel is row[0] or panel.of not in COORDINATES else "")
            tidy(ax)
            for t in [float(part.t[0]) for part in parts[1:]]:
                ax.axvline(t, color=GREY, linewidth=0.8, linestyle="--", zorder=0, gid="phase")
            for t, _ in run.events:
                ax.axvline(t, color=GREY, linewidth=0.8, linestyle=":", zorder=0, gid="event")
        if row[0].of in COORDINATES:
            _names_beside(axes[-1], axes[0], row[0].names)
    for ax, _ in zip(cells[-1], rows[-1], strict=False):
        ax.set_xlabel("time (s)")
    figure.suptitle(f"{plain(run.robot_name)}: {', '.join(said)}", fontsize="medium")
    return finished(figure, path)


def _finite_rows(run: Trajectory) -> tuple[Trajectory, str]:
    """A batch with one axis, without the rows that have no answer somewhere; and what is drawn of it."""
    batch = run.q.shape[1:-1]
    flat = run if len(batch) == 1 else run[(slice(None), *np.unravel_index(np.arange(np.prod(batch)), batch))]
    good = np.isfinite(flat.q).all(axis=(0, 2)) & np.isfinite(flat.v).all(axis=(0, 2))
    count = int(np.count_nonzero(good))
    said = f"{count} rows" + (": median and 5 to 95 %" if count > MOST_LINES else "")
    lost = len(good) - count
    return (flat[:, good], f"{said}, {lost} without an answer left out") if lost else (flat, said)


def _grid(rows: Sequence[Sequence[Panel]]) -> tuple[Any, list[list[Any]]]:
    """A figure, and the axes of each row; rows of joints have one more at the right, for names."""
    joints = [row for row in rows if row[0].of in COORDINATES]
    across = max((len(row) for row in joints), default=0)
    letters = max((len(name) for row in joints for name in row[0].names), default=0)
    columns = max((min(2, -(-len(row[0].names) // COLUMN_OF_NAMES)) for row in joints), default=0)
    width = 4.2 * max(across, *(len(row) if row not in joints else 0 for row in rows), 1)
    beside = columns * (1.0 + 0.1 * letters)
    heights = [max(2.4, 0.4 + 0.18 * min(len(row[0].names), COLUMN_OF_NAMES)) for row in rows]
    figure = new_figure(max(width, 6.0) + beside, sum(heights) + 0.4)
    grid = figure.add_gridspec(
        len(rows), GRID + 1, height_ratios=heights, width_ratios=[max(width, 6.0) / GRID] * GRID + [max(beside, 0.01)]
    )
    cells: list[list[Any]] = []
    for n, row in enumerate(rows):
        many = across if row in joints else len(row)
        edges = [round(GRID * k / many) for k in range(many + 1)]
        first = cells[0][0] if cells else None
        spans = list(pairwise(edges))[: len(row)]
        axes = [figure.add_subplot(grid[n, a:b], sharex=first) for a, b in spans]
        cells.append([*axes, figure.add_subplot(grid[n, GRID])] if row in joints else axes)
    return figure, cells


def _draw(ax: Any, t: np.ndarray, panel: Panel) -> None:
    for n, name in enumerate(panel.names):
        style = {
            "color": OWN_COLOURS.get(name, COLOURS[n % len(COLOURS)]),
            "linestyle": OWN_STYLES.get(name, "-" if n % (2 * len(COLOURS)) < len(COLOURS) else "--"),
        }
        _curve(ax, t, panel.values[..., n], plain(name), style)
    ax.tick_params(labelsize="small")
    ax.set_ylabel(f"{panel.of.replace('_', ' ')} ({panel.unit})", fontsize="small")
    for value, joints in _limits_in_view(panel).items():
        colour = COLOURS[joints[0] % len(COLOURS)] if len(joints) == 1 else GREY
        ax.axhline(value, color=colour, linewidth=0.7, linestyle=(0, (6, 3)), zorder=1.8, gid="limit")
    if panel.of not in COORDINATES and len(panel.names) > 1:
        ax.margins(y=0.3)
        ax.legend(
            fontsize="small",
            frameon=False,
            ncols=min(4, len(panel.names)),
            handlelength=1.4,
            loc="upper center",
            columnspacing=1.2,
        )
    _reach(ax, panel)


def _curve(ax: Any, t: np.ndarray, y: np.ndarray, name: str, style: dict[str, Any]) -> None:
    """One motion as a line, a few as thin lines, many as their median with a band."""
    if y.ndim == 1:
        ax.plot(t, y, label=name, linewidth=1.4, **style)
    elif y.shape[1] <= MOST_LINES:
        lines = ax.plot(t, y, linewidth=0.8, alpha=0.8, **style)
        for line in lines[:1]:
            line.set_label(name)
    else:
        some = np.unique(np.linspace(0, len(t) - 1, min(len(t), BAND_POINTS)).astype(int))
        low, middle, high = np.quantile(y[some], BAND, axis=1)
        ax.plot(t[some], middle, label=name, linewidth=1.4, **style)
        ax.fill_between(t[some], low, high, color=style["color"], alpha=0.2, linewidth=0)


def _limits_in_view(panel: Panel) -> dict[float, list[int]]:
    """The limits that curves come near to or pass, and whose they are: those of others would only confuse."""
    found: dict[float, list[int]] = {}
    for n in range(len(panel.names)):
        y = panel.values[..., n][np.isfinite(panel.values[..., n])]
        low, high = float(y.min(initial=np.inf)), float(y.max(initial=-np.inf))
        if panel.of in ("v", "tau"):
            low, high = min(low, 0.0), max(high, 0.0)
        room = ROOM * max(high - low, 0.0)
        for value in panel.limits[:, n]:
            if low - room <= value <= high + room:
                found.setdefault(float(value), []).append(n)
    return found


def _reach(ax: Any, panel: Panel) -> None:
    """Widen an axis on which there is nothing but rounding."""
    low, high = ax.get_ylim()
    if high - low < panel.least:
        middle = 0.5 * (low + high)
        ax.set_ylim(middle - 0.5 * panel.least, middle + 0.5 * panel.least)


def _names_beside(ax: Any, named: Any, names: Sequence[str]) -> None:
    ax.set_axis_off()
    if len(names) > MOST_NAMES:
        ax.text(0.0, 0.5, f"{len(names)} curves", fontsize="small", transform=ax.transAxes)
        return
    lines, labels = named.get_legend_handles_labels()
    ax.legend(
        lines, labels, fontsize="small", frameon=False, loc="center left", borderaxespad=0.0,
        ncols=-(-len(names) // COLUMN_OF_NAMES),
    )  # fmt: skip
