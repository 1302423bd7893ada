"""The list of the numbered results of 004, their tests, and the page that prints the list."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

import soadyn as sd
from results_004 import RESULTS

HERE = Path(__file__).resolve().parent
DOCS = HERE.parents[2] / "docs"


def test_every_result_of_the_list_has_its_test() -> None:
    texts = (file.read_text(encoding="utf-8") for file in HERE.glob("test_004_*.py"))
    tests = [name for text in texts for name in re.findall(r"^def (test_004_\w+)", text, re.MULTILINE)]
    assert sorted(result.test for result in RESULTS) == sorted(tests)


def test_every_call_of_the_list_exists() -> None:
    for result in RESULTS:
        for name in re.findall(r"\b([a-z_]+)(?=\(q)|\b([a-z]+_arm)(?=\()", result.call):
            assert hasattr(sd.Robot, name[0] or name[1]), result


def test_the_page_of_results_is_what_the_script_writes() -> None:
    if not DOCS.is_dir():
        pytest.skip("the docs are not part of this copy")
    sys.path.insert(0, str(DOCS))
    try:
        from make_coverage_004 import PAGE, page
    finally:
        sys.path.remove(str(DOCS))
    assert PAGE.read_text(encoding="utf-8") == page()
