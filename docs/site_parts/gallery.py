"""The gallery: the pictures of the page of examples, two in a row, each leading to its section."""

from __future__ import annotations

import re
from pathlib import Path

from sphinx.application import Sphinx

EXAMPLES = Path(__file__).resolve().parents[1] / "gallery" / "examples.md"
MARK = "<!-- the pictures of examples.md -->"
TITLES = {
    "acrobot_ilqr": "Acrobot, iterative LQR",
    "acrobot_lqr": "Acrobot, LQR",
    "standing_talos": "Standing Talos",
}
HEADING_OR_PICTURE = re.compile(
    r"^#{2,3} (?P<heading>.*)$|^!\[(?P<told>.*?)\]\((?P<file>.*?/(?P<name>\w+)\.png)\)$", re.MULTILINE
)


def with_pictures(app: Sphinx, page: str, source: list[str]) -> None:
    """The table in place of the mark."""
    if MARK in source[0]:
        app.env.note_dependency(str(EXAMPLES))
        source[0] = source[0].replace(MARK, _table(EXAMPLES.read_text(encoding="utf-8")))


def _table(examples: str) -> str:
    cells, heading = [], ""
    for found in HEADING_OR_PICTURE.finditer(examples):
        if found["heading"]:
            heading = found["heading"]
        else:
            title = TITLES.get(found["name"], found["name"].replace("_", " ").capitalize())
            cells.append(f"[![{found['told']}]({found['file']})](examples.md#{_anchor(heading)})<br>**{title}**")
    cells += [""] * (len(cells) % 2)
    rows = [f"| {left} | {right} |" for left, right in zip(cells[::2], cells[1::2], strict=True)]
    return "\n".join(["| | |", "|---|---|", *rows])


def _anchor(heading: str) -> str:
    """A heading's place as links name it."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
