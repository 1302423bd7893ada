"""Draws docs/plots/{links,batches,corpus}.png from the tables of docs/benchmarks/benchmarks.md.

Run it with `.venv/bin/python benchmarks/plots.py [PAGE [FOLDER]]`; nothing is measured. `peers.py --plots` draws the
same of what it has just measured.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Protocol

from figures import SECTIONS, Figure

DOCS = Path(__file__).resolve().parent.parent / "docs"
ROW = re.compile(r"^\| (.*?) \| (.*?) \| (.*?) \| ([\d,.]+) (ns/link|ns/state|times faster) \|", re.MULTILINE)
COLOURS = ("#2a6fb0", "#d55e00", "#8a949e", "#009e73", "#a64d79")


class Measured(Protocol):
    """What is asked of a figure."""

    @property
    def section(self) -> str: ...
    @property
    def robot(self) -> str: ...
    @property
    def what(self) -> str: ...
    @property
    def who(self) -> str: ...
    @property
    def value(self) -> float: ...
    @property
    def x(self) -> float | None: ...


def draw(figures: Iterable[Measured], folder: Path) -> list[Path]:
    """The pictures for which there are figures, as PNG files."""
    folder.mkdir(parents=True, exist_ok=True)
    kept = list(figures)
    drawings = {"links": links, "batches": batches, "corpus": corpus}
    written = []
    for section, drawing in drawings.items():
        picture = drawing([figure for figure in kept if figure.section == section])
        if picture is not None:
            written.append(folder / f"{section}.png")
            picture.savefig(written[-1], dpi=110)
    return written


def links(figures: list[Measured]) -> Any:
    """Time by link over the number of links: level lines are what O(N) looks like."""
    lines = _lines((f"{figure.what}", figure) for figure in figures)
    if not lines:
        return None
    picture, axes = _empty(7.5, 3.4)
    for (name, points), colour in zip(lines.items(), COLOURS, strict=False):
        axes.plot(*zip(*points, strict=True), marker="o", color=colour, label=name)
    axes.set(xscale="log", xlabel="links of the chain", ylabel="ns for each link", ylim=(0, None))
    _plain(axes.xaxis, (1.0, 3.0))
    axes.legend(frameon=False)
    return picture


def batches(figures: list[Measured]) -> Any:
    """Time by state over the size of the batch, both axes logarithmic."""
    lines = _lines((figure.who, figure) for figure in figures)
    if not lines:
        return None
    picture, axes = _empty(7.5, 3.8)
    for (name, points), colour in zip(lines.items(), COLOURS, strict=False):
        alone = len(points) == 1
        label = f"{name} (a single state)" if alone else name
        axes.plot(*zip(*points, strict=True), marker="D" if alone else "o", color=colour, label=label)
    axes.set(xscale="log", yscale="log", xlabel="states in the batch", ylabel="ns for each state")
    _plain(axes.xaxis, (1.0,))
    _plain(axes.yaxis, (1.0, 2.0, 5.0))
    axes.legend(frameon=False)
    return picture


def corpus(figures: list[Measured]) -> Any:
    """A bar for each robot, the scale above and below."""
    robots = sorted((figure.value, figure.robot) for figure in figures if figure.who == "one of them")
    if not robots:
        return None
    picture, axes = _empty(7.5, 0.155 * len(robots) + 1)
    bars = axes.barh([name for _, name in robots], [ratio for ratio, _ in robots], color=COLOURS[0], height=0.75)
    axes.bar_label(bars, [f"{ratio:.0f}" for ratio, _ in robots], padding=3, fontsize=7)
    axes.tick_params(axis="y", labelsize=7, length=0)
    axes.tick_params(axis="x", top=True, labeltop=True)
    axes.set_xlabel("times faster than Pinocchio's abaInParallel, one thread")
    axes.set_ymargin(0.005)
    return picture


def _empty(width: float, height: float) -> tuple[Any, Any]:
    from matplotlib.figure import Figure as Picture

    picture = Picture(figsize=(width, height), layout="constrained")
    axes = picture.subplots()
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(color="#dddddd", linewidth=0.6)
    axes.set_axisbelow(True)
    return picture, axes


def _lines(named: Iterable[tuple[str, Measured]]) -> dict[str, list[tuple[float, float]]]:
    lines: dict[str, list[tuple[float, float]]] = {}
    for name, figure in named:
        if figure.x is not None:
            lines.setdefault(name, []).append((figure.x, figure.value))
    return {name: sorted(points) for name, points in lines.items()}


def _plain(axis: Any, leads: tuple[float, ...]) -> None:
    """A logarithmic axis with whole numbers at these multiples of powers of ten."""
    from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

    axis.set_major_locator(LogLocator(subs=leads))
    axis.set_major_formatter(FuncFormatter(lambda x, _: f"{x:,.0f}"))
    axis.set_minor_locator(NullLocator())


def figures_of(page: str) -> Iterator[Figure]:
    """The figures that the page's tables have for the pictures."""
    titles = {title: section for section, title in SECTIONS.items()}
    for part in re.split(r"^## ", page, flags=re.MULTILINE):
        section = titles.get(part.partition("\n")[0], "")
        for robot, what, who, value, unit in ROW.findall(part):
            number = re.search(r"[\d,]+", {"links": robot, "batches": what}.get(section, ""))
            if section == "corpus" or (number and unit == {"links": "ns/link"}.get(section, "ns/state")):
                x = None if section == "corpus" else float(number[0].replace(",", ""))  # type: ignore[index]
                yield Figure(section, robot, what, who, float(value.replace(",", "")), unit, x=x)


if __name__ == "__main__":
    page = Path(sys.argv[1]) if len(sys.argv) > 1 else DOCS / "benchmarks" / "benchmarks.md"
    folder = Path(sys.argv[2]) if len(sys.argv) > 2 else DOCS / "plots"
    for path in draw(figures_of(page.read_text(encoding="utf-8")), folder):
        print(path)
