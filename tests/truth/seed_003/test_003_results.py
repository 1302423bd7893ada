"""The list of the results of 003, and their tests."""

from __future__ import annotations

import re
from pathlib import Path

import soadyn as sd
from results_003 import RESULTS

HERE = Path(__file__).resolve().parent
TESTS = HERE.parents[1]


def test_every_result_of_the_list_has_its_test_or_a_reason() -> None:
    named = {result.test.partition("[")[0] for result in RESULTS if result.test}
    own = {name for file in HERE.glob("test_003_*.py") for name in found_in(file) if name.startswith("test_003_")}
    others = {name for file in (TESTS / "estimation").glob("test_*.py") for name in found_in(file)}
    assert own <= named <= own | others
    assert all(result.open for result in RESULTS if not result.test)


def found_in(file: Path) -> list[str]:
    return re.findall(r"^def (test_\w+)", file.read_text(encoding="utf-8"), re.MULTILINE)


def test_every_call_of_the_list_exists() -> None:
    for result in RESULTS:
        for name in re.findall(r"\b([a-z_]+)(?=\(q)", result.call):
            assert hasattr(sd.Robot, name), result
        for name in re.findall(r"\b([A-Za-z_]+)(?=\(robot, q)", result.call):
            assert hasattr(sd.estimation, name), result
        for name in re.findall(r"RandomField\(robot, q\)\.(\w+)", result.call):
            assert hasattr(sd.estimation.RandomField, name), result
