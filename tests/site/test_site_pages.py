"""The built site in a browser, opened as files: pages are drawn without complaint, and search finds what it should."""

from __future__ import annotations

from pathlib import Path

import pytest

from browser import Page, chromium, opened

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(chromium() is None, reason="no Chromium found; Debian has it as `apt-get install chromium`"),
]

LOOKED_AT = (
    "index",
    "start/ten_minutes",
    "start/coming_from",
    "guides/dynamics",
    "algebra/book/index",
    "algebra/book/factors",
    "algebra/identities",
    "algebra/errata",
    "gallery/index",
    "reference/api/robot",
    "benchmarks/index",
)
TYPESET = ("algebra/book/factors", "algebra/identities", "algebra/errata")
# What people type, and the page they want among the first results.
QUERIES = {
    "install": "start/install",
    "urdf": "guides/robots",
    "mass matrix": "algebra/book/mass_matrix",
    "pinocchio": "start/coming_from",
    "quaternion order": "reference/conventions",
    "inverse kinematics": "guides/kinematics",
    "springs friction": "guides/simulation",
    "derivatives": "guides/derivatives",
    "batch threads": "guides/batches",
    "free flyer": "guides/under_actuated",
    "export c": "guides/export",
    "kalman": "algebra/kalman",
    "armature": "algebra/armature",
    "errata": "algebra/errata",
    "identities": "algebra/identities",
    "articulated inertia": "algebra/book/articulated",
    "benchmarks": "benchmarks/index",
    "SpaceError": "reference/api/errors",
    "forward_dynamics": "reference/api/robot",
    "acrobot": "gallery/examples",
    "jacobian": "reference/api/robot",
    "crba": "start/coming_from",
    "argument 'q' has shape": "reference/errors",
}
FIRST = 4


def address(site: Path, page: str) -> str:
    return (site / f"{page}.html").as_uri()


def go(page: Page, url: str) -> None:
    page.ask("Page.navigate", url=url)
    page.wait_for(f"document.readyState === 'complete' && location.href.startsWith('{url.split('?')[0]}')")


def test_pages_are_drawn_without_complaint_and_ask_nobody_outside(site: Path) -> None:
    with opened(address(site, "index")) as page:
        for name in LOOKED_AT:
            go(page, address(site, name))
            if name in TYPESET:
                page.wait_for("document.querySelectorAll('mjx-container svg').length > 3")
            broken = page.value("[...document.images].filter(x => x.complete && !x.naturalWidth).map(x => x.src)")
            assert broken == [], name
        assert page.complaints == []
        assert page.outside() == []


def test_search_finds_the_page_for_what_people_type(site: Path) -> None:
    lost = {}
    with opened(address(site, "search")) as page:
        for query, wanted in QUERIES.items():
            found = results(page, site, query)
            if wanted not in found[:FIRST]:
                lost[query] = found[:FIRST]
        assert page.complaints == []
        assert page.outside() == []
    assert len(QUERIES) == 23
    assert not lost


def results(page: Page, site: Path, query: str) -> list[str]:
    """The pages that a search lists, in its order."""
    go(page, f"{address(site, 'search')}?q={query.replace(' ', '%20')}")
    page.wait_for("document.querySelector('.search-summary')?.innerText.match(/found|match/i)")
    page.wait_for("!document.querySelector('#search-progress')?.innerText.match(/Searching|Preparing/)")
    links = page.value("[...document.querySelectorAll('#search-results ul.search li > a')].map(x => x.href)")
    names = [link.split("#")[0].split("?")[0].removeprefix(site.as_uri() + "/").removesuffix(".html") for link in links]
    return list(dict.fromkeys(names))
