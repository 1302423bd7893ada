"""Draws docs/plots/ladder.png from the figures that stand in docs/benchmarks/benchmarks.md.

Run it with `.venv/bin/python docs/make_ladder.py`; the page says how its figures were measured.
"""

from __future__ import annotations

import re
from pathlib import Path

HERE = Path(__file__).resolve().parent
PAGE, PICTURE = HERE / "benchmarks" / "benchmarks.md", HERE / "plots" / "ladder.png"
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


def draw(times: dict[str, float]) -> None:
    """Bars on a linear axis: the message is size."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7.5, 3.0), layout="constrained")
    axes = figure.subplots()
    colours = ["#2a6fb0" if who.startswith("soadyn") else "#9aa5b1" for who in times]
    bars = axes.barh([SHOWN[who] for who in times], list(times.values()), color=colours)
    axes.bar_label(bars, [f"{time:,.0f}" for time in times.values()], padding=4)
    axes.invert_yaxis()
    axes.set_xlabel("UR5 forward dynamics, ns a state, one thread with AVX-512, batches of 4,096")
    axes.spines[["top", "right"]].set_visible(False)
    axes.margins(x=0.1)
    figure.savefig(PICTURE, dpi=100)


if __name__ == "__main__":
    draw(figures(PAGE.read_text(encoding="utf-8")))
    print(PICTURE)
