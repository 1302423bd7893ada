"""Links of pages, which are right for who reads the repository's files, made right for who reads the site."""

from __future__ import annotations

import os
import re
from pathlib import Path

from sphinx.application import Sphinx

ROOT = Path(__file__).resolve().parents[2]
# Documents at the repository's root have pages of their own, which include them.
PAGES = {
    "README.md": "index.md",
    "NOTATION.md": "reference/conventions.md",
    "CONTRIBUTING.md": "how/contributing.md",
    "CHANGELOG.md": "how/changelog.md",
}
INCLUDED = re.compile(r"```\{include\} \.\./\.\./(\w+\.md)\n```")
NOTEBOOK = re.compile(r"\[([^\[\]]*)\]\(([\w./]+\.ipynb)\)")  # a file to download
LINK = re.compile(r"(?<!!)\[([^\[\]]*)\]\(([^)\s#]+\.md)(#[\w-]+)?\)")


def to_pages(app: Sphinx, page: str, source: list[str]) -> None:
    """Links to `../../NOTATION.md` lead to its page; a link that is called like its file gets its page's title."""
    folder = os.path.dirname(page)

    def document(found: re.Match[str]) -> str:
        app.env.note_dependency(str(ROOT / found[1]))
        text = (ROOT / found[1]).read_text(encoding="utf-8")
        return re.sub(r"\]\((?!\w+://)", "](../../", text).replace("](../../docs/", "](../")

    def mended(found: re.Match[str]) -> str:
        text, target, place = found[1], found[2], found[3] or ""
        file = os.path.basename(target)
        if file in PAGES and target.strip("./") == file.strip("./"):
            target = os.path.relpath(PAGES[file], folder or ".")
        return f"[{'' if os.path.basename(text) == file else text}]({target}{place})"

    source[0] = NOTEBOOK.sub(r"{download}`\1 <\2>`", LINK.sub(mended, INCLUDED.sub(document, source[0])))
