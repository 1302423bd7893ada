"""Draws docs/plots/ladder.png and ladder_dark.png from the figures that stand in docs/benchmarks/benchmarks.md.

Run it with `.venv/bin/python docs/make_ladder.py`; the page says how its figures were measured.
"""

from __future__ import annotations

import re
from pathlib import Path

HERE = Path(__file__).resolve().parent
PAGE = HERE / "benchmarks" / "benchmarks.md"
# Ink and ground: for readers in the light, and in the dark.
PICTURES = {
    HERE / "plots" / "ladder.png": ("#222222", "#ffffff"),
    HERE / "plots" / "ladder_dark.png": ("#d6d9dd", "#0d1117"),
}
SHOWN = {
    "Pinocchio abaInParallel": "Pinocchio, batch call",
    "Pinocchio C++ loop of aba": "Pinocchio in C++,\n-O3 -march=native",
    "CasADi's C": "code for one robot\n(CasADi's C)",
    "CasADi's C in 8 lanes": "the same, eight\nstates at a time",
    "soadyn rolled": "soadyn, any robot",
    "soadyn straight-line": "soadyn, one robot",
}


def figures(page: str) -> dict[str, float]:
    """Nanoseconds a state of UR5's forward dynamics, by who computed them."""
    row = re.compile(r"^\| UR5 \| forward_dynamics \| (.*?) \| ([\d,.]+) ns/state \|", re.MULTILINE)
    found = {who: float(time.replace(",", "")) for who, time in row.findall(page)}
    return {who: found[who] for who in SHOWN}


def draw(times: dict[str, float], path: Path, ink: str, ground: str) -> None:
    """Bars on a linear axis: the message is size."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7.5, 3.0), layout="constrained", facecolor=ground)
    axes = figure.subplots()
    axes.set_facecolor(ground)
    colours = ["#3b82c4" if who.startswith("soadyn") else "#8a949e" for who in times]
    bars = axes.barh([SHOWN[who] for who in times], list(times.values()), color=colours)
    axes.bar_label(bars, [f"{time:,.0f}" for time in times.values()], padding=4, color=ink)
    axes.invert_yaxis()
    axes.set_xlabel("UR5 forward dynamics, ns a state, one thread with AVX-512, batches of 4,096", color=ink)
    axes.tick_params(colors=ink)
    axes.spines[["top", "right"]].set_visible(False)
    axes.spines[["left", "bottom"]].set_color(ink)
    axes.margins(x=0.1)
    figure.savefig(path, dpi=100)


if __name__ == "__main__":
    times = figures(PAGE.read_text(encoding="utf-8"))
    for path, (ink, ground) in PICTURES.items():
        draw(times, path, ink, ground)
        print(path)
