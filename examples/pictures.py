"""What the examples share: pictures in one style, and a way to be run from the command line."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.figure import Figure

import soadyn as sd

BLUE, RED, GREEN, PURPLE, ORANGE, BLACK, GREY = (
    "#0072b2", "#d55e00", "#009e73", "#a64d79", "#e69f00", "#222222", "#9a9a9a",
)  # fmt: skip
PLOTS = Path(__file__).resolve().parent.parent / "docs" / "plots"
DOTS_PER_INCH = 80


def panels(*widths: float, height: float = 3.6) -> tuple[Figure, list[Any]]:
    """A figure with panels side by side, of these widths in inches."""
    figure = Figure(figsize=(sum(widths), height), layout="constrained")
    axes = figure.subplots(1, len(widths), width_ratios=widths, squeeze=False)[0]
    for ax in axes:
        ax.grid(color="#e2e2e2", linewidth=0.6)
        ax.set_axisbelow(True)
        ax.spines[["top", "right"]].set_visible(False)
    return figure, list(axes)


def label(ax: Any, title: str, x: str = "time (s)", y: str = "", legend: bool = True) -> None:
    """Title, axes' names and, if curves are labelled, a legend."""
    ax.set_title(title, fontsize=10)
    ax.set_xlabel(x)
    ax.set_ylabel(y)
    if legend and ax.get_legend_handles_labels()[1]:
        ax.legend(fontsize=8, frameon=False)


def points(robot: sd.Robot, q: np.ndarray, tip: str | None = None) -> np.ndarray:
    """The links' origins, and a tip frame at the end, (..., links, 3)."""
    origins = robot.poses(q)[..., :3, 3]
    return origins if tip is None else np.concatenate([origins, robot.pose(q, tip)[..., None, :3, 3]], axis=-2)


def draw_sticks(ax: Any, shapes: np.ndarray, plane: tuple[int, int], colour: str = BLUE) -> None:
    """A row of shapes (n, points, 3) in one plane, early ones pale."""
    for k, shape in enumerate(shapes):
        strength = 0.15 + 0.85 * k / max(1, len(shapes) - 1)
        ax.plot(*shape[:, plane].T, "-o", color=colour, alpha=strength, linewidth=1.3, markersize=2.2)
    ax.set_aspect("equal", adjustable="datalim")


def save(figure: Figure, out: Path, name: str) -> Path:
    """Write out/name.png."""
    out.mkdir(parents=True, exist_ok=True)
    path = out / f"{name}.png"
    figure.savefig(path, dpi=DOTS_PER_INCH)
    return path


def run(main: Callable[..., dict[str, float]], *numbers: str) -> None:
    """Run an example: `python examples/NAME.py [FOLDER]` writes its picture there and prints its figures.

    `numbers` are whole numbers that it also takes, as --NAME N.
    """
    words, options = sys.argv[1:], {}
    for name in numbers:
        if f"--{name}" in words:
            at = words.index(f"--{name}")
            options[name] = int(words[at + 1])
            del words[at : at + 2]
    out = Path(words[0]) if words else PLOTS
    for name, value in main(out, **options).items():
        print(f"{name:<48} {value:.6g}")
