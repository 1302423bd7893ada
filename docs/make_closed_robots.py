"""Writes docs/reference/closed_robots.md: what each quantity means on robots with closures, from the table itself.

Run it with `.venv/bin/python docs/make_closed_robots.py`; tests/closed/test_contract.py fails when the page differs.
"""

from __future__ import annotations

from pathlib import Path

from soadyn.quantities import CLOSURE_QUANTITIES, QUANTITIES

PAGE = Path(__file__).resolve().parent / "reference" / "closed_robots.md"

OPENING = """# Quantities of robots with closures

A robot with closures has the coordinates and rates of its tree: `nv` counts all joints, and every joint may have a
motor, a spring or a limit. What obeys the closures, what does not know of them and what is refused:

Configurations are given as they are, closed or not: `robot.closed(q)` and `robot.consistent(q, v)` are the nearest that
are closed. This page is written by `python docs/make_closed_robots.py` from the rows of the table of quantities;
`tests/closed/test_contract.py` compares every one of them: those of the closed robot with dense matrices, those of the
tree with `robot.open()`, and the words of those that are refused.
"""

KINDS = {
    "closed": ("Of the closed robot", "means"),
    "tree": ("Of the tree", "means"),
    "refused": ("Refused", "ask instead"),
}


def page() -> str:
    """The whole page."""
    rows = {**QUANTITIES, **CLOSURE_QUANTITIES}
    parts = [OPENING]
    for kind, (title, column) in KINDS.items():
        parts.append(f"## {title}\n\n| quantity | {column} |\n|---|---|")
        parts += [
            f"| `{name}` | {_said(row.on_closed.says)} |" for name, row in rows.items() if row.on_closed.kind == kind
        ]
        parts.append("")
    return "\n".join(parts).rstrip() + "\n"


def _said(text: str) -> str:
    return text.replace("*", "\\*").replace("|", "\\|")


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
