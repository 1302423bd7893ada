"""What all pictures share: how they begin, how axes look, how they are written or shown. Needs matplotlib."""

from __future__ import annotations

import io
import warnings
from os import PathLike
from pathlib import Path
from typing import Any, final

from soadyn.errors import ArgumentError, visible
from soadyn.files import target_file, whole_file
from soadyn.later import optional

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7f3c8d", "#5a5a5a")
SUFFIXES = (".png", ".pdf", ".svg", ".jpg", ".jpeg", ".eps", ".ps", ".tif", ".tiff", ".webp")


def new_figure(width: float, height: float) -> Any:
    """An empty matplotlib figure, in inches."""
    figure = optional("matplotlib.figure", "plotting")
    return figure.Figure(figsize=(width, height), layout="constrained")


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
            with warnings.catch_warnings():
                # Where legends leave the panels no room, matplotlib's own placement serves.
                warnings.filterwarnings("ignore", "constrained_layout not applied")
                figure.savefig(file, dpi=dpi, format=target.suffix[1:].lower())
        except ValueError as error:
            raise ArgumentError(f"cannot draw {str(target)!r}: {error}") from None
    return target


def plain(name: str) -> str:
    """A name as matplotlib shows it unchanged: a dollar sign would begin a formula, and what has no shape is spelled.

    >>> plain("$x$")
    '\\\\$x\\\\$'
    """
    return visible(name).replace("$", r"\$")


@final
class Picture:
    """A picture that is shown at the end of a notebook's cell; `save` writes it, `figure` is matplotlib's.

    >>> import soadyn as sd
    >>> fall = sd.simulate(sd.load("planar_two_link"), [0.3, 0.0], duration=0.1, step=0.01)
    >>> fall.plot()
    <Picture of 10 x 5.2 inches>
    """

    def __init__(self, figure: Any) -> None:
        self.figure = figure

    def save(self, path: str | PathLike[str], dpi: int = 150) -> Path:
        """Write it in the format that the path's suffix names: png, pdf, svg, ..."""
        return saved(self.figure, path, dpi)

    def _repr_png_(self) -> bytes:
        buffer = io.BytesIO()
        self.figure.savefig(buffer, dpi=90, format="png")
        return buffer.getvalue()

    def __repr__(self) -> str:
        width, height = self.figure.get_size_inches()
        return f"<Picture of {width:.3g} x {height:.3g} inches>"


def finished(figure: Any, path: str | PathLike[str] | None, dpi: int = 150) -> Any:
    """A figure as a file, whose path is returned; or, without a path, as a `Picture` to look at."""
    return Picture(figure) if path is None else saved(figure, path, dpi)
