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

OPENING = """# Error messages: what soadyn says about bad input

A message names the thing, says what was found and what was expected, and what to do where that is known. Here are
{count} kinds of bad input by area; a click opens an area, the box finds words in all of them.

<div id="messages"></div>
"""

CLOSING = """## About the examples

Every error that soadyn raises derives from `sd.SoadynError`; `ModelError`, `ShapeError`, `ArgumentError`,
`FormulaError` and `ProgramError` are also `ValueError`s, `SpaceError` is a `TypeError`, `UnknownNameError` a
`LookupError`, `SingularError` an `ArithmeticError`.

In the examples `arm` is the built-in `planar_two_link`, `flyer` the built-in `free_flyer`, `weak` a robot whose link
`hand` has no inertia, `b` a `sd.Builder("mine")` with a link `upper`, and `q`, `v`, `a`, `tau` are two zeros each. `H`,
`M`, `T`, `phi`, `psi` and `formula` are those of `soadyn.algebra`, `operator` and `vector` make symbols of one's own;
[misuse.md](misuse.md) has more formulas that are refused. `python docs/make_errors.py` provokes each of them and
writes this page; `tests/test_error_page.py` asserts the words of each and that this page is what the script writes.
"""

AREA = """<details><summary>{title} ({count})</summary>

{opening}| what is wrong | what soadyn says |
|---|---|
{rows}

</details>
"""

SPOILT_OPENING = """Each file is this one with a change.

```xml
{arm}```

"""


def page() -> str:
    """The whole page."""
    parts = [OPENING.format(count=len(CASES))]
    for title, section in SECTIONS.items():
        opening = SPOILT_OPENING.format(arm=ARM) if section is SPOILT else ""
        rows = "\n".join(map(_row, section))
        parts.append(AREA.format(title=title.replace("`", ""), count=len(section), opening=opening, rows=rows))
    return "\n".join([*parts, CLOSING])


def _row(case: Case) -> str:
    """What was done, in words and as code, and the message."""
    error = provoked(case)
    about = f"{case.about[0].upper()}{case.about[1:]}."
    words = " ".join(x for x in (_text(about), case.given.replace("|", "\\|")) if x)
    code = "<br>".join(_code(line) for line in case.code.splitlines())
    return f"| {words}<br>{code} | **{type(error).__name__}**: {_text(message(error))} |"


def _code(line: str) -> str:
    """A line of code in a table's cell; a backtick within it needs two around it."""
    ticks = "``" if "`" in line else "`"
    return f"{ticks}{line}{ticks}".replace("|", "\\|")


def _text(words: str) -> str:
    """Words of which no sign means anything to Markdown, in one line."""
    return "".join(f"\\{x}" if x in "\\`*_|<>[]$#~" else x for x in " ".join(words.splitlines()))


if __name__ == "__main__":
    missing = sorted({case.needs for case in CASES if not case.runs})
    if missing:
        sys.exit(f"the page needs {', '.join(missing)}; install the dev extra first")
    PAGE.write_text(page(), encoding="utf-8")
    print(f"{PAGE}: {len(CASES)} kinds of bad input")
