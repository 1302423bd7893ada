"""The guide's table of gains has what the signatures have: every gain, and what it is if omitted."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

import numpy as np

import soadyn as sd

PAGE = Path(__file__).resolve().parents[2] / "docs" / "guides" / "control.md"
GAINS = {
    "bandwidth", "damping_ratio", "posture_bandwidth", "posture_damping_ratio", "velocity_bandwidth", "singular",
    "stiffness", "damping", "inertia", "gain", "weight", "effort_limit", "angular_stiffness", "linear_stiffness",
    "lead", "moment_limit", "force_limit", "regularization",
}  # fmt: skip
TOLD = {"must be given": inspect.Parameter.empty, "none": None, "the frame's own": None}
NO_GAINS = ("Plan", "solve_demands", "Solution", "workspace_map")  # results, and what takes a matrix


def signatures() -> dict[tuple[str, str], object]:
    """The default of each gain of each public function and class."""
    found: dict[tuple[str, str], object] = {}
    for name in sd.control.__all__:
        thing = getattr(sd.control, name)
        if name in NO_GAINS or not callable(thing) or (isinstance(thing, type) and issubclass(thing, Exception)):
            continue
        for parameter in inspect.signature(thing).parameters.values():
            if parameter.name in GAINS:
                infinite = isinstance(parameter.default, float) and np.isinf(parameter.default)
                found[name, parameter.name] = None if infinite else parameter.default
    return found


def table(text: str) -> dict[tuple[str, str], object]:
    """The same as the page has it; an empty first cell means those above it."""
    found: dict[tuple[str, str], object] = {}
    of: list[str] = []
    rows = text[text.index("| of | gain | unit |") :].split("\n\n")[0].splitlines()[2:]
    for row in rows:
        first, gain, _, omitted = (cell.strip() for cell in row.strip("|").split("|"))
        of = re.findall(r"`(\w+)`", first) or of
        for name in of:
            found[name, re.findall(r"`(\w+)`", gain)[0]] = TOLD[omitted] if omitted in TOLD else float(omitted)
    return found


def test_the_table_has_every_gain_and_its_default() -> None:
    assert table(PAGE.read_text(encoding="utf-8")) == signatures()


def test_a_row_with_another_default_is_noticed() -> None:
    text = PAGE.read_text(encoding="utf-8").replace("| `bandwidth` | rad/s | 10 |", "| `bandwidth` | rad/s | 11 |")
    assert table(text) != signatures()
