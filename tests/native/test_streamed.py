"""Results too large for the caches are written past them, state by state, and are what they would be otherwise."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from native_cases import random_state, robot_named
from numpy.lib.stride_tricks import as_strided

import soadyn as sd
from soadyn.backends.native import run
from soadyn.backends.native.results import ALIGNMENT
from soadyn.quantities import QUANTITIES

WANTED = ("mass_matrix", "bias_force", "poses", "potential_energy", "mass_matrix_factors")


@pytest.fixture
def streams(monkeypatch: pytest.MonkeyPatch) -> Callable[[bool], None]:
    """Says whether several results are streamed, however small they are."""
    return lambda yes: monkeypatch.setattr(run, "STREAMED", 0 if yes else 2**60)


def results(robot: sd.Robot, q: Any, v: Any) -> list[np.ndarray]:
    """All results of a new robot, whose kernels are new as well."""
    state = robot.with_backend("straight").at(q, v, together=WANTED)
    found = [getattr(state, name) for name in WANTED]
    return [x for result in found for x in (result if isinstance(result, tuple) else (result,))]


def same_bits(found: list[np.ndarray], expected: list[np.ndarray]) -> bool:
    return all(x.dtype == y.dtype and x.tobytes() == y.tobytes() for x, y in zip(found, expected, strict=True))


@pytest.mark.parametrize("precision", ["float64", "float32"])
@pytest.mark.parametrize("batch", [(1,), (7,), (8,), (2, 13), (3, 0)])
def test_streamed_results_have_the_same_bits(
    streams: Callable[[bool], None], llvm: None, batch: tuple[int, ...], precision: str, rng: np.random.Generator
) -> None:
    robot = robot_named("tree on a free base")
    state = random_state(rng, robot, batch)
    q, v = (state[name].astype(precision) for name in ("q", "v"))
    streams(False)
    expected = results(robot, q, v)
    streams(True)
    found = results(robot, q, v)
    assert same_bits(found, expected)
    if np.prod(batch) > 1:
        assert all(x[..., 0, :].ctypes.data % ALIGNMENT == 0 for x in found[:1])
        assert found[0].strides[: len(batch)] != expected[0].strides[: len(batch)]


def test_states_without_an_answer_are_blank_and_leave_their_neighbours_alone(
    streams: Callable[[bool], None], llvm: None, rng: np.random.Generator
) -> None:
    robot = robot_named("tree on a free base")
    state = random_state(rng, robot, (21,))
    q, bad = state["q"].copy(), np.isin(np.arange(21), [0, 9, 10, 20])
    streams(True)
    clean = results(robot, q, state["v"])
    q[bad, 5] = [np.nan, np.inf, np.nan, -np.inf]
    with pytest.warns(RuntimeWarning, match="4 of 21 rows came out NaN: argument 'q' is not finite"):
        found = results(robot, q, state["v"])
    for x, y in zip(found, clean, strict=True):
        assert np.isnan(x[bad]).all()
        assert x[~bad].tobytes() == y[~bad].tobytes()


def test_threads_share_a_streamed_batch(
    streams: Callable[[bool], None], llvm: None, threads: Callable[[int], None], rng: np.random.Generator
) -> None:
    robot = robot_named("ur5")
    state = random_state(rng, robot, (20_003,))
    streams(True)
    threads(1)
    expected = results(robot, state["q"], state["v"])
    for n in (2, 5):
        threads(n)
        assert same_bits(results(robot, state["q"], state["v"]), expected)


def test_any_memory_can_take_streamed_results(
    streams: Callable[[bool], None], llvm: None, rng: np.random.Generator
) -> None:
    """The kernel looks at the places it is given: rows that are not whole vectors go through a buffer."""
    robot = robot_named("ur5").with_backend("straight")
    assert robot._kernels is not None
    streams(True)
    program = QUANTITIES["mass_matrix_factors"].program
    kernel = robot._kernels.choose(program, "float64", {}, 19)
    assert kernel.streamed
    q = rng.standard_normal((19, 6))
    expected = robot.mass_matrix_factors(q)
    for offset, step in ((0, 36), (1, 40), (8, 41), (8, 38)):
        memory = np.full((2, 19 * 48), -1.0)
        found = [as_strided(x[offset:], (19, 6, 6), (8 * step, 48, 8)) for x in memory]
        kernel.call(q, out=tuple(found), casting="no")
        assert same_bits(found, list(expected))
        used = np.zeros(19 * 48, dtype=bool)
        as_strided(used[offset:], (19, 36), (step, 1))[...] = True
        assert (memory[:, ~used] == -1.0).all()


def test_only_several_results_beyond_the_caches_are_streamed(llvm: None, rng: np.random.Generator) -> None:
    robot = robot_named("ur5")
    many = run.STREAMED // (8 * (36 + 6)) + 1
    q = rng.standard_normal((many, 6))
    for rows, streamed in ((many, True), (many // 2, False)):
        state = robot.at(q[:rows], together=("mass_matrix", "gravity_force"))
        assert (state.mass_matrix.strides[0] > 36 * 8) == streamed
        np.testing.assert_array_equal(state.mass_matrix[-3:], robot.mass_matrix(q[:rows])[-3:])
    assert robot.mass_matrix(q).flags.c_contiguous
