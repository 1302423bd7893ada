"""`soadyn doctor`: what it tells, and that it notices wrong numbers."""

from __future__ import annotations

import errno
import importlib.metadata
import json
import os
from typing import Any

import pytest

import soadyn as sd
from soadyn.cli import doctor, main
from soadyn.engine import host as machine


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
    assert "missing pycollada, trimesh, viser" in told
    assert "llvmlite is missing or does not work here" in told
    assert "nothing is kept: switched off" in told


def test_it_runs_without_the_packages_metadata(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def unknown(*_: Any) -> Any:
        raise importlib.metadata.PackageNotFoundError("soadyn")

    monkeypatch.setattr(doctor, "self_tests", lambda: iter([]))
    for name in ("version", "requires"):
        monkeypatch.setattr(importlib.metadata, name, unknown)
    code, told = asked(capsys)
    assert code == 0
    assert "not known: soadyn is not installed as a package" in told


@pytest.mark.parametrize("name", ["x" * 300, "x/" * 3000])
def test_a_cache_whose_name_is_too_long_is_told(name: str, tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOADYN_CACHE", str(tmp_path / name))
    assert "File name too long" in machine.cache().problem


@pytest.mark.parametrize(("what", "words"), [("iterdir", "Permission denied"), ("write", "cannot be written to")])
def test_a_cache_that_cannot_be_read_or_written_is_told(
    what: str, words: str, tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def denied(*_: Any) -> Any:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))

    monkeypatch.setenv("SOADYN_CACHE", str(tmp_path))
    if what == "write":
        monkeypatch.setattr(os, "access", lambda *_: False)
    else:
        monkeypatch.setattr(type(tmp_path), "iterdir", denied)
    assert words in machine.cache().problem


def test_a_folder_that_cannot_be_used_is_told(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "mine").write_text("not soadyn's")
    monkeypatch.setenv("SOADYN_CACHE", str(tmp_path))
    assert "which is not soadyn's" in machine.cache().problem
