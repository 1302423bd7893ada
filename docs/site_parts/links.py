"""Links of pages to documents at the repository's root, which have pages of their own in the site."""

from __future__ import annotations

import os
import re

from sphinx.application import Sphinx

PAGES = {
    "README.md": "index.md",
    "NOTATION.md": "reference/conventions.md",
    "CONTRIBUTING.md": "how/contributing.md",
    "CHANGELOG.md": "how/changelog.md",
}
ROOT_LINK = re.compile(r"\]\((?:\.\./)+(" + "|".join(map(re.escape, PAGES)) + r")(#[\w-]+)?\)")


def to_pages(app: Sphinx, page: str, source: list[str]) -> None:
    """`../../NOTATION.md`, right for who reads the repository, becomes the page that shows it."""
    folder = os.path.dirname(page)

    def mended(found: re.Match[str]) -> str:
        return f"]({os.path.relpath(PAGES[found[1]], folder or '.')}{found[2] or ''})"

    source[0] = ROOT_LINK.sub(mended, source[0])
