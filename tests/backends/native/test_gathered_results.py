"""Straight-line code that gathers its results first stores the same numbers, however they lie in memory."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import soadyn as sd
from native_cases import random_state, robot_named
from soadyn.backends.native import kernel, result_memory
from soadyn.backends.native.kernel import Kernel
from soadyn.backends.native.straight import gathering
from soadyn.backends.native.threads import limits

pytestmark = pytest.mark.usefixtures("llvm")

STATES = 13


def matrices(model: Any, state: dict[str, Any]) -> tuple[list[np.ndarray], Kernel]:
    """The derivatives of inverse dynamics, many of them zero, by straight-line code, and its kernel."""
    robot = sd.Robot(model).specialize()
    found = robot.inverse_dynamics_derivatives(state["q"], state["v"], state["a"])
    (used,) = robot.engine.kernels._made.values()  # type: ignore[union-attr]
    assert isinstance(used, Kernel)
    return list(found), used


@pytest.fixture
def gathered(monkeypatch: pytest.MonkeyPatch) -> None:
    """Batches of any size and results of any number are gathered, and start where they may be stored past the cache."""
    monkeypatch.setattr(limits, "huge", 2)
    monkeypatch.setattr(limits, "large", 2)
    monkeypatch.setattr(gathering, "MANY", 1)
    monkeypatch.setattr(result_memory, "ALIGNED", 1)


@pytest.mark.filterwarnings("ignore:.*came out NaN:RuntimeWarning")
@pytest.mark.parametrize("parts", [False, pytest.param(True, marks=pytest.mark.slow)], ids=["one function", "several"])
@pytest.mark.parametrize("precision", ["float64", pytest.param("float32", marks=pytest.mark.slow)])
def test_gathered_results_have_the_same_bits(
    precision: str,
    parts: bool,
    rng: np.random.Generator,
    request: pytest.FixtureRequest,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if parts:
        monkeypatch.setattr(kernel, "ONE_FUNCTION", -1)
    model = robot_named("tree on a free base").model
    state = {key: x.astype(precision) for key, x in random_state(rng, sd.Robot(model), (STATES,)).items()}
    state["q"][5, 0] = np.nan
    before, stored = matrices(model, state)
    request.getfixturevalue("gathered")
    after, used = matrices(model, state)
    assert used.address != stored.address
    assert not after[0][0].all()
    assert [x.tobytes() for x in before] == [x.tobytes() for x in after]
    assert [np.isnan(x).all(axis=(1, 2)).nonzero()[0].tolist() for x in after] == [[5]] * 3
    rooms = [np.zeros((*x.shape, 2), x.dtype) for x in after]
    used.call(*(state[name] for name in ("q", "v", "a")), out=tuple(room[..., 0] for room in rooms))
    for room, expected in zip(rooms, after, strict=True):
        assert room[..., 0].tobytes() == expected.tobytes()
        assert not room[..., 1].any()


@pytest.mark.parametrize(("count", "gathers"), [(799, False), (800, True), (9_999, True), (10_000, False)])
def test_many_results_are_gathered_and_very_many_are_not(count: int, gathers: bool) -> None:
    assert gathering.pays(count) == gathers
