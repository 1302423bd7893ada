"""`soadyn doctor`: what it tells, and that it notices wrong numbers."""

from __future__ import annotations

import json
from typing import Any

import pytest

import soadyn as sd
from soadyn.backends import machine
from soadyn.cli import doctor, main


def asked(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[Any, str]:
    with pytest.raises(SystemExit) as ended:
        main(["doctor", *words])
    return ended.value.code, capsys.readouterr().out


def test_it_tells_what_is_here_and_that_all_is_well(capsys: pytest.CaptureFixture[str]) -> None:
    code, told = asked(capsys, "--json")
    found = json.loads(told)
    assert code == 0
    assert found["right"] is True
    assert found["versions"]["soadyn"] == sd.__version__
    assert set(found["missing"]) >= {"mjcf", "plot", "sympy", "tables", "view"}
    assert len(found["tests"]) == 3
    assert all(0 < test["error"] < 1e-9 for test in found["tests"])


def test_it_notices_wrong_numbers(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = {"fact": "forward dynamics", "error": 1e-3, "seconds": 0.1}
    monkeypatch.setattr(doctor, "self_tests", lambda: iter([wrong]))
    code, told = asked(capsys)
    assert code == 1
    assert "the machine code is wrong here" in told


def test_it_names_missing_extras_and_a_missing_compiler(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doctor, "self_tests", lambda: iter([]))
    monkeypatch.setattr(doctor, "_version", lambda package: None)
    monkeypatch.setattr(machine, "available", lambda: False)
    monkeypatch.setenv("SOADYN_CACHE", "off")
    code, told = asked(capsys)
    assert code == 0
    assert "missing pycollada, viser" in told
    assert "llvmlite is missing or does not work here" in told
    assert "nothing is kept: switched off" in told


def test_a_folder_that_cannot_be_used_is_told(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "mine").write_text("not soadyn's")
    monkeypatch.setenv("SOADYN_CACHE", str(tmp_path))
    assert "which is not soadyn's" in machine.cache().problem
