"""README's picture of the ladder is drawn from the page of benchmarks."""

from __future__ import annotations

import re
from pathlib import Path

from scripts import load_script

ROOT = Path(__file__).resolve().parents[2]


def test_the_page_has_every_figure_of_the_picture() -> None:
    script = load_script(ROOT / "docs" / "make_ladder.py")
    times = script.figures((ROOT / "docs" / "benchmarks" / "benchmarks.md").read_text(encoding="utf-8"))
    assert times.keys() == script.SHOWN.keys()
    assert all(time > 0 for time in times.values())


def test_pictures_are_small() -> None:
    for name, most in {"ladder.png": 100_000, "ladder_dark.png": 100_000, "reach.gif": 1_500_000}.items():
        assert (ROOT / "docs" / "plots" / name).stat().st_size < most
    assert all(still.stat().st_size < 40_000 for still in (ROOT / "docs" / "stills").iterdir())


def test_every_picture_of_the_gallery_has_a_look_at_its_robot() -> None:
    examples = (ROOT / "docs" / "gallery" / "examples.md").read_text(encoding="utf-8")
    shown = set(re.findall(r"\(\.\./plots/(\w+)\.png\)", examples))
    assert len(shown) > 25
    assert shown == {still.stem for still in (ROOT / "docs" / "stills").iterdir()}
