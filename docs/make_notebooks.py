"""Writes docs/notebooks/ipynb/NAME.ipynb from the notebooks in docs/notebooks/NAME.md, without results.

Run it with `python docs/make_notebooks.py` (nothing need be installed); a test fails when one is older than its source.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

SOURCES = Path(__file__).resolve().parent / "notebooks"
FOLDER = SOURCES / "ipynb"
CELL = re.compile(r"^```\{code-cell\} ipython3\n(.*?)^```$", re.DOTALL | re.MULTILINE)
HEAD = re.compile(r"\A---\n.*?^---\n", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"\]\((?!\w+:)([\w./]+)\.(md|png|ipynb)(#[\w-]+)?\)")
KERNEL = {"display_name": "Python 3", "language": "python", "name": "python3"}


def notebooks() -> dict[str, str]:
    """The text of each notebook by its name."""
    sources = [path for path in sorted(SOURCES.glob("*.md")) if path.read_text(encoding="utf-8").startswith("---")]
    names = {path.stem for path in sources}
    return {path.stem: notebook(path.read_text(encoding="utf-8"), names) for path in sources}


def notebook(source: str, names: set[str]) -> str:
    """The notebook of a text: code cells, and what is written between them."""
    cells = []
    for place, part in enumerate(CELL.split(HEAD.sub("", source))):
        if text := part.strip("\n"):
            cells.append(_cell(f"cell-{place}", text, names, code=bool(place % 2)))
    whole = {"cells": cells, "metadata": {"kernelspec": KERNEL}, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(whole, indent=1, ensure_ascii=False) + "\n"


def _cell(name: str, text: str, names: set[str], code: bool) -> dict[str, object]:
    lines = (text if code else LINK.sub(lambda link: _moved(link, names), text)).splitlines(keepends=True)
    results: dict[str, object] = {"execution_count": None, "outputs": []} if code else {}
    return {"cell_type": "code" if code else "markdown", "id": name, "metadata": {}, "source": lines, **results}


def _moved(link: re.Match[str], names: set[str]) -> str:
    """A link as it is right one folder further down, to another notebook as such."""
    target, kind, place = link[1], link[2], link[3] or ""
    if target in names:
        return f"]({target}.ipynb)"
    return f"](../{target}.{kind}{place})"


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name, text in notebooks().items():
        (FOLDER / f"{name}.ipynb").write_text(text, encoding="utf-8")
        print(FOLDER / f"{name}.ipynb")
