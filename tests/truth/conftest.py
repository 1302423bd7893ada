"""What the tests of truth share."""

from __future__ import annotations

import pytest

from soadyn.robot import Robot


@pytest.fixture(autouse=True, params=["numpy", pytest.param("auto", marks=pytest.mark.slow)])
def backend(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Every test here runs on the reference and, among the slow ones, on what a user gets by default."""
    monkeypatch.setattr(Robot.__init__, "__defaults__", (request.param, None))
    assert Robot.__init__.__defaults__ == (request.param, None)
    return str(request.param)
