"""Writes docs/coverage_001.md and docs/coverage_002.md: the results of two papers, and where they are.

Run it with `.venv/bin/python docs/make_coverage.py`; a test fails when the pages, the lists and the tests differ.
"""

from __future__ import annotations

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "tests" / "support"))

import results_001  # noqa: E402
import results_002  # noqa: E402
from result import Result  # noqa: E402
from soadyn.literature.references import REFERENCES  # noqa: E402

LISTS = {"001": results_001.RESULTS, "002": results_002.RESULTS}
TITLES = {
    "001": "Spatial operator factorization, result by result",
    "002": "The UDU* decomposition, result by result",
}

OPENING = """# {title}

{authors}, *{name}*, {published}, {year} ({tag} in [NOTATION.md](../NOTATION.md)). For each of its results: the call
of a robot that computes it, or the formula, and the test in `tests/truth/seed_{tag}/` that holds it against explicit
matrices on chains and trees, fixed and free bases, with and without armature. Of {count} results {done} are done; of
the others the remark says what is missing. A walk through the paper with code: [walk_{tag}.md](walk_{tag}.md).

This page is written by `python docs/make_coverage.py` from the list in `tests/support/results_{tag}.py`.

| result | call | test | remark |
|---|---|---|---|
"""


def page_of(tag: str) -> Path:
    return HERE / f"coverage_{tag}.md"


def page(tag: str) -> str:
    """A whole page."""
    paper, results = REFERENCES[tag], LISTS[tag]
    opening = OPENING.format(
        title=TITLES[tag],
        authors=paper.authors,
        name=paper.title,
        published=paper.published,
        year=paper.year,
        tag=tag,
        count=len(results),
        done=sum(not result.open for result in results),
    )
    return opening + "".join(_row(result) for result in results)


def _row(result: Result) -> str:
    if result.open:
        return f"| {result.number} | - | - | open: {result.open} |\n"
    return f"| {result.number} | `{result.call}` | `{result.test}` | {result.remark or '-'} |\n"


if __name__ == "__main__":
    for tag in LISTS:
        page_of(tag).write_text(page(tag), encoding="utf-8")
