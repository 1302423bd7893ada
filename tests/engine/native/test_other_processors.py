"""Without an x86 processor's flags: results that are not finite are found by looking at them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

import soadyn as sd
from soadyn.engine.cache import code_cache
from soadyn.engine.native import single_state
from soadyn.engine.native.llvm.processor import Processor

pytestmark = pytest.mark.usefixtures("llvm")
MADE = (single_state._definition, single_state.supported)


@pytest.fixture
def no_flags(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("SOADYN_CACHE", "off")
    monkeypatch.setattr(code_cache, "_memory", {})
    monkeypatch.setattr(Processor, "x86", property(lambda self: False))
    for made in MADE:
        made.cache_clear()
    yield
    for made in MADE:
        made.cache_clear()


@pytest.mark.parametrize("backend", ["rolled", "straight"])
def test_an_overflow_is_found_in_batches_and_single_states(no_flags: None, backend: str) -> None:
    assert single_state.supported()
    robot = sd.Robot(sd.load("planar_two_link").model).with_backend(backend)
    q, v, a = np.zeros(2), np.array([1e200, 0.5]), np.zeros(2)
    T = robot.inverse_dynamics(q + 0.3, v / 1e200, a)
    expected = sd.load("planar_two_link").with_backend("numpy").inverse_dynamics(q + 0.3, v / 1e200, a)
    assert np.allclose(T, expected)
    for _ in range(2):  # the second call is machine code at once
        with pytest.warns(RuntimeWarning, match="NaN"):
            assert np.isnan(robot.inverse_dynamics(q + 0.3, v, a)).all()
        assert np.array_equal(robot.inverse_dynamics(q + 0.3, v / 1e200, a), T)
    with pytest.warns(RuntimeWarning, match="NaN"):
        found = robot.inverse_dynamics(np.tile(q + 0.3, (9, 1)), np.vstack([v, *[v / 1e200] * 8]), np.tile(a, (9, 1)))
    assert np.isnan(found).all(axis=1).tolist() == [True] + [False] * 8
    assert found[1].tobytes() == T.tobytes()
