"""Pictures of studies: a map over two parameters, or a measure's distribution."""

from __future__ import annotations

from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from soadyn.display.picture import picture_file, plain
from soadyn.errors import ArgumentError, check_name
from soadyn.studies.designs import Grid
from soadyn.studies.results import Reduced, Results

BINS = 60


def plot(results: Results, path: str | PathLike[str], measure: str | None = None) -> Path:
    """Draw a measure to a file: a map over a grid of two parameters, otherwise its distribution."""
    target = picture_file(Path(path))
    names = tuple(results.reduced or results.values)
    if not names:
        raise ArgumentError("there is nothing to draw: the study has no results yet")
    name = names[0] if measure is None else measure
    check_name("measure", name, names)
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise ArgumentError("plot needs matplotlib; install it with: pip install soadyn[plot]") from None
    figure = Figure(figsize=(5.6, 4.0), layout="constrained")
    ax = figure.subplots()
    rows = results.values.get(name)
    if _is_map(results, rows):
        _map(ax, figure, results, name)
    else:
        _distribution(ax, results, name, rows)
    figure.savefig(target, dpi=100)
    return target


def _is_map(results: Results, rows: np.ndarray | None) -> bool:
    design = results.design
    scalars = isinstance(design, Grid) and all(x.ndim == 1 for x in design.axes.values())
    return scalars and len(design.names) == 2 and rows is not None and rows.ndim == 1


def _map(ax: Any, figure: Any, results: Results, name: str) -> None:
    assert isinstance(results.design, Grid)
    (first, x), (second, y) = results.design.axes.items()
    drawn = ax.pcolormesh(x, y, results.values[name].reshape(len(x), len(y)).T, shading="nearest")
    figure.colorbar(drawn, ax=ax, label=plain(name))
    ax.set_xlabel(plain(first))
    ax.set_ylabel(plain(second))


def _distribution(ax: Any, results: Results, name: str, rows: np.ndarray | None) -> None:
    if rows is not None:
        flat = rows.reshape(len(rows), -1)
        for column in flat.T[:10]:
            ax.hist(column[np.isfinite(column)], bins=BINS, histtype="step")
        ax.set_ylabel("rows")
    else:
        _from_quantiles(ax, results.reduced[name])
    ax.set_xlabel(plain(name))


def _from_quantiles(ax: Any, reduced: Reduced) -> None:
    shares = np.linspace(0.0, 1.0, 201)
    for column in reduced.quantile(shares).reshape(len(shares), -1).T[:10]:
        ax.plot(column, shares)
    ax.set_ylabel("share of rows below")
