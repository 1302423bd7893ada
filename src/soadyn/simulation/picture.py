"""What all pictures share: how they begin, how axes look, how they are written. Needs matplotlib."""

from __future__ import annotations

from os import PathLike
from pathlib import Path
from typing import Any

from soadyn.errors import ArgumentError
from soadyn.files import target_file, whole_file

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7f3c8d", "#5a5a5a")
SUFFIXES = (".png", ".pdf", ".svg", ".jpg", ".jpeg", ".eps", ".ps", ".tif", ".tiff", ".webp")


def new_figure(width: float, height: float) -> Any:
    """An empty matplotlib figure, in inches."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise ArgumentError("plotting needs matplotlib; install it with: pip install soadyn[plot]") from None
    return Figure(figsize=(width, height), layout="constrained")


def tidy(ax: Any) -> None:
    """A light grid, no box, curves from edge to edge, a title of the size of the labels."""
    ax.grid(color="#dddddd", linewidth=0.6)
    ax.spines[["top", "right"]].set_visible(False)
    ax.set_xmargin(0)
    ax.title.set(fontsize="medium")


def picture_file(path: str | PathLike[str]) -> Path:
    """The path of a picture to draw, checked."""
    return target_file(path, "a picture", SUFFIXES)


def saved(figure: Any, path: str | PathLike[str], dpi: int) -> Path:
    """Write a figure in the format that the path's suffix names, whole or not at all."""
    target = picture_file(path)
    with whole_file(target) as file:
        try:
            figure.savefig(file, dpi=dpi, format=target.suffix[1:].lower())
        except ValueError as error:
            raise ArgumentError(f"cannot draw {str(target)!r}: {error}") from None
    return target
