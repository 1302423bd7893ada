"""Jain and Rodriguez, Diagonalized Lagrangian Robot Dynamics (000): its calculus, by complex steps and by proof."""

from __future__ import annotations

import pytest

from soadyn.robot import Robot


@pytest.fixture(autouse=True)
def backend(monkeypatch: pytest.MonkeyPatch) -> str:
    """The reference alone: formulas are held to the paper here, `tests/compiled` holds native code to the reference."""
    monkeypatch.setattr(Robot.__init__, "__defaults__", ("numpy", None))
    return "numpy"
