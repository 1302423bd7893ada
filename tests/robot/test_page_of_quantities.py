"""The page of quantities has every public name of a robot in one of its tables."""

from __future__ import annotations

import re
from pathlib import Path

import soadyn as sd

PAGE = Path(__file__).resolve().parents[2] / "docs" / "reference" / "quantities.md"


def test_every_public_name_of_a_robot_stands_in_a_table() -> None:
    rows = [line for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("| `")]
    named = {name for row in rows for name in re.findall(r"`(\w+)", row.split(" | ")[0])}
    public = {name for name in dir(sd.load("planar_two_link")) if not name.startswith("_")}
    assert public - named == set()
    assert named - public == set()
