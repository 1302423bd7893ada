"""Sketches: a link with a force on it, and the two directions of walks."""

from __future__ import annotations

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import FancyArrowPatch, Rectangle

BLUE, RED, GREY = "#2a6fb0", "#c0392b", "#7f8c8d"


def one_link() -> Figure:
    """A force at the outer frame, and what the inner frame sees of it."""
    figure = Figure(figsize=(7.5, 3.2), layout="constrained")
    axes = _empty(figure.subplots(), (-0.6, 5.4), (-0.8, 2.0))
    inner, outer = (0.5, 0.2), (3.9, 0.8)
    axes.plot(*zip(inner, outer, strict=True), color="#dfe6ec", linewidth=26, solid_capstyle="round", zorder=0)
    axes.plot(*zip(inner, outer, strict=True), color=GREY, linestyle="--", linewidth=1)
    axes.text(2.15, 0.2, "$l$", fontsize=13, color=GREY)
    for point, name, below in ((inner, "$O_k$", -0.45), (outer, "$O_j$", -0.5)):
        _frame(axes, point)
        axes.text(point[0] - 0.1, point[1] + below, name, fontsize=13)
    _arrow(axes, outer, (4.5, 1.75), RED)
    axes.text(4.55, 1.6, "$F$", fontsize=13, color=RED)
    _arrow(axes, inner, (1.1, 1.15), BLUE)
    axes.text(1.12, 0.95, "$F$", fontsize=13, color=BLUE)
    axes.add_patch(_bent((0.05, -0.15), (0.15, 0.75), BLUE))
    axes.text(-0.55, 0.85, r"$N + l\times F$", fontsize=13, color=BLUE)
    axes.text(2.5, -0.65, r"$f_k = \phi(k,j)\,f_j \qquad V_j = \phi^*(k,j)\,V_k$", fontsize=14, ha="center")
    return figure


def walks() -> Figure:
    """Forces summed from the tips to the base, motions handed from the base to the tips, on a small tree."""
    figure = Figure(figsize=(7.5, 3.0), layout="constrained")
    places = {"ground": (0, 0), "3": (1.1, 0), "2": (2.3, 0.55), "1": (3.5, 0.75), "1'": (2.4, -0.55)}
    joints = (("ground", "3"), ("3", "2"), ("2", "1"), ("3", "1'"))
    told = (("tip to base:  $y=\\phi\\,x$", True, RED), ("base to tip:  $y=\\phi^*x$", False, BLUE))
    for axes, (title, inward, colour) in zip(figure.subplots(1, 2), told, strict=True):
        _empty(axes, (-0.5, 4.0), (-1.1, 1.3))
        axes.set_title(title, fontsize=12)
        for parent, child in joints:
            start, end = (places[child], places[parent]) if inward else (places[parent], places[child])
            if parent == "ground" and not inward:
                start = (0.2, 0)
            _arrow(axes, start, end, colour, shrink=14)
        for name, place in places.items():
            square = name == "ground"
            axes.plot(*place, marker="s" if square else "o", markersize=22, color=GREY if square else "#dfe6ec")
            axes.text(*place, "" if square else name, ha="center", va="center")
        axes.text(0, -0.45, "ground", ha="center", fontsize=9, color=GREY)
    return figure


def two_walks() -> Figure:
    """Forward dynamics on a chain of three links: what is handed inward, and what outward."""
    figure = Figure(figsize=(8.5, 3.3), layout="constrained")
    axes = _empty(figure.subplots(), (-0.9, 8.3), (-1.7, 1.75))
    axes.add_patch(Rectangle((-0.55, -0.6), 0.3, 1.2, color=GREY))
    for number, x in enumerate((1.4, 4.2, 7.0)):
        axes.add_patch(Rectangle((x - 0.75, -0.35), 1.5, 0.7, color="#dfe6ec"))
        axes.text(x, 0, f"link {3 - number}", ha="center", va="center")
        inner = x - 2.05 if number else -0.25
        _arrow(axes, (x - 0.75, 0.45), (inner, 0.45), RED)
        _arrow(axes, (inner, -0.45), (x - 0.75, -0.45), BLUE)
        middle = (inner + x - 0.75) / 2
        axes.text(middle, 0.6, "$z^+$", ha="center", color=RED, fontsize=12)
        axes.text(middle, -0.85, r"$\alpha$", ha="center", color=BLUE, fontsize=12)
        axes.text(x, 0.75, "$\\epsilon=T-Hz$\n$\\nu=D^{-1}\\epsilon$", ha="center", color=RED, fontsize=11)
        axes.text(x, -1.05, r"$\ddot\theta=\nu-G^*\alpha^+$", ha="center", color=BLUE, fontsize=11)
    axes.text(8.2, 1.45, "tip to base", ha="right", color=RED)
    axes.text(8.2, -1.6, "base to tip", ha="right", color=BLUE)
    return figure


def _empty(axes: Axes, x: tuple[float, float], y: tuple[float, float]) -> Axes:
    axes.set(xlim=x, ylim=y, aspect="equal")
    axes.axis("off")
    return axes


def _frame(axes: Axes, point: tuple[float, float]) -> None:
    axes.plot(*point, marker="o", markersize=9, color="black")


def _arrow(axes: Axes, start: tuple[float, float], end: tuple[float, float], colour: str, shrink: float = 2) -> None:
    look = {"arrowstyle": "-|>", "color": colour, "lw": 2, "shrinkA": shrink, "shrinkB": shrink}
    axes.annotate("", end, start, arrowprops=look)


def _bent(start: tuple[float, float], end: tuple[float, float], colour: str) -> FancyArrowPatch:
    return FancyArrowPatch(
        start, end, connectionstyle="arc3,rad=-0.8", arrowstyle="-|>", mutation_scale=16, color=colour, lw=2
    )
