"""What is shown of closures: in pages, in tables, in the viewer, in `soadyn info` and `soadyn check`."""

from __future__ import annotations

import pytest

import soadyn as sd
from closed_robots import four_bar
from soadyn.cli.checking import report
from soadyn.cli.information import closure_table, facts
from soadyn.view.drawing import CLOSURE, figure


def test_pages_and_facts_list_closures() -> None:
    bar = four_bar()
    page = bar._repr_html_()
    assert all(word in page for word in ("pin", "hinge", "coupler and rocker", "5 (3 follow from others)"))
    told = facts(bar)
    assert told["mobility"] == 1
    assert told["closures"] == [
        {"name": "pin", "kind": "hinge", "between": ("coupler", "rocker"), "rows": 5, "superfluous": 3}
    ]
    assert closure_table(bar).row_count == 1
    assert "closure" not in sd.load("planar_two_link")._repr_html_()


def test_the_figure_marks_where_closures_hold() -> None:
    bar = four_bar()
    marked = [part.link for part in figure(bar.model, (1, 2, 3), {}).parts if part.colour == CLOSURE]
    assert marked == [2, 3]
    assert not [part for part in figure(bar.open().model, (1, 2, 3), {}).parts if part.colour == CLOSURE]


def test_a_closed_robot_passes_its_check(capsys: pytest.CaptureFixture[str]) -> None:
    assert report(four_bar(), "four-bar", states=3, seed=0) == 0
    said = capsys.readouterr().out
    assert "with 1 closure, where it is closed" in said
    assert "accelerations keep the closures closed" in said
