"""What the demo tells of speed, proofs and derivatives."""

from __future__ import annotations

import re
import sys

import pytest

from soadyn.cli import demo_parts
from soadyn.engine import host as machine


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(demo_parts, "STATES", 16)
    monkeypatch.setattr(demo_parts, "TURNS", 1)


def test_speed_is_told_beside_pinocchio(few: None, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("pinocchio")
    before = machine.threads()
    demo_parts.tell_speed()
    told = capsys.readouterr().out
    assert machine.threads() == before
    ours, theirs = (
        float(re.search(rf"^{name}.*?(\d+) +[\d.]+ *$", told, re.MULTILINE)[1]) for name in ("soadyn", "Pin")
    )  # type: ignore[index]
    assert ours > 0
    assert theirs > 0


def test_without_pinocchio_it_says_how_to_get_it(
    few: None, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pinocchio", None)
    demo_parts.tell_speed()
    assert "pip install pin" in capsys.readouterr().out


def test_the_proof_holds_and_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    demo_parts.tell_proof()
    told = capsys.readouterr().out
    assert re.search(r"proved in \d+ steps, for every arm, by: innovations factorization", told)
    assert "and a short one in full, proved:" in told


def test_the_derivative_agrees_with_differences(capsys: pytest.CaptureFixture[str]) -> None:
    demo_parts.tell_derivative()
    told = capsys.readouterr().out
    apart = re.search(r"differs from central differences by (\S+) of its size", told)
    assert apart is not None
    assert float(apart[1]) < 1e-7
