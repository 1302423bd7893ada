"""Single states are computed without NumPy's calling machinery; results and errors are the same."""

from __future__ import annotations

import ctypes
import ctypes.util
import gc
import platform
import subprocess
import sys
import tracemalloc
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

import soadyn as sd
from native_cases import called, calls, random_robot, random_state, robot_named, usual
from soadyn.engine.native import single_state

BUILT_IN = type(len)


@pytest.fixture(autouse=True)
def _supported(llvm: None) -> None:
    if platform.machine().lower() not in ("x86_64", "amd64") or sys.implementation.name != "cpython":
        pytest.skip("single states are called through NumPy here")


def kept_function(robot: sd.Robot, q: np.ndarray) -> Callable[..., Any]:
    """The function behind mass_matrix once it was called."""
    robot.mass_matrix(q)
    return robot._quick["mass_matrix"]


def test_small_robots_are_called_directly_and_large_ones_let_other_threads_run(rng: np.random.Generator) -> None:
    assert single_state.supported()
    assert isinstance(kept_function(sd.load("ur5"), np.zeros(6)), BUILT_IN)
    long = random_robot(3, 90, kinds=["revolute"], shape="serial")
    assert not isinstance(kept_function(long, np.zeros(90)), BUILT_IN)


@pytest.mark.parametrize(
    "name", ["usual", *(pytest.param(name, marks=pytest.mark.slow) for name in ("ur5", "every kind"))]
)
@pytest.mark.heavy(2)
def test_every_quantity_has_the_bits_of_its_gufunc(name: str, form: Any, rng: np.random.Generator) -> None:
    robot = usual(form) if name == "usual" else robot_named(name)
    robot = robot.with_backend(form if name != "every kind" else "rolled")
    for call in calls(robot, random_state(rng, robot), rng):
        long, short = called(robot, call), called(robot, call)
        assert [x.tobytes() for x in long] == [x.tobytes() for x in short]
        assert [type(x) for x in long] == [type(x) for x in short]
        assert [(x.shape, x.dtype) for x in long] == [(x.shape, x.dtype) for x in short]
    direct = [key for key, function in robot._functions._kept.items() if isinstance(function.quick, BUILT_IN)]
    assert len(direct) > 20


class Subclass(np.ndarray[Any, Any]):
    """An array of somebody else's."""


def test_whatever_is_unusual_is_computed_all_the_same(rng: np.random.Generator) -> None:
    robot = sd.load("ur5")
    q = rng.standard_normal(6)
    expected = robot.mass_matrix(q).tobytes()
    strided = np.repeat(q, 2)[::2]
    room = np.zeros(49, dtype=np.uint8)[1:].view(np.float64)
    room[...] = q
    for x in (q, q.tolist(), tuple(q), strided, room, q.view(Subclass)):
        assert np.asarray(robot.mass_matrix(x), dtype=float).tobytes() == expected
    assert robot.mass_matrix(q=q).tobytes() == expected
    assert robot.mass_matrix(q[None])[0].tobytes() == expected
    for dtype in (">f8", np.float32, object):
        assert np.allclose(robot.mass_matrix(q.astype(dtype)).astype(float), robot.mass_matrix(q), atol=1e-5)


@pytest.mark.parametrize("q", [np.zeros(5), np.zeros(7), np.zeros(()), np.zeros((6, 1)), "six", None, [0.0] * 5])
def test_what_does_not_fit_gets_the_error_it_always_got(q: Any) -> None:
    robot = sd.load("ur5")
    with pytest.raises(sd.ShapeError) as long:
        robot.mass_matrix(q)
    kept_function(robot, np.zeros(6))
    with pytest.raises(sd.ShapeError) as short:
        robot.mass_matrix(q)
    assert str(short.value) == str(long.value)
    with pytest.raises(TypeError):
        robot.mass_matrix(np.zeros(6), np.zeros(6))
    with pytest.raises(TypeError):
        robot.mass_matrix()


def test_a_state_without_an_answer_is_reported_every_time() -> None:
    robot = sd.load("ur5")
    kept_function(robot, np.zeros(6))
    bad = np.array([0.0, np.nan, 0, 0, 0, 0])
    for _ in range(3):
        with pytest.warns(RuntimeWarning, match="mass_matrix"):
            assert np.isnan(robot.mass_matrix(bad)).all()
        with sd.errstate("raise"), pytest.raises(sd.SingularError):
            robot.mass_matrix(bad)
        assert np.isfinite(robot.mass_matrix(np.zeros(6))).all()


def test_what_others_left_in_the_processors_flags_does_not_matter() -> None:
    library = ctypes.CDLL(ctypes.util.find_library("m"))
    if not hasattr(library, "feraiseexcept"):
        pytest.skip("the C library cannot set the flags")
    taken: list[int] = []
    robot, q = sd.load("ur5"), np.ones(6)
    kernel = kept_function(robot, q).__self__.kept[0]  # type: ignore[attr-defined]
    function = single_state._made(kernel, [0], {}, otherwise=lambda *x: taken.append(len(x)))
    for flags in (1, 4, 8, 13):
        assert library.feraiseexcept(flags) == 0
        assert function(q).tobytes() == robot.mass_matrix(q).tobytes()
    assert not taken
    assert function(q[:5]) is None
    assert function() is None
    assert taken == [1, 0]


