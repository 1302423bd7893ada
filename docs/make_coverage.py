"""Writes docs/coverage/coverage_000.md to coverage_004.md: the results of each paper, and where they are.

Run it with `.venv/bin/python docs/make_coverage.py`; a test fails when the pages, the lists and the tests differ.
"""

from __future__ import annotations

import sys
from pathlib import Path
from textwrap import fill

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "tests" / "support"))

from result import Result  # noqa: E402
from results import RESULTS  # noqa: E402
from soadyn.theory.literature.references import REFERENCES  # noqa: E402

TITLES = {
    "000": "Diagonalized dynamics, result by result",
    "001": "Spatial operator factorization, result by result",
    "002": "The UDU* decomposition, result by result",
    "003": "Random field estimation, result by result",
    "004": "Under-actuated manipulators, result by result",
}
DENSE = "explicit matrices on chains and trees, fixed and free bases, with and without armature."
ABOUT = {
    "000": "For each of its results, or each group of them: the call that computes it, and the test that holds it "
    "against dense matrices, complex steps or simulation, on trees with every kind of joint, fixed and free bases, "
    "with and without armature.",
    "001": "For each of its results: the call of a robot that computes it, or the formula, and the test in "
    f"`tests/truth/seed_001/` that holds it against {DENSE}",
    "002": "For each of its results: the call of a robot that computes it, or the formula, and the test in "
    f"`tests/truth/seed_002/` that holds it against {DENSE}",
    "003": "For each of its results: the call that computes it (names without a robot are in `sd.estimation`), and the "
    "test in `tests/truth/seed_003/` that holds it against explicit matrices, on chains and on trees with armature.",
    "004": "For each of its numbered results: the call of a robot that computes it, or one side of an identity as a "
    f"formula for `sd.compile` and `sd.prove`, and the test in `tests/truth/seed_004/` that holds it against {DENSE}",
}
NOTATION = "[NOTATION.md](../../NOTATION.md)"
HEAD = "| result | call | test | remark |\n|---|---|---|---|\n"


def page_of(tag: str) -> Path:
    return HERE / "coverage" / f"coverage_{tag}.md"


def page(tag: str) -> str:
    """A whole page."""
    source = f"tests/support/results_{tag}.py"
    written = f"This page is written by `python docs/make_coverage.py` from the list in `{source}`."
    parts = [f"# {TITLES[tag]}", _wrapped(_opening(tag)), written, HEAD + "".join(map(_row, RESULTS[tag]))]
    return "\n\n".join(parts)


def _opening(tag: str) -> str:
    paper, results = REFERENCES[tag], RESULTS[tag]
    done = sum(not result.open for result in results)
    cited = f"{paper.authors}, *{paper.title}*, {paper.published}, {paper.year} ({tag} in {NOTATION})."
    counted = f"Of {len(results)} results {done} are done; of the others the remark says what is missing."
    counted = counted if done < len(results) else f"All {done} results are done."
    walk = (
        f"A walk through the paper with code: [walk_{tag}.md](../algebra/walk_{tag}.md)." if _walk(tag).exists() else ""
    )
    remarks = "Remarks also say where print is in error and what armature and branches change."
    return " ".join([cited, ABOUT[tag], counted, remarks, walk])


def _walk(tag: str) -> Path:
    return HERE / "algebra" / f"walk_{tag}.md"


def _wrapped(text: str) -> str:
    return fill(text, 120, break_long_words=False, break_on_hyphens=False)


def _row(result: Result) -> str:
    if result.open:
        return f"| {result.number} | - | - | open: {result.open} |\n"
    return f"| {result.number} | `{result.call}` | `{result.test}` | {result.remark or '-'} |\n"


if __name__ == "__main__":
    for tag in RESULTS:
        page_of(tag).write_text(page(tag), encoding="utf-8")
