"""Writes docs/coverage_004.md: the numbered results of the paper on under-actuated manipulators, and where they are.

Run it with `.venv/bin/python docs/make_coverage_004.py`; a test fails when the page, the list and the tests differ.
"""

from __future__ import annotations

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "tests" / "support"))

from results_004 import RESULTS, Result  # noqa: E402

PAGE = HERE / "coverage_004.md"

OPENING = """# Under-actuated manipulators, result by result

A. Jain, G. Rodriguez, *An Analysis of the Kinematics and Dynamics of Under-Actuated Manipulators* (004 in
[NOTATION.md](../NOTATION.md)). For each of its {count} numbered results: the call of a robot that computes it, and the
test in `tests/truth/seed_004/` that holds it against explicit matrices, on chains and trees, fixed and free
bases, with and without armature. A result without a call is an identity between operators. Remarks say where print is
in error and what armature changes.

This page is written by `python docs/make_coverage_004.py` from the list in `tests/support/results_004.py`.

| result | call | test | remark |
|---|---|---|---|
"""


def page() -> str:
    """The whole page."""
    return OPENING.format(count=len(RESULTS)) + "".join(_row(result) for result in RESULTS)


def _row(result: Result) -> str:
    call = f"`{result.call}`" if result.call else "-"
    return f"| {result.number} | {call} | `{result.test}` | {result.remark or '-'} |\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
