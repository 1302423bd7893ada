"""The comparison of touch with a particle filter runs, and is not lost."""

from __future__ import annotations

import importlib
from pathlib import Path

import numpy as np
import pytest

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"


@pytest.mark.slow
def test_unknown_points_on_a_wrong_model_are_found_better_than_by_a_particle_filter(monkeypatch):
    if not BENCHMARKS.is_dir():
        pytest.skip("the benchmarks are not part of this copy")
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    figures = importlib.import_module("touch").main(episodes=40)
    assert figures["false alarms, single moments"] < 0.01
    assert figures["false alarms, over time"] < 0.01
    assert figures["link right, contact"] >= figures["link right, particle filter"]
    ours, theirs = (figures[f"median point error by link (mm), {who}"][-1] for who in ("contact", "particle filter"))
    assert ours <= theirs
    ours = figures["median point error by link (mm), contact"][4:7]
    assert np.nanmax(ours) < 60
