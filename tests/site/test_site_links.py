"""The built site by itself: links lead somewhere, nothing lies outside, every public name has an entry."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

pytestmark = pytest.mark.slow
ROOT = Path(__file__).resolve().parents[2]


class Links(HTMLParser):
    """What a page loads, where its links lead, and the places in it that links may name."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.loaded: list[str] = []
        self.linked: list[str] = []
        self.places: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        told = {name: value for name, value in attributes if value}
        self.places |= {told[name] for name in ("id", "name") if name in told}
        if tag == "a" and "href" in told:
            self.linked.append(told["href"])
        elif tag in ("script", "img", "iframe", "source", "link") and told.get("rel") not in ("canonical", "author"):
            self.loaded += [told[name] for name in ("src", "href") if name in told]


@cache
def links_of(page: Path) -> Links:
    return Links(page.read_text(encoding="utf-8"))


def pages(site: Path) -> Iterator[Path]:
    return (page for page in sorted(site.rglob("*.html")) if "_static" not in page.parts)


def missing(page: Path, link: str) -> bool:
    """Whether a link within the site leads nowhere."""
    parts = urlsplit(link)
    if parts.scheme or parts.netloc:
        return False
    target = (page.parent / unquote(parts.path)).resolve() if parts.path else page
    if not target.exists():
        return True
    return bool(parts.fragment) and target.suffix == ".html" and unquote(parts.fragment) not in links_of(target).places


def test_every_link_within_the_site_leads_somewhere(site: Path) -> None:
    broken = {
        f"{page.relative_to(site)}: {link}"
        for page in pages(site)
        for link in (*links_of(page).linked, *links_of(page).loaded)
        if missing(page, link)
    }
    assert not broken


def test_no_page_loads_anything_from_outside(site: Path) -> None:
    outside = {(page.name, link) for page in pages(site) for link in links_of(page).loaded if urlsplit(link).netloc}
    assert not outside


def test_every_public_name_has_an_entry(site: Path) -> None:
    sys.path.insert(0, str(ROOT / "docs"))
    try:
        from site_parts.reference import public_names
    finally:
        sys.path.remove(str(ROOT / "docs"))
    places = set().union(*(links_of(page).places for page in (site / "reference" / "api").glob("*.html")))
    assert not [name for name in public_names() if name not in places]


def test_the_site_is_not_empty(site: Path) -> None:
    """The checks above read what they should."""
    assert len(list(pages(site))) > 60
    assert sum(len(links_of(page).linked) for page in pages(site)) > 5000
