"""The pages of all papers' results; the lists of those of 001 and 002, and that tests can fail."""

from __future__ import annotations

import importlib.util
import inspect
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import soadyn as sd
import systems_004
from result import Result
from results import RESULTS
from soadyn.robot.compiled.applied import Applied
from soadyn.robot.compiled.compiled import Compiled
from soadyn.robot.compiled.named_program import CompiledProgram
from soadyn.robot.robot import Robot
from systems_001 import SYSTEMS, system

HERE = Path(__file__).resolve().parent
DOCS = HERE.parents[1] / "docs"
LISTS = {tag: RESULTS[tag] for tag in ("001", "002")}
OBJECTS = {"mass", "decoupled_complement"}  # they return no arrays


def named_tests(tag: str) -> dict[str, Callable[..., None]]:
    found: dict[str, Callable[..., None]] = {}
    for file in sorted((HERE / f"seed_{tag}").glob(f"test_{tag}_*.py")):
        spec = importlib.util.spec_from_file_location(f"again_{file.stem}", file)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        found |= {name: test for name, test in vars(module).items() if name.startswith(f"test_{tag}_")}
    return found


@pytest.mark.parametrize("tag", LISTS)
def test_every_result_has_its_test_or_the_reason_why_not(tag: str) -> None:
    done = [result for result in LISTS[tag] if not result.open]
    assert sorted(result.test for result in done) == sorted(named_tests(tag))
    assert all(result.call for result in done)
    assert all(not result.test for result in LISTS[tag] if result.open)


@pytest.mark.parametrize("tag", LISTS)
def test_every_call_of_the_list_exists(tag: str) -> None:
    for result in LISTS[tag]:
        for name in called_by(result):
            assert hasattr(sd.Robot, name), result
        for entry in re.findall(r'sd.papers\["(.*?)"\]', result.call):
            assert entry in sd.papers


@pytest.mark.parametrize("tag", RESULTS)
def test_the_page_of_results_is_what_the_script_writes(tag: str) -> None:
    if not DOCS.is_dir():
        pytest.skip("the docs are not part of this copy")
    sys.path.insert(0, str(DOCS))
    try:
        from make_coverage import page, page_of
    finally:
        sys.path.remove(str(DOCS))
    assert page_of(tag).read_text(encoding="utf-8") == page(tag)


def called_by(result: Result) -> list[str]:
    """The methods of a robot that a row names."""
    return re.findall(r"\b([a-z_]+)(?=\(q[,)])", result.call)


def wrong(result: Any) -> Any:
    """A result that is wrong by a part in 10^4."""
    if isinstance(result, tuple):
        changed = [wrong(x) for x in result]
        return type(result)(*changed) if hasattr(result, "_fields") else tuple(changed)
    return result * (1 + 1e-4) if isinstance(result, np.ndarray | float) else result


def made_wrong(monkeypatch: pytest.MonkeyPatch, owner: type, name: str) -> None:
    original = getattr(owner, name)
    monkeypatch.setattr(owner, name, lambda *args, **named: wrong(original(*args, **named)))


def numeric_rows() -> list[Result]:
    """Rows whose call gives numbers: a quantity, an elimination, a formula, an algorithm of the papers."""
    rows = [result for tag in ("001", "002", "004") for result in RESULTS[tag] if not result.open]
    return [x for x in rows if set(called_by(x)) - OBJECTS or "sd.papers[" in x.call or is_formula(x)]


def is_formula(row: Result) -> bool:
    """Does a row of 004 name operators of formulas?"""
    return row.test.startswith("test_004") and re.search(r"\bq(_p)?\b", row.call) is None


@pytest.mark.parametrize("which", range(10))
def test_a_wrong_call_fails_its_rows_test(
    which: int, rng: np.random.Generator, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = numeric_rows()
    row = rows[int(np.random.default_rng(which).integers(len(rows)))]
    check_that_it_fails(row, rng, monkeypatch)


@pytest.mark.slow
@pytest.mark.parametrize("row", numeric_rows(), ids=lambda row: row.test)
def test_every_wrong_call_fails_its_rows_test(
    row: Result, rng: np.random.Generator, monkeypatch: pytest.MonkeyPatch
) -> None:
    check_that_it_fails(row, rng, monkeypatch)


def check_that_it_fails(row: Result, rng: np.random.Generator, monkeypatch: pytest.MonkeyPatch) -> None:
    tag = row.test[5:8]
    test = named_tests(tag)[row.test]
    wanted = inspect.signature(test).parameters
    given = given_to_tests_of_004(rng) if tag == "004" else given_to_others(rng, "c" in wanted)
    for name in set(called_by(row)) - OBJECTS:
        made_wrong(monkeypatch, Robot, name)
    if "sd.papers" in row.call or is_formula(row):
        made_wrong(monkeypatch, Compiled, "__call__")
        made_wrong(monkeypatch, CompiledProgram, "__call__")
        made_wrong(monkeypatch, Applied, "dense")
    with pytest.raises((AssertionError, pytest.fail.Exception)):
        test(**{name: given[name] for name in wanted})


def given_to_tests_of_004(rng: np.random.Generator) -> dict[str, Any]:
    options = systems_004.SHOWN["free tree with armature"]
    s = systems_004.system(rng, **options)
    return {"s": s, "shown": s, "rng": rng}


def given_to_others(rng: np.random.Generator, complement: bool) -> dict[str, Any]:
    s = system(rng, **SYSTEMS["free tree with armature"])
    return {"s": s, "rng": rng, "c": s.robot.decoupled_complement(s.q) if complement else None}
