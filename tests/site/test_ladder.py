"""README's picture of the ladder is drawn from the page of benchmarks."""

from __future__ import annotations

from pathlib import Path

from scripts import load_script

ROOT = Path(__file__).resolve().parents[2]


def test_the_page_has_every_figure_of_the_picture() -> None:
    script = load_script(ROOT / "docs" / "make_ladder.py")
    times = script.figures((ROOT / "docs" / "benchmarks" / "benchmarks.md").read_text(encoding="utf-8"))
    assert times.keys() == script.SHOWN.keys()
    assert all(time > 0 for time in times.values())


def test_pictures_are_small() -> None:
    assert (ROOT / "docs" / "plots" / "ladder.png").stat().st_size < 100_000
