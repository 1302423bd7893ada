"""Passive sets are inputs of kernels: a new one compiles nothing."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import pytest

import soadyn as sd
from native_cases import HALVES
from soadyn.engine.native.llvm import machine_code


@pytest.fixture
def compilations(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """What has been compiled, or taken from the cache, since."""
    made: list[Any] = []
    original = machine_code.Loaded

    def counted(*arguments: Any, **options: Any) -> Any:
        made.append(arguments)
        return original(*arguments, **options)

    monkeypatch.setattr(machine_code, "Loaded", counted)
    return made


@pytest.mark.parametrize("rows", [None, 300])
@pytest.mark.heavy(2)
def test_a_thousand_passive_sets_in_a_simulation_compile_nothing(
    rows: int | None, llvm: None, compilations: list[Any], rng: np.random.Generator
) -> None:
    """One kernel, made at the first step; rolled for one state, straight-line for a batch."""
    robot = sd.load("ets_vii")
    shape = () if rows is None else (rows,)
    q, v = robot.random_configuration(rng, shape), np.zeros((*shape, robot.nv))
    tau = 0.1 * rng.standard_normal((*shape, robot.nv))
    steps, h = 1000 if rows is None else 30, 1e-3
    made = []
    for _ in range(steps):
        passive = rng.random(robot.nv) < 0.5
        a, _ = robot.hybrid_dynamics(q, v, np.zeros_like(v), tau, passive)
        v = v + h * a
        q = robot.integrate(q, h * v)
        made.append(len(compilations))
    assert np.isfinite(q).all()
    assert made[-1] == made[0]
    sd.load("ets_vii").specialize().momentum(q, v)  # what compiles is counted
    assert len(compilations) > made[-1]


def test_a_new_passive_set_compiles_no_new_jacobian(
    llvm: None, compilations: list[Any], rng: np.random.Generator
) -> None:
    robot = sd.load("dual_arm_flyer")
    q = robot.random_configuration(rng)

    def all_of_them(passive: np.ndarray) -> None:
        x = np.ones(int((~passive).sum()))
        robot.generalized_jacobian(q, "left_tool", passive)
        robot.disturbance_jacobian(q, passive)
        robot.actuation_matrices(q, passive)
        robot.generalized_jacobian_times(q, x, "right_tool", passive)
        robot.disturbance_jacobian_times(q, x, passive)
        robot.generalized_drift(q, np.zeros(robot.nv), "left_tool", passive)

    all_of_them(np.arange(robot.nv) < 6)
    before = len(compilations)
    for _ in range(20):
        mask = rng.random(robot.nv) < 0.5
        mask[:2] = True, False
        all_of_them(mask)
    assert len(compilations) == before


def test_the_number_of_kept_kernels_is_bounded(llvm: None, rng: np.random.Generator) -> None:
    from soadyn.robot.calling.quantity_functions import MOST_KEPT

    robot = sd.load("ets_vii")
    q, v = robot.neutral(), np.zeros(robot.nv)
    for i in range(MOST_KEPT + 50):
        robot.hybrid_dynamics(q, v, v, v, (i >> np.arange(robot.nv)) & 1 == 1)
    assert len(robot._quick["hybrid_dynamics"]) <= MOST_KEPT
    assert len(robot._functions._kept) <= MOST_KEPT


@pytest.mark.parametrize("name", ["generalized_jacobian", "disturbance_jacobian", "actuation_matrices"])
@pytest.mark.heavy(2)
def test_the_fast_path_gives_what_checked_calls_give(name: str, llvm: None, rng: np.random.Generator) -> None:
    robot = sd.load("dual_arm_flyer")
    options = {"frame": "left_tool"} if name == "generalized_jacobian" else {}
    masks = [rng.random(robot.nv) < 0.5 for _ in range(3)]
    for rows in (None, 5, 300):
        q = robot.random_configuration(rng, () if rows is None else (rows,))
        for passive in (*masks, ["root"], [("root", 2), "left_elbow"]):
            first = getattr(robot, name)(q, passive=passive, **options)
            again = getattr(robot, name)(q, passive=passive, **options)
            expected = getattr(robot.with_backend("numpy"), name)(q, passive=passive, **options)
            for x, y, z in zip(*(r if isinstance(r, tuple) else (r,) for r in (first, again, expected)), strict=True):
                assert np.array_equal(x, y)
                assert np.abs(x - z).max() <= 1e-11 * max(1.0, np.abs(z).max())


@pytest.mark.parametrize("name", HALVES)
def test_vectors_of_one_half_take_the_fast_path(name: str, llvm: None, rng: np.random.Generator) -> None:
    robot = sd.load("dual_arm_flyer")
    for passive in (rng.random(robot.nv) < 0.5, np.arange(robot.nv) < 6):
        sizes = {"x": int((~passive).sum()), "y": int(passive.sum()), "f": 6, "v": robot.nv, "tau": robot.nv}
        for rows in ((), (5,), (300,)):
            q = robot.random_configuration(rng, rows)
            whole = {key: rng.standard_normal((*rows, sizes[key])) for key in HALVES[name] if key in sizes}
            lone = {key: x if x.ndim == 1 else x[0] for key, x in whole.items()}  # one for all states
            for given in (whole, lone, {**whole, "tau": None} if "tau" in whole else whole):
                options = {**given, "passive": passive, **({"frame": "left_tool"} if "frame" in HALVES[name] else {})}
                checked = getattr(robot, name)(q, **options)
                again, way = _entered(lambda q=q, o=options: getattr(robot, name)(q, **o))
                assert "_quantity" not in way
                assert np.array_equal(checked, again)
                expected = getattr(robot.with_backend("numpy"), name)(q, **options)
                assert np.abs(checked - expected).max() <= 1e-11 * max(1.0, np.abs(expected).max())


def _entered(call: Any) -> tuple[Any, set[str]]:
    """A call's result, and the names of the Python functions that it entered."""
    names: set[str] = set()
    sys.setprofile(lambda frame, event, _: names.add(frame.f_code.co_name) if event == "call" else None)
    try:
        result = call()
    finally:
        sys.setprofile(None)
    return result, names


