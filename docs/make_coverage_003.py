"""Writes docs/coverage_003.md: the results of the paper on random fields, and where they are.

Run it with `.venv/bin/python docs/make_coverage_003.py`; a test fails when the page, the list and the tests differ.
"""

from __future__ import annotations

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "tests" / "support"))

from results_003 import RESULTS, Result  # noqa: E402

PAGE = HERE / "coverage_003.md"

OPENING = """# Random field estimation, result by result

G. Rodriguez, *Random Field Estimation Approach to Robot Dynamics* (003 in [NOTATION.md](../NOTATION.md)). For each of
its {count} results: the call that computes it (names without a robot are in `sd.estimation`), and the test in
`tests/truth/seed_003/` that holds it against explicit matrices, on chains and on trees with armature. {open} are open,
with the reason. Remarks say where print is in error and what armature and branches change.

This page is written by `python docs/make_coverage_003.py` from the list in `tests/support/results_003.py`.

| result | call | test | remark |
|---|---|---|---|
"""


def page() -> str:
    """The whole page."""
    missing = sum(not result.test for result in RESULTS)
    return OPENING.format(count=len(RESULTS), open=missing) + "".join(_row(result) for result in RESULTS)


def _row(result: Result) -> str:
    call, test = (f"`{text}`" if text else "-" for text in (result.call, result.test))
    return f"| {result.number} | {call} | {test} | {result.remark or '-'} |\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
