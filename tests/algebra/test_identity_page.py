"""docs/algebra/identities.md is what its script writes."""

from __future__ import annotations

from pathlib import Path

from scripts import load_script
from soadyn.algebra.identities import IDENTITIES

ROOT = Path(__file__).resolve().parents[2]


def test_the_page_shows_the_table() -> None:
    script = load_script(ROOT / "docs/make_identities.py")
    page = (ROOT / "docs/algebra/identities.md").read_text(encoding="utf-8")
    assert page == script.page(), "run python docs/make_identities.py"
    assert sum(line.startswith("| ") and line.count("|") == 5 for line in page.splitlines()) >= len(IDENTITIES)
