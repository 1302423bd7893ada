"""Names of other libraries: asking a robot for one tells its own, and the page for their users says the same."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import soadyn as sd
from soadyn.robot.peer_names import PEER_NAMES

PAGE = Path(__file__).resolve().parents[2] / "docs" / "start" / "coming_from.md"
NAMES = [(library, name, here) for library, names in PEER_NAMES.items() for name, here in names.items()]


def page_rows() -> list[dict[str, str]]:
    """The rows of the page's first table, that of a robot, each a dictionary from library to text."""
    text = PAGE.read_text(encoding="utf-8")
    table = text[text.index("\n|") + 1 :].split("\n\n")[0]
    head, _, *rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()]
    return [dict(zip(head, row, strict=True)) for row in rows]


@pytest.mark.parametrize(("library", "name", "here"), NAMES)
def test_a_name_of_another_library_is_told_in_our_words(library: str, name: str, here: str) -> None:
    arm = sd.load("planar_two_link")
    with pytest.raises(AttributeError, match=f"a Robot has no '{name}': {library}'s {name} is {here};"):
        getattr(arm, name)
    assert not hasattr(arm, name)
    assert name not in dir(arm)
    assert callable(getattr(arm, here))


@pytest.mark.parametrize(("library", "name", "here"), NAMES)
def test_the_page_has_the_same_pair(library: str, name: str, here: str) -> None:
    rows = [row for row in page_rows() if name in re.findall(r"\w+", row[library])]
    assert any(here in re.findall(r"\w+", row["soadyn"]) for row in rows), (library, name)


def test_other_attributes_are_missing_as_ever() -> None:
    with pytest.raises(AttributeError, match="'Robot' object has no attribute 'crb'"):
        _ = sd.load("planar_two_link").crb  # type: ignore[attr-defined]
