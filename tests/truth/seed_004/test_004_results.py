"""The list of the numbered results of 004, and their tests."""

from __future__ import annotations

import re
from pathlib import Path

import soadyn as sd
from results_004 import RESULTS

HERE = Path(__file__).resolve().parent


def test_every_result_of_the_list_has_its_test() -> None:
    texts = (file.read_text(encoding="utf-8") for file in HERE.glob("test_004_*.py"))
    tests = [name for text in texts for name in re.findall(r"^def (test_004_\w+)", text, re.MULTILINE)]
    assert sorted(result.test for result in RESULTS) == sorted(tests)


def test_every_call_of_the_list_exists() -> None:
    for result in RESULTS:
        for name in re.findall(r"\b([a-z_]+)(?=\(q)|\b([a-z]+_arm)(?=\()", result.call):
            assert hasattr(sd.Robot, name[0] or name[1]), result
