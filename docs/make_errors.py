"""Writes docs/reference/errors.md: the bad input of tests/support/error_cases, provoked, and the message it gets.

Run it with `.venv/bin/python docs/make_errors.py`; a test fails when the page and the messages differ.
"""

from __future__ import annotations

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "tests" / "support"))

from error_cases import ARM, CASES, SECTIONS, SPOILT, Case, message, provoked  # noqa: E402

PAGE = HERE / "reference" / "errors.md"

OPENING = """# What soadyn says about bad input

Every error that soadyn raises derives from `sd.SoadynError`; `ModelError`, `ShapeError`, `ArgumentError`,
`FormulaError` and `ProgramError` are also `ValueError`s, `SpaceError` is a `TypeError`, `UnknownNameError` a
`LookupError`, `SingularError` an `ArithmeticError`.
A message names the thing, says what was found and what was expected, and what to do where that is known.

This page shows {count} kinds of bad input. It is written by `python docs/make_errors.py`, which provokes each of them;
`tests/test_error_page.py` asserts the words of each and that this page is what the script writes.

In the examples `arm` is the built-in `planar_two_link`, `flyer` the built-in `free_flyer`, `weak` a robot whose link
`hand` has no inertia, `b` a `sd.Builder("mine")` with a link `upper`, and `q`, `v`, `a`, `tau` are two zeros each. `H`,
`M`, `T`, `phi`, `psi` and `formula` are those of `soadyn.algebra`, `operator` and `vector` make symbols of one's own;
[misuse.md](misuse.md) has more formulas that are refused.
"""

SPOILT_OPENING = """Each file is this one with a change.

```xml
{arm}```
"""


def page() -> str:
    """The whole page."""
    parts = [OPENING.format(count=len(CASES))]
    for title, section in SECTIONS.items():
        parts.append(f"## {title}\n")
        if section is SPOILT:
            parts.append(SPOILT_OPENING.format(arm=ARM))
        parts += [_entry(case) for case in section]
    return "\n".join(parts)


def _entry(case: Case) -> str:
    error = provoked(case)
    code = "\n".join(f"{'>>>' if not line.startswith(' ') else '...'} {line}" for line in case.code.splitlines())
    told = f" {case.given}" if case.given else ""
    return f"**{case.about[0].upper()}{case.about[1:]}.**{told}\n\n```text\n{code}\n{_named(error)}\n```\n"


def _named(error: Exception) -> str:
    return f"{type(error).__name__}: {message(error)}"


if __name__ == "__main__":
    missing = sorted({case.needs for case in CASES if not case.runs})
    if missing:
        sys.exit(f"the page needs {', '.join(missing)}; install the dev extra first")
    PAGE.write_text(page(), encoding="utf-8")
    print(f"{PAGE}: {len(CASES)} kinds of bad input")
