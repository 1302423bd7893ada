"""Writes docs/coverage_000.md: the results of the paper on diagonalized dynamics, and where they are.

Run it with `.venv/bin/python docs/make_coverage_000.py`; a test fails when the page, the list and the tests differ.
"""

from __future__ import annotations

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
sys.path.insert(0, str(HERE.parent / "tests" / "support"))

from make_coverage import _row  # noqa: E402

from results_000 import RESULTS  # noqa: E402

PAGE = HERE / "coverage_000.md"

OPENING = """# Diagonalized dynamics, result by result

A. Jain, G. Rodriguez, *Diagonalized Lagrangian Robot Dynamics* (000 in [NOTATION.md](../NOTATION.md)). For each of its
results, or each group of them: the call that computes it, and the test that holds it against dense matrices, complex
steps or simulation, on trees with every kind of joint, fixed and free bases, with and without armature. Of {count} rows
{done} are done; of the others the remark says what is missing. Remarks say too where print is in error. A walk through
the paper with code: [walk_000.md](walk_000.md).

This page is written by `python docs/make_coverage_000.py` from the list in `tests/support/results_000.py`.

| result | call | test | remark |
|---|---|---|---|
"""


def page() -> str:
    """The whole page."""
    done = sum(not result.open for result in RESULTS)
    return OPENING.format(count=len(RESULTS), done=done) + "".join(_row(result) for result in RESULTS)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
