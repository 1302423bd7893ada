"""Packages that only some functions need: what is said of one that is missing, and of one that is broken."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from soadyn.errors import ArgumentError
from soadyn.later import optional


def test_a_missing_package_is_named_with_the_command_that_installs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ArgumentError, match=r"^to_dataframe needs pandas; install it with: pip install pandas$"):
        optional("pandas", "to_dataframe")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("import part_that_is_not_there", "No module named 'part_that_is_not_there'"),
        ("from math import no_such_function", "cannot import name 'no_such_function' from 'math'"),
    ],
)
def test_a_broken_package_is_not_said_to_be_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, why: str
) -> None:
    (tmp_path / "broken_package.py").write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(ArgumentError, match=f"^lqr needs broken_package, which is here but cannot be imported: {why}"):
        optional("broken_package", "lqr")