def test_nothing_is_leaked(rng: np.random.Generator) -> None:
    robot, q, v = sd.load("ur5"), rng.standard_normal(6), rng.standard_normal(6)
    function = kept_function(robot, q)
    robot.kinetic_energy(q, v)
    bad, several = np.full(6, np.nan), np.tile(q, (3, 1))

    def many() -> None:
        for _ in range(500):
            robot.mass_matrix(q)
            robot.kinetic_energy(q, v)
            assert function(bad) is None
            assert function(several) is None  # no kernel is kept for so many

    many()
    result, plain = robot.mass_matrix(q), np.empty(3)
    assert sys.getrefcount(result) == sys.getrefcount(plain)
    assert result.flags.owndata
    assert result.flags.writeable
    counted = (q, v, bad, np.dtype(float), np.ndarray, None, function)
    before = [sys.getrefcount(x) for x in counted]
    tracemalloc.start()
    try:
        many()
        start = tracemalloc.get_traced_memory()[0]
        many()
        assert tracemalloc.get_traced_memory()[0] - start < 500
    finally:
        tracemalloc.stop()
    assert all(abs(sys.getrefcount(x) - y) < 100 for x, y in zip(counted, before, strict=True))


def test_a_function_outlives_its_robot_and_dies_with_its_last_owner() -> None:
    robot, q = sd.load("planar_two_link"), np.array([0.3, -0.4])
    function = kept_function(robot, q)
    expected = robot.mass_matrix(q).tobytes()
    del robot
    gc.collect()
    others = [sd.load("planar_two_link").with_gravity([0, 0, g]) for g in (1, 2, 3)]
    for other in others:
        other.mass_matrix(q)
    assert function(q).tobytes() == expected
    assert np.isnan(q).sum() == 0
    kept = function.__self__.kept  # type: ignore[attr-defined]
    kernel = kept[0]
    owners = sys.getrefcount(kernel)
    del function, kept
    gc.collect()
    assert sys.getrefcount(kernel) < owners


def test_threads_do_not_disturb_each_other(rng: np.random.Generator) -> None:
    robot = sd.load("ur5")
    states = rng.standard_normal((64, 6))
    expected = [robot.mass_matrix(q).tobytes() for q in states]

    def work(_: int) -> bool:
        return all(robot.mass_matrix(q).tobytes() == x for q, x in zip(states, expected, strict=True))

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(work, range(100)))


def test_several_results_of_one_shape_come_from_one_call(rng: np.random.Generator) -> None:
    """Hybrid dynamics: both halves, with the bits of a batch; what is not needed may be NaN, what is needed may not."""
    robot = sd.load("ets_vii")
    q, v, a, tau = robot.random_configuration(rng), *rng.standard_normal((3, robot.nv))
    (expected_a, expected_tau) = robot.hybrid_dynamics(q[None], v, a, tau, passive=["root"])
    for _ in range(3):
        found = robot.hybrid_dynamics(q, v, a, tau, passive=["root"])
        assert type(found) is tuple
        assert [x.tobytes() for x in found] == [expected_a[0].tobytes(), expected_tau[0].tobytes()]
    unneeded, missing = a.copy(), a.copy()
    unneeded[:6], missing[6] = np.nan, np.nan
    again = robot.hybrid_dynamics(q, v, unneeded, tau, passive=["root"])
    assert [x.tobytes() for x in again] == [expected_a[0].tobytes(), expected_tau[0].tobytes()]
    with pytest.warns(RuntimeWarning, match="'a' is not finite"):
        assert all(np.isnan(x).all() for x in robot.hybrid_dynamics(q, v, missing, tau, passive=["root"]))
    gc.collect()
    tracemalloc.start()
    before = tracemalloc.take_snapshot()
    for _ in range(5_000):
        robot.hybrid_dynamics(q, v, a, tau, passive=["root"])
    grown = sum(x.size_diff for x in tracemalloc.take_snapshot().compare_to(before, "filename"))
    tracemalloc.stop()
    assert grown < 100_000


FIRST_CALLS = """
import threading, numpy as np, soadyn as sd
robot, q = sd.chain(6), np.full(6, 0.3)
found = []
threads = [threading.Thread(target=lambda: found.append(robot.inverse_dynamics(q, q, q))) for _ in range(8)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
assert robot.engine.kernels is not None
assert len(found) == 8 and all((x == found[0]).all() for x in found)
"""


def test_a_process_may_make_its_first_calls_from_several_threads() -> None:
    """All test whether native code works here, with kernels that replace each other."""
    for _ in range(3):
        done = subprocess.run([sys.executable, "-c", FIRST_CALLS], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