def test_the_fast_path_leaves_what_does_not_fit_to_the_checks(llvm: None, rng: np.random.Generator) -> None:
    robot = sd.load("ets_vii")
    q, v, x = robot.neutral(), np.zeros(robot.nv), rng.standard_normal(6)
    expected = robot.disturbance_jacobian_times(q, x, ["root"])
    for given in (x.tolist(), x[::-1].copy()[::-1], np.repeat(x, 2)[::2]):
        assert np.array_equal(robot.disturbance_jacobian_times(q, given, ["root"]), expected)
    assert robot.disturbance_jacobian_times(q, np.tile(x, (3, 1)), ["root"]).shape == (3, 6)
    for wrong in (x[:5], x[:1], np.float64(1.0), np.ones((2, 3)), None, "root"):
        with pytest.raises(sd.ShapeError, match="'x'"):
            robot.disturbance_jacobian_times(q, wrong, ["root"])
    with pytest.warns(RuntimeWarning, match="'x' is not finite"):
        assert np.isnan(robot.disturbance_jacobian_times(q, np.full(6, np.nan), ["root"])).all()
    drift = robot.disturbance_drift(q, v, ["root"], tau=np.where(np.arange(robot.nv) < 6, 0.5, np.nan))
    assert np.array_equal(drift, robot.disturbance_drift(q, v, ["root"], tau=np.full(robot.nv, 0.5)))
    for wrong in (np.ones(1), np.ones(6), np.float64(1.0)):
        with pytest.raises(sd.ShapeError, match="'tau'"):
            robot.disturbance_drift(q, v, ["root"], tau=wrong)
