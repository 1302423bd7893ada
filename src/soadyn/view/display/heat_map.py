"""A matrix as a heat map: SVG for notebooks, and the same with matplotlib for files.

Red is positive, blue negative, white zero. Colours follow the cube root of the numbers, so that small entries beside
large ones are seen; the scale below the map says what they mean. Entries that are exactly zero have a dot.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from os import PathLike
from typing import Any, final

import numpy as np

from soadyn.errors import ShapeError
from soadyn.view.display.picture import finished, new_figure, plain
from soadyn.view.display.tables import heading, number, shown, text

SIDE = 480  # of the map, in pixels
MOST_ENTRIES = 40_000  # beyond these a notebook would hold megabytes
RED, WHITE, BLUE = np.array([178, 24, 43]), np.array([255, 255, 255]), np.array([33, 102, 172])
LEAST, MOST = 4.6, 14.0  # of the map in a file, in inches
LINE, LETTER = 0.17, 0.08  # of a name there: the room it needs, and what a letter takes
SCALE = "colours follow the cube root of the entries"
SHARES = (-1.0, -0.125, 0.0, 0.125, 1.0)  # of the largest entry, told below the map: cube roots -1, -1/2, 0, 1/2, 1


@final
@dataclass(frozen=True, slots=True)
class Labels:
    """Names along a side of a matrix, and how many rows or columns each stands for."""

    names: Sequence[str]
    sizes: Sequence[int]

    @property
    def edges(self) -> list[int]:
        return [0, *accumulate(self.sizes)]

    @property
    def reversed(self) -> Labels:
        """The names and sizes from the last to the first."""
        return Labels(self.names[::-1], self.sizes[::-1])

    @property
    def closest(self) -> float:
        """How many rows or columns lie between the middles of neighbours, where these are fewest."""
        middles = self.middles
        return min((b - a for a, b in pairwise(middles)), default=float(self.edges[-1]))

    @property
    def middles(self) -> list[float]:
        return [(a + b) / 2 for a, b in zip(self.edges, self.edges[1:], strict=False)]


@final
@dataclass(frozen=True, slots=True, eq=False)
class Map:
    """A matrix that is computed when it is drawn, its shape, the names at its sides and a title."""

    dense: Callable[[], np.ndarray]
    shape: tuple[int, ...]
    rows: Labels
    columns: Labels
    title: str

    def plot(self, path: str | PathLike[str] | None) -> Any:
        """A file, or without a path a `Picture`. A batch of matrices has no one picture."""
        if len(self.shape) != 2:
            raise ShapeError(
                f"{self.title}: a map shows one matrix, this is a batch of shape {self.shape[:-2]}; choose one q"
            )
        if not np.prod(self.shape):
            raise ShapeError(f"{self.title}: a matrix of shape {self.shape} has no entries to draw")
        return finished(drawn(self), path)

    def html(self) -> str:
        """The title and the map; of a batch, or of very many numbers, the shape alone."""
        said = " x ".join(map(str, self.shape[-2:]))
        if self.shape[:-2]:
            return shown(heading(self.title, f"{said}, a batch of shape {self.shape[:-2]}"))
        if not 0 < np.prod(self.shape) <= MOST_ENTRIES:
            return shown(heading(self.title, f"{said}; a map is shown of at most {MOST_ENTRIES} numbers"))
        return shown(heading(self.title, said), svg(self.dense(), self.rows, self.columns))


def colour(x: float, largest: float) -> tuple[int, int, int]:
    """The colour of an entry.

    >>> colour(2.0, 2.0), colour(0.0, 2.0), colour(-2.0, 2.0)
    ((178, 24, 43), (255, 255, 255), (33, 102, 172))
    """
    share = float(np.cbrt(x / largest)) if largest > 0 and np.isfinite(x) else 0.0
    mixed = WHITE + abs(share) * ((RED if share > 0 else BLUE) - WHITE)
    red, green, blue = (round(float(c)) for c in mixed)
    return red, green, blue


def svg(matrix: np.ndarray, rows: Labels, columns: Labels) -> str:
    """A heat map with the names at its sides; pointing at an entry shows its number."""
    height, width = matrix.shape
    cell = max(min(SIDE / max(height, width), 40.0), 2.0)
    left = 7.0 * max((len(name) for name in rows.names), default=0) + 12
    top = 7.0 * 0.75 * max((len(name) for name in columns.names), default=0) + 16
    largest = float(np.abs(matrix[np.isfinite(matrix)]).max(initial=0.0))
    parts = [_entry(matrix[i, j], j, i, cell, largest) for i in range(height) for j in range(width)]
    lines = [_line(0, y, width, y, cell) for y in rows.edges] + [_line(x, 0, x, height, cell) for x in columns.edges]
    named = [
        f'<text x="-6" y="{y * cell + 4:.1f}" text-anchor="end">{text(name)}</text>'
        for name, y in zip(rows.names, rows.middles, strict=True)
    ]
    named += [
        f'<text transform="translate({x * cell + 4:.1f},-6) rotate(-45)">{text(name)}</text>'
        for name, x in zip(columns.names, columns.middles, strict=True)
    ]
    w, h = left + max(width * cell + top, 70.0 * len(SHARES)), top + height * cell + 64
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{w:.0f}" height="{h:.0f}" viewBox="0 0 {w:.0f} {h:.0f}" '
        'font-family="sans-serif" font-size="12" fill="currentColor">'
        f'<g transform="translate({left:.1f},{top:.1f})">{"".join(parts + lines + named)}'
        f"{_scale(height * cell + 14, largest)}</g></svg>"
    )


def _entry(x: float, column: int, row: int, cell: float, largest: float) -> str:
    red, green, blue = colour(float(x), largest)
    dot = (
        f'<circle cx="{(column + 0.5) * cell:.1f}" cy="{(row + 0.5) * cell:.1f}" r="{min(cell / 10, 1.5):.1f}" '
        'fill="#bbbbbb"/>'
    )
    square = f'<rect x="{column * cell:.1f}" y="{row * cell:.1f}" width="{cell:.1f}" height="{cell:.1f}"'
    told = f'{square} fill="#{red:02x}{green:02x}{blue:02x}"><title>{number(float(x))}</title></rect>'
    return told + dot if x == 0 else told


def _line(x0: float, y0: float, x1: float, y1: float, cell: float) -> str:
    ends = f'x1="{x0 * cell:.1f}" y1="{y0 * cell:.1f}" x2="{x1 * cell:.1f}" y2="{y1 * cell:.1f}"'
    return f'<line {ends} stroke="#999999" stroke-width="0.7"/>'


def _scale(y: float, largest: float) -> str:
    told = []
    for n, share in enumerate(SHARES):
        red, green, blue = colour(share, 1.0)
        told.append(
            f'<rect x="{70 * n}" y="{y:.1f}" width="12" height="12" stroke="#999999" '
            f'fill="#{red:02x}{green:02x}{blue:02x}"/>'
            f'<text x="{70 * n + 16}" y="{y + 10:.1f}">{number(share * largest)}</text>'
        )
    told.append(f'<text y="{y + 30:.1f}" opacity="0.7">{SCALE}</text>')
    return "".join(told)


def drawn(map_: Map) -> Any:
    """The same map as a matplotlib figure, as large as its names need."""
    matrix, rows, columns = map_.dense(), map_.rows, map_.columns
    cell = _cell(rows, columns)
    besides, below = (LETTER * max(map(len, labels.names), default=0) for labels in (rows, columns))
    width = max(matrix.shape[1] * cell + besides + 0.4, LEAST)
    figure = new_figure(width, matrix.shape[0] * cell + below + 1.3)
    ax = figure.subplots()
    largest = float(np.abs(matrix[np.isfinite(matrix)]).max(initial=0.0))
    pixels = np.array([[colour(float(x), largest) for x in row] for row in matrix], dtype=np.uint8)
    ax.imshow(pixels.reshape(*matrix.shape, 3), interpolation="nearest")
    for axis, labels in ((ax.yaxis, rows), (ax.xaxis, columns)):
        size = min(72 * 0.7 * cell * labels.closest, 10.0)
        axis.set_ticks([x - 0.5 for x in labels.middles], [plain(name) for name in labels.names], fontsize=size)
    for name in ax.get_xticklabels():
        name.set(rotation=60, ha="right", rotation_mode="anchor")
    for edges, line in ((rows.edges, ax.axhline), (columns.edges, ax.axvline)):
        for x in edges:
            line(x - 0.5, color="#999999", linewidth=0.6)
    zeros = np.argwhere(matrix == 0)
    ax.plot(zeros[:, 1], zeros[:, 0], ".", color="#bbbbbb", markersize=2)
    handles = [_patch(colour(share, 1.0), number(share * largest)) for share in SHARES]
    scale = figure.legend(handles=handles, loc="outside lower center", ncols=len(handles), frameon=False, title=SCALE)
    scale.get_title().set_fontsize("small")
    ax.set_title(plain(map_.title), fontsize="medium")
    return figure


def _cell(rows: Labels, columns: Labels) -> float:
    """The side of an entry in inches: neighbouring names have room, and the map fits a page."""
    longest = max(rows.edges[-1], columns.edges[-1])
    room = max(LINE / labels.closest for labels in (rows, columns))
    return min(max(LEAST / longest, room), MOST / longest)


def _patch(rgb: tuple[int, int, int], label: str) -> Any:
    from matplotlib.patches import Patch

    return Patch(facecolor=(rgb[0] / 255, rgb[1] / 255, rgb[2] / 255), edgecolor="#999999", label=label)
