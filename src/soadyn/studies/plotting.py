"""Pictures of studies: a map over two parameters, a measure's distribution, or a measure over a parameter."""

from __future__ import annotations

from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from soadyn.errors import ArgumentError, check_name
from soadyn.studies.designs import Grid
from soadyn.studies.labels import Entries, columns, entries
from soadyn.studies.results import StudyResults, Summary
from soadyn.view.display.picture import COLOURS, Picture, finished, new_figure, plain, tidy

BINS = 60
MOST_CURVES = 10
MOST_PANELS = 6
MOST_POINTS = 3000  # more of them would cover each other; hexagons count them


def plot(
    results: StudyResults,
    path: str | PathLike[str] | None = None,
    measure: str | None = None,
    against: str | None = None,
) -> Path | Picture:
    """A measure's picture: over the parameter `against`, a map over a grid of two, otherwise its distribution."""
    names = tuple(results.summary or results.values)
    if not names:
        raise ArgumentError("there is nothing to draw: the study has no results yet")
    name = names[0] if measure is None else measure
    check_name("measure", name, names)
    if against is not None:
        return finished(_over(results, name, against), path)
    figure = new_figure(6.4, 4.0)
    ax = figure.subplots()
    tidy(ax)
    rows = results.values.get(name)
    if _is_map(results, rows):
        _map(ax, figure, results, name)
    else:
        _distribution(ax, results, name, rows)
    return finished(figure, path)


def _is_map(results: StudyResults, rows: np.ndarray | None) -> bool:
    design = results.design
    scalars = isinstance(design, Grid) and all(x.ndim == 1 for x in design.axes.values())
    return scalars and len(design.names) == 2 and rows is not None and rows.ndim == 1


def _map(ax: Any, figure: Any, results: StudyResults, name: str) -> None:
    assert isinstance(results.design, Grid)
    (first, x), (second, y) = results.design.axes.items()
    ax.grid(visible=False)
    drawn = ax.pcolormesh(x, y, results.values[name].reshape(len(x), len(y)).T, shading="nearest")
    figure.colorbar(drawn, ax=ax, label=_with_unit(results, name))
    ax.set_xlabel(_with_unit(results, first))
    ax.set_ylabel(_with_unit(results, second))


def _distribution(ax: Any, results: StudyResults, name: str, rows: np.ndarray | None) -> None:
    if rows is not None:
        shape, flat = rows.shape[1:], rows.reshape(len(rows), -1).T
        finite = [column[np.isfinite(column)] for column in flat[:MOST_CURVES]]
        every = np.concatenate(finite)
        bins = np.histogram_bin_edges(every, BINS) if len(every) else BINS
        for k, (column, label) in enumerate(zip(finite, _legend(results, name, shape), strict=True)):
            ax.hist(column, bins=bins, histtype="step", label=label, **_look(k))
        ax.set_ylabel("rows")
        count = len(flat)
    else:
        count = _from_quantiles(ax, results, name, results.summary[name])
    if count > 1:
        title = None if count <= MOST_CURVES else f"the first {MOST_CURVES} of {count}"
        ax.legend(fontsize="small", frameon=False, loc="upper left", bbox_to_anchor=(1.0, 1.0), title=title)
    ax.set_xlabel(_with_unit(results, name))


def _from_quantiles(ax: Any, results: StudyResults, name: str, reduced: Summary) -> int:
    shares = np.linspace(0.0, 1.0, 201)
    found = reduced.quantile(shares)
    curves = found.reshape(len(shares), -1).T
    for k, (column, label) in enumerate(zip(curves, _legend(results, name, found.shape[1:]), strict=False)):
        ax.plot(column, shares, label=label, **_look(k))
    ax.set_ylabel("share of rows below")
    return len(curves)


def _over(results: StudyResults, name: str, against: str) -> Any:
    """A panel for each entry of a measure, over one number of each row."""
    if name not in results.values:
        raise ArgumentError(f"plot: {name!r} has no rows to draw over {against!r}; the study kept none (keep=False)")
    over = columns(results.parameters, results.labels)
    check_name("parameter", against, tuple(over))
    shape, flat = results.values[name].shape[1:], results.values[name].reshape(results.design.rows, -1).T
    labels = _legend(results, name, shape, MOST_PANELS)
    figure = new_figure(1.6 + 3.2 * min(len(labels), 3), 3.6 * -(-len(labels) // 3))
    panels = figure.subplots(-(-len(labels) // 3), min(len(labels), 3), squeeze=False).flat
    for ax, y, label in zip(panels, flat, labels, strict=False):
        _points(ax, figure, over[against], y)
        ax.set_xlabel(_with_unit(results, against))
        ax.set_ylabel(_with_unit(results, name))
        if len(flat) > 1:
            ax.set_title(label)
    for ax in list(panels):  # those that are left
        ax.set_axis_off()
    if len(flat) > MOST_PANELS:
        figure.suptitle(f"the first {MOST_PANELS} of {len(flat)}", fontsize="medium")
    return figure


def _points(ax: Any, figure: Any, x: np.ndarray, y: np.ndarray) -> None:
    """Each row as a point, or many of them as hexagons that count them."""
    tidy(ax)
    finite = np.isfinite(x) & np.isfinite(y)
    if np.count_nonzero(finite) <= MOST_POINTS:
        ax.plot(x[finite], y[finite], ".", color=COLOURS[0], markersize=4, alpha=0.6)
        ax.margins(0.03)
    else:
        ax.grid(visible=False)
        drawn = ax.hexbin(x[finite], y[finite], gridsize=45, mincnt=1, cmap="Blues", bins="log", linewidths=0.1)
        figure.colorbar(drawn, ax=ax, label="rows")


def _legend(results: StudyResults, name: str, shape: tuple[int, ...], most: int = MOST_CURVES) -> list[str]:
    """What the first entries are called, with units where these differ."""
    of = results.labels.get(name, Entries())
    if len(shape) == 1 and len(of.names) == shape[0]:
        return [plain(of.names[k] if of.unit else of.named(k)) for k in range(min(shape[0], most))]
    return [plain(label) for label in entries(name, shape, results.labels).values()][:most]


def _with_unit(results: StudyResults, name: str) -> str:
    """A measure, a parameter or an entry of one, with its unit where all of it has one."""
    of = results.labels.get(name)
    if of is None:
        owner = next((x for x in results.labels if name.startswith((f"{x}.", f"{x}["))), "")
        inside = results.labels.get(owner, Entries())
        place = dict(zip(inside.names, inside.units, strict=False)).get(name[len(owner) + 1 :], inside.unit)
        return plain(f"{name} ({place})" if place else name)
    return plain(f"{name} ({of.unit})" if of.unit else name)


def _look(k: int) -> dict[str, Any]:
    """The k-th curve's colour, dashed where colours begin anew."""
    return {"color": COLOURS[k % len(COLOURS)], "linestyle": "-" if k < len(COLOURS) else "--"}
