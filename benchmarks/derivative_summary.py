"""The short table of derivatives that the guide shows, written from a run's figures."""

from __future__ import annotations

import re

from figures import Figure, Report, readable
from ladder_steps import ROLLED, STRAIGHT

BEGIN, END = "<!-- figures of benchmarks/derivatives.py -->", "<!-- end of figures -->"
PLACE = re.compile(f"{re.escape(BEGIN)}.*?{re.escape(END)}", re.DOTALL)
SHORT = {"inverse_dynamics_derivatives": "inverse", "forward_dynamics_derivatives": "forward"}
# Columns of others, by how their names in the report begin; the longer name first.
OTHERS = {
    "CasADi's C in": "CasADi's C in lanes",
    "CasADi's C": "CasADi's C",
    "Pinocchio C++ loop": "Pinocchio, C++ loop",
    "Pinocchio loop": "Pinocchio, Python loop",
}


def renewed(page: str, report: Report, command: str) -> str:
    """A page with this run's table between its two marks."""
    text = "\n".join([BEGIN, "", f"Written by `{command}`.", "", *(f"- {fact}" for fact in report.facts()), ""])
    new = "\n".join([text, *table(report.figures), "", END])
    return PLACE.sub(lambda _: new, page)


def table(figures: list[Figure]) -> list[str]:
    """A row for each robot and quantity: our time a state, and how many times as long the others take."""
    heads = ["", "robot", "operations", "soadyn, ns a state", *OTHERS.values(), "one state, us", "Pinocchio's call"]
    lines = ["| " + " | ".join(heads) + " |", "|" + "---|" * len(heads)]
    for what in SHORT:
        for robot in dict.fromkeys(figure.robot for figure in figures):
            if row := _row([f for f in figures if (f.robot, f.what) == (robot, what)]):
                lines.append("| " + " | ".join([SHORT[what], robot, *row]) + " |")
    return lines


def _row(figures: list[Figure]) -> list[str]:
    times = {f.who: f for f in figures if f.section == "jacobians" and f.unit == "ns/state"}
    mine = times.get(STRAIGHT, times.get(ROLLED))
    if mine is None:
        return []
    cells = [mine.further.get("operations", "rolled"), readable(mine.value)]
    found = dict.fromkeys(OTHERS, "-")
    for who, figure in times.items():
        if start := next((start for start in OTHERS if who.startswith(start)), ""):
            found[start] = f"{figure.value / mine.value:.3g} times"
    single = {f.who: f.value for f in figures if f.section == "jacobians-single" and f.unit == "us"}
    own = single.pop("soadyn")
    other = [f"{value / own:.3g} times" for value in single.values()] or ["-"]
    return [*cells, *found.values(), readable(own), *other]
