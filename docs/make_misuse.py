"""Writes docs/reference/misuse.md: every formula in tests/support/misuse_cases.py, refused, with the words it gets.

Run it with `.venv/bin/python docs/make_misuse.py`; a test fails when the page and the words differ.
"""

from __future__ import annotations

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "tests" / "support"))

from misuse_cases import CASES, SECTIONS, Misuse, refusal  # noqa: E402

PAGE = HERE / "reference" / "misuse.md"

OPENING = """# Formulas that are refused

Spaces are checked while a formula is written: each of these {count} formulas raises `sd.SpaceError` at the sign that
does not fit. A hint in brackets is given only if it mends the spaces at that place.

The page is written by `python docs/make_misuse.py`, which provokes each of them; `tests/algebra/test_misuse.py` asserts
the words of each and that this page is what the script writes.
"""


def page() -> str:
    """The whole page."""
    parts = [OPENING.format(count=len(CASES))]
    for title, section in SECTIONS.items():
        rows = "\n".join(map(_row, section))
        parts.append(f"## {title}\n\n| what is wrong | formula | what soadyn says |\n|---|---|---|\n{rows}\n")
    return "\n".join(parts)


def _row(case: Misuse) -> str:
    return f"| {case.about} | `{case.code}` | {_escaped(refusal(case))} |"


def _escaped(words: str) -> str:
    return "".join(f"\\{letter}" if letter in "*_|<>" else letter for letter in words)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    print(f"{PAGE}: {len(CASES)} formulas")
