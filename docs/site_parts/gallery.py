"""The gallery: a card for each picture of the page of examples, with a look at its robot, leading to its section."""

from __future__ import annotations

import re
from pathlib import Path

from sphinx.application import Sphinx

DOCS = Path(__file__).resolve().parents[1]
EXAMPLES, STILLS = DOCS / "gallery" / "examples.md", DOCS / "stills"
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
    """The cards in place of the mark."""
    if MARK in source[0]:
        app.env.note_dependency(str(EXAMPLES))
        source[0] = source[0].replace(MARK, _cards(EXAMPLES.read_text(encoding="utf-8")))


def _cards(examples: str) -> str:
    cards, heading = [], ""
    for found in HEADING_OR_PICTURE.finditer(examples):
        if found["heading"]:
            heading = found["heading"]
            continue
        name = found["name"]
        title = TITLES.get(name, name.replace("_", " ").capitalize())
        look = f"../stills/{name}.webp" if (STILLS / f"{name}.webp").exists() else found["file"]
        cards.append(f"[![]({look}) **{title}** {found['told']}](examples.md#{_anchor(heading)})")
    return "\n\n".join([":::{container} cards", *cards, ":::"])


def _anchor(heading: str) -> str:
    """A heading's place as links name it."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
