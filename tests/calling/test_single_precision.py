"""Calls in single precision: prepared as those in double precision are, and never mixed up with them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import soadyn as sd
from soadyn.algebra import T, inv, mass

pytestmark = pytest.mark.usefixtures("llvm")
BATCHES = [(), (1,), (7,), (300,)]


@pytest.fixture
def robot() -> sd.Robot:
    return sd.load("ets_vii").with_gravity([0.1, 0.0, -2.0])  # nothing is prepared


def state(robot: sd.Robot, rng: np.random.Generator, batch: tuple[int, ...], dtype: Any) -> dict[str, np.ndarray]:
    q = robot.random_configuration(rng, *batch) if batch else robot.random_configuration(rng)
    vectors = {name: rng.standard_normal((*batch, robot.nv)) for name in ("v", "a", "tau")}
    return {name: x.astype(dtype) for name, x in {"q": q, **vectors}.items()}


def calls(robot: sd.Robot, s: dict[str, np.ndarray]) -> dict[str, Any]:
    q, v, a, tau = s["q"], s["v"], s["a"], s["tau"]
    return {
        "forward_dynamics": lambda: robot.forward_dynamics(q, v, tau),
        "mass_matrix_factors": lambda: np.concatenate(robot.mass_matrix_factors(q), axis=-1),
        "frame_velocity": lambda: robot.frame_velocity(q, v, "link_ee"),
        "hybrid_dynamics": lambda: np.stack(robot.hybrid_dynamics(q, v, a, tau, ["root"])),
        "generalized_jacobian": lambda: robot.generalized_jacobian(q, "link_ee", ["root"]),
    }


@pytest.mark.parametrize("batch", BATCHES, ids=str)
def test_a_prepared_call_gives_the_bits_of_the_first(
    batch: tuple[int, ...], robot: sd.Robot, rng: np.random.Generator, monkeypatch: pytest.MonkeyPatch
) -> None:
    functions = calls(robot, state(robot, rng, batch, np.float32))
    first = {name: f() for name, f in functions.items()}
    monkeypatch.setattr(sd.Robot, "_quantity", None)  # arguments that had to be checked would fail
    for name, f in functions.items():
        again = f()
        assert again.dtype == first[name].dtype == np.float32
        assert again.tobytes() == first[name].tobytes()


@pytest.mark.parametrize("batch", BATCHES, ids=str)
def test_precisions_stay_apart(batch: tuple[int, ...], robot: sd.Robot, rng: np.random.Generator) -> None:
    """Both prepared, called in turn; where they are mixed the result is double."""
    double = state(robot, rng, batch, np.float64)
    single = {name: x.astype(np.float32) for name, x in double.items()}
    expected = {name: f() for name, f in calls(robot.with_backend("numpy"), double).items()}
    for _ in range(2):
        for dtype, s in ((np.float32, single), (np.float64, double)):
            for name, f in calls(robot, s).items():
                found = f()
                assert found.dtype == dtype
                size = max(1.0, np.abs(expected[name]).max())
                assert np.abs(found - expected[name]).max() <= (1e-11 if dtype is np.float64 else 2e-3) * size, name
        mixed = robot.forward_dynamics(single["q"], double["v"], single["tau"])
        assert mixed.dtype == np.float64


def test_rows_without_an_answer_are_told_of(robot: sd.Robot, rng: np.random.Generator) -> None:
    s = state(robot, rng, (20,), np.float32)
    robot.forward_dynamics(s["q"], s["v"], s["tau"])
    s["q"][3] = np.nan
    with pytest.warns(RuntimeWarning, match="1 of 20 rows"):
        a = robot.forward_dynamics(s["q"], s["v"], s["tau"])
    assert np.isnan(a[3]).all()
    assert np.isfinite(np.delete(a, 3, axis=0)).all()


def test_wrong_shapes_are_told_of(robot: sd.Robot, rng: np.random.Generator) -> None:
    s = state(robot, rng, (), np.float32)
    robot.forward_dynamics(s["q"], s["v"], s["tau"])
    with pytest.raises(sd.ShapeError, match="tau"):
        robot.forward_dynamics(s["q"], s["v"], s["tau"][:-1])


@pytest.mark.parametrize("batch", BATCHES, ids=str)
def test_formulas_are_prepared_too(
    batch: tuple[int, ...], robot: sd.Robot, rng: np.random.Generator, monkeypatch: pytest.MonkeyPatch
) -> None:
    f = sd.compile(inv(mass) @ T, robot)
    s = state(robot, rng, batch, np.float32)
    first = f(s["q"], s["tau"])
    double = f(s["q"].astype(float), s["tau"].astype(float))
    monkeypatch.setattr(type(f), "_computed", None)
    again = f(s["q"], s["tau"])
    assert again.dtype == np.float32
    assert again.tobytes() == first.tobytes()
    assert np.abs(again - double).max() <= 2e-3 * np.abs(double).max()
    assert f(s["q"].astype(float), s["tau"].astype(float)).tobytes() == double.tobytes()
