"""Results too large for the caches are written past them, and are what they would be otherwise."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.lib.stride_tricks import as_strided

import soadyn as sd
from native_cases import random_state, robot_named
from soadyn.backends.native import run
from soadyn.backends.native.kernel import straight_kernel
from soadyn.backends.native.result_memory import ALIGNMENT
from soadyn.backends.traced import traced
from soadyn.quantities import QUANTITIES

WANTED = ("mass_matrix", "bias_force", "poses", "potential_energy", "mass_matrix_factors")


@pytest.fixture
def streams(monkeypatch: pytest.MonkeyPatch) -> Callable[[bool], None]:
    """Says whether several results are streamed, however small they are."""
    monkeypatch.setattr(run.limits, "large", 1)
    return lambda yes: monkeypatch.setattr(run, "STREAMED", 1 if yes else 2**60)


def results(robot: sd.Robot, q: Any, v: Any) -> list[np.ndarray]:
    """All results of a new robot, whose kernels are new as well."""
    state = robot.with_backend("straight").at(q, v, together=WANTED)
    found = [getattr(state, name) for name in WANTED]
    return [x for result in found for x in (result if isinstance(result, tuple) else (result,))]


def same_bits(found: list[np.ndarray], expected: list[np.ndarray]) -> bool:
    return all(x.dtype == y.dtype and x.tobytes() == y.tobytes() for x, y in zip(found, expected, strict=True))


@pytest.mark.parametrize("batch", [(1,), (7,), (8,), (2, 13), (3, 0)])
def test_streamed_results_have_the_same_bits(
    streams: Callable[[bool], None], llvm: None, batch: tuple[int, ...], rng: np.random.Generator
) -> None:
    robot = robot_named("tree on a free base")
    state = random_state(rng, robot, batch)
    streams(False)
    expected = results(robot, state["q"], state["v"])
    streams(True)
    found = results(robot, state["q"], state["v"])
    assert same_bits(found, expected)
    if np.prod(batch) > 1:
        assert all(step % ALIGNMENT == 0 for x in found for step in x.strides[: len(batch)])
        assert not found[0].flags.c_contiguous


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


@pytest.mark.parametrize("precision", ["float64", "float32"])
def test_any_memory_can_take_streamed_results(llvm: None, precision: Any, rng: np.random.Generator) -> None:
    """Rows that do not begin where a vector may go through a buffer, and nothing beside them is written."""
    robot = robot_named("ur5")
    program = QUANTITIES["mass_matrix_factors"].program
    trace = traced(program, robot.engine.constants, {})
    kernel, plain = (straight_kernel("test", trace, precision, single=False, streamed=yes) for yes in (True, False))
    q = rng.standard_normal((19, 6)).astype(precision)
    expected = plain.call(q)
    line = ALIGNMENT // q.itemsize
    for offset, step in ((0, 36), (1, 48), (0, 48), (line, 41), (0, 64), (0, 5 * line)):
        memory = np.full((2, 20 * 80 + 2 * line), -1.0, dtype=precision)
        first = (-memory.ctypes.data % ALIGNMENT) // q.itemsize + offset
        size = q.itemsize
        found = [as_strided(x[first:], (19, 6, 6), (size * step, 6 * size, size)) for x in memory]
        kernel.call(q, out=tuple(found), casting="no")
        assert same_bits(found, list(expected))
        used = np.zeros(memory.shape[1], dtype=bool)
        as_strided(used[first:], (19, 36), (step, 1))[...] = True
        assert (memory[:, ~used] == -1.0).all()


def test_only_large_results_of_several_quantities_are_streamed(llvm: None, rng: np.random.Generator) -> None:
    robot = robot_named("ur5")
    many = run.STREAMED // (8 * (36 + 16)) + 1
    q = rng.standard_normal((many, 6))
    wanted = ("mass_matrix", ("pose", "tool0"))
    for rows in (many, many // 2, many):
        for _ in range(2):
            state = robot.at(q[:rows], together=wanted)
            assert state.mass_matrix.flags.c_contiguous == (rows < many)
            np.testing.assert_array_equal(state.mass_matrix[-3:], robot.mass_matrix(q[:rows])[-3:])
    assert robot.mass_matrix(q).flags.c_contiguous
    assert all(x.flags.c_contiguous for x in robot.mass_matrix_factors(q))


def test_results_for_which_lines_are_too_long_are_not_streamed(
    streams: Callable[[bool], None], llvm: None, rng: np.random.Generator
) -> None:
    streams(True)
    state = robot_named("ur5").at(rng.standard_normal((300, 6)), together=("potential_energy", "gravity_force"))
    assert state.potential_energy.flags.c_contiguous
    assert state.gravity_force.flags.c_contiguous
