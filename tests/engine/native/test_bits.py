"""A state's bits do not depend on its company: batch, position, strides, threads or process."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import soadyn as sd
from native_cases import Call, called, calls, random_state, robot_named, row, usual

# Two robots are enough: lanes know nothing of joints, but a free base brings a quaternion.
NAMES = ("ur5", "tree on a free base")
MAIN = ("forward_dynamics", "mass_matrix", "poses")


def bits(found: tuple[np.ndarray, ...]) -> list[bytes]:
    return [np.ascontiguousarray(x).tobytes() for x in found]


def taken(call: Call, index: Any) -> Call:
    """The call for some of its rows."""
    name, arguments = call
    return name, {key: x[index] if isinstance(x, np.ndarray) else x for key, x in arguments.items()}


def some_calls(robot: sd.Robot, rng: np.random.Generator, size: tuple[int, ...]) -> list[Call]:
    """Each of the main quantities, the first way it can be asked for."""
    every = list(calls(robot, random_state(rng, robot, size), rng))
    return [next(call for call in every if call[0] == name) for name in MAIN]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("precision", ["float64", "float32"])
@pytest.mark.heavy(2)
def test_a_state_has_the_same_bits_alone_and_in_any_batch_at_any_position(
    name: str, precision: str, form: Any, rng: np.random.Generator
) -> None:
    robot = robot_named(name).with_backend(form)
    for quantity, arguments in some_calls(robot, rng, (33,)):
        call = quantity, {key: np.asarray(x, dtype=precision) for key, x in arguments.items()}
        alone = [bits(called(robot, row(call, i))) for i in range(33)]
        for size in range(1, 34):
            for start in {0, 33 - size, int(rng.integers(0, 34 - size))}:
                found = called(robot, taken(call, slice(start, start + size)))
                for i in range(size):
                    assert bits(tuple(x[i] for x in found)) == alone[start + i], (quantity, size, start, i)


@pytest.mark.parametrize("name", ["", *(pytest.param(name, marks=pytest.mark.slow) for name in NAMES)])
@pytest.mark.heavy(2)
def test_a_state_has_the_same_bits_in_every_quantity_alone_and_in_a_batch(
    name: str, form: Any, rng: np.random.Generator
) -> None:
    robot = (robot_named(name) if name else usual(form)).with_backend(form)
    for call in calls(robot, random_state(rng, robot, (5,)), rng):
        whole = called(robot, call)
        for i in range(5):
            for _ in range(2):  # the kernel is kept after the first call
                assert bits(called(robot, row(call, i))) == bits(tuple(x[i] for x in whole)), call[0]


@pytest.mark.heavy(2)
def test_neighbours_without_an_answer_change_nothing(form: Any, rng: np.random.Generator) -> None:
    robot = robot_named("tree on a free base").with_backend(form)
    for call in some_calls(robot, rng, (9,)):
        clean = called(robot, call)
        call[1]["q"] = call[1]["q"].copy()
        call[1]["q"][[1, 4, 8], [0, 3, 7]] = [np.nan, np.inf, -np.inf]
        call[1]["q"][6, :4] = 0.0
        good = [0, 2, 3, 5, 7]
        with sd.errstate("ignore"), np.errstate(all="ignore"):
            found = called(robot, call)
        assert bits(tuple(x[good] for x in found)) == bits(tuple(x[good] for x in clean))
        assert all(np.isnan(x[[1, 4, 6, 8]]).all() for x in found)


def test_large_angles_beside_it_change_nothing(form: Any, rng: np.random.Generator) -> None:
    """Large angles take another way through the sine."""
    robot = robot_named("ur5").with_backend(form)
    q = robot.random_configuration(rng, 24)
    clean = robot.mass_matrix(q)
    q[::3] = 10.0 ** rng.uniform(6, 300, (8, 6))
    keep = np.arange(24) % 3 != 0
    assert robot.mass_matrix(q)[keep].tobytes() == clean[keep].tobytes()
    assert np.array_equal(robot.mass_matrix(q)[3], robot.mass_matrix(q[3]))


# Threads and processes


def test_any_number_of_threads_gives_the_same_bits(
    form: Any, threads: Callable[[int], None], rng: np.random.Generator
) -> None:
    robot = robot_named("ur5").with_backend(form)
    for call in some_calls(robot, rng, (16 * 512 + 77,)):
        threads(1)
        expected = bits(called(robot, call))
        for n in range(2, 17):
            threads(n)
            assert bits(called(robot, call)) == expected, (call[0], n)


def test_threads_split_batches_of_several_axes_and_broadcast_arguments(
    form: Any, threads: Callable[[int], None], rng: np.random.Generator
) -> None:
    robot = robot_named("ur5").with_backend(form)
    q, v = robot.random_configuration(rng, (9, 1)), rng.standard_normal((300, 6))
    tau = rng.standard_normal(6)
    threads(1)
    expected = robot.forward_dynamics(q, v, tau)
    threads(7)
    assert expected.shape == (9, 300, 6)
    assert robot.forward_dynamics(q, v, tau).tobytes() == expected.tobytes()


def test_calls_from_many_threads_at_once_do_not_disturb_each_other(form: Any, rng: np.random.Generator) -> None:
    robot = robot_named("ur5").with_backend(form)
    q, v, tau = robot.random_configuration(rng, 64), rng.standard_normal((64, 6)), rng.standard_normal((64, 6))
    expected = robot.forward_dynamics(q, v, tau)
    fresh = robot_named("ur5").with_backend(form)  # its kernels are made by whoever comes first

    def work(i: int) -> bool:
        one = fresh.forward_dynamics(q[i], v[i], tau[i]).tobytes() == expected[i].tobytes()
        return one and fresh.forward_dynamics(q, v, tau).tobytes() == expected.tobytes()

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(work, range(64)))


def test_the_number_of_threads_may_change_while_others_compute(
    form: Any, threads: Callable[[int], None], rng: np.random.Generator
) -> None:
    robot = robot_named("planar_two_link").with_backend(form)
    q = robot.random_configuration(rng, 4096)
    expected = robot.gravity_force(q).tobytes()
    with ThreadPoolExecutor(3) as pool:
        calls = [pool.submit(robot.gravity_force, q) for _ in range(300)]
        for i in range(300):
            threads(1 + i % 4)
        assert all(call.result().tobytes() == expected for call in calls)


FORKED = """
import os, sys
import numpy as np, soadyn as sd
sd.set_threads(2)
robot = sd.load("planar_two_link").with_backend(sys.argv[1])
q = np.random.default_rng(0).random((4096, 2))
expected = robot.gravity_force(q)  # starts the threads
child = os.fork()
if child == 0:
    import signal
    signal.alarm(60)
    os._exit(0 if np.array_equal(robot.gravity_force(q), expected) else 1)
print(os.waitpid(child, 0)[1])
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes do not fork here")
@pytest.mark.heavy(2)
def test_a_forked_child_has_threads_of_its_own(form: Any, python: Any) -> None:
    assert python(FORKED, form, flags=("-W", "ignore")).stdout.strip() == "0"


FOUR = """
import sys, numpy as np, soadyn as sd
rng = np.random.default_rng(8)
robot = sd.load("ur5").with_backend(sys.argv[1])
q, v, tau = robot.random_configuration(rng, 19), rng.standard_normal((19, 6)), rng.standard_normal((19, 6))
found = [robot.forward_dynamics(q, v, tau), robot.mass_matrix(q)]
import hashlib
print(hashlib.sha256(b"".join(x.tobytes() for x in found)).hexdigest())
"""


@pytest.mark.parametrize("form", ["rolled", "straight"])
@pytest.mark.heavy(2)
def test_four_processes_that_share_a_cold_cache_give_the_same_bits(
    form: str, llvm: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOADYN_CACHE", str(tmp_path / "cache"))
    command = [sys.executable, "-W", "error", "-c", FOUR, form]
    started = [subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for _ in range(4)]
    done = [process.communicate(timeout=600) for process in started]
    assert [process.returncode for process in started] == [0] * 4, done
    later = subprocess.run(command, capture_output=True, text=True, check=True)
    assert {out for out, _ in done} == {later.stdout}
    assert not list((tmp_path / "cache").glob(".soadyn-new-*"))


# Layouts in memory


def fortran(x: np.ndarray) -> np.ndarray:
    return np.asfortranarray(x)


def reversed_rows(x: np.ndarray) -> np.ndarray:
    return np.ascontiguousarray(x[::-1])[::-1]


def reversed_numbers(x: np.ndarray) -> np.ndarray:
    return np.ascontiguousarray(x[..., ::-1])[..., ::-1]


def sliced(x: np.ndarray) -> np.ndarray:
    wide = np.full((*x.shape[:-1], 3 * x.shape[-1]), np.nan)
    wide[..., 1::3] = x
    return wide[..., 1::3]


def every_other_row(x: np.ndarray) -> np.ndarray:
    tall = np.full((2 * len(x), *x.shape[1:]), np.nan)
    tall[::2] = x
    return tall[::2]


def axes_swapped(x: np.ndarray) -> np.ndarray:
    return np.ascontiguousarray(np.moveaxis(x, 0, -1)).transpose(x.ndim - 1, *range(x.ndim - 1))


def unaligned(x: np.ndarray) -> np.ndarray:
    room = np.zeros(x.nbytes + 1, dtype=np.uint8)[1:]
    view = room.view()[: x.nbytes].view(x.dtype).reshape(x.shape)
    view[...] = x
    return view


def read_only(x: np.ndarray) -> np.ndarray:
    x = x.copy()
    x.flags.writeable = False
    return x


LAYOUTS = (fortran, reversed_rows, reversed_numbers, sliced, every_other_row, axes_swapped, unaligned, read_only)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.heavy
def test_any_layout_in_memory_gives_the_same_bits(
    layout: Callable[[np.ndarray], np.ndarray], form: Any, rng: np.random.Generator
) -> None:
    robot = robot_named("tree on a free base").with_backend(form)
    for rows in (1, 2, 7, 8, 13):
        state = random_state(rng, robot, (rows,))
        q, v, tau, external = (state[key] for key in ("q", "v", "tau", "external"))
        expected = robot.forward_dynamics(q, v, tau, external).tobytes()
        other = [layout(x) for x in (q, v, tau, external)]
        copies = [np.array(x) for x in other]
        assert robot.forward_dynamics(*other).tobytes() == expected
        assert all(np.array_equal(x, y) for x, y in zip(other, copies, strict=True))
        assert robot.forward_dynamics(other[0], v, other[2], external).tobytes() == expected
        single = robot.forward_dynamics(*(x[0] for x in other)).tobytes()
        assert single == robot.forward_dynamics(*(x[0] for x in (q, v, tau, external))).tobytes()


def test_broadcast_arguments_give_the_bits_of_full_ones(form: Any, rng: np.random.Generator) -> None:
    robot = robot_named("ur5").with_backend(form)
    state = random_state(rng, robot, (13,))
    q, v, tau = state["q"], state["v"], state["tau"]
    for one_q, one_v in ((q[0], v), (q, v[0]), (q[:1], v), (np.broadcast_to(q[0], (13, 6)), v)):
        full = [np.array(np.broadcast_to(x, (13, 6))) for x in (one_q, one_v)]
        expected = robot.forward_dynamics(*full, tau).tobytes()
        assert robot.forward_dynamics(one_q, one_v, tau).tobytes() == expected
    constant = np.broadcast_to(0.3, (13, 6))  # all steps are zero
    expected = robot.forward_dynamics(np.full((13, 6), 0.3), v, tau).tobytes()
    assert robot.forward_dynamics(constant, v, tau).tobytes() == expected
    table = robot.forward_dynamics(q[:, None], v, tau)
    assert table.shape == (13, 13, 6)
    assert all(table[i, i].tobytes() == x.tobytes() for i, x in enumerate(robot.forward_dynamics(q, v, tau)))


@pytest.mark.parametrize("narrow", ["q", "v", "tau"])
@pytest.mark.parametrize("axes", ["none", "of one"])
@pytest.mark.heavy(2)
def test_a_broadcast_call_gives_the_same_bits_every_time(
    narrow: str, axes: str, llvm: None, rng: np.random.Generator
) -> None:
    """The form of code follows from the batch that results, whichever argument has its axes."""
    robot = sd.load("planar_two_link")
    state = {name: rng.standard_normal((300, 2)) for name in ("q", "v", "tau")}
    state[narrow] = state[narrow][0] if axes == "none" else state[narrow][:1]
    full = {name: np.array(np.broadcast_to(x, (300, 2))) for name, x in state.items()}
    expected = robot.specialize().forward_dynamics(**full).tobytes()
    for _ in range(3):
        robot.forward_dynamics(*(x[0] for x in full.values()))
        robot.forward_dynamics(*(x[:5] for x in full.values()))
        assert robot.forward_dynamics(**state).tobytes() == expected


@pytest.mark.parametrize("shape", [(0,), (3, 0), (0, 5), (0, 0, 2)])
@pytest.mark.heavy(2)
def test_batches_of_no_states_are_empty(shape: tuple[int, ...], form: Any, rng: np.random.Generator) -> None:
    robot = usual(form).with_backend(form)
    for call in calls(robot, random_state(rng, robot, shape), rng):
        one = called(usual(form).with_backend("numpy"), call)
        assert [x.shape for x in called(robot, call)] == [x.shape for x in one]


@pytest.mark.heavy(2)
def test_results_are_new_arrays_that_can_be_written_to(form: Any, rng: np.random.Generator) -> None:
    robot = usual(form).with_backend(form)
    for size in ((), (1,), (9,)):
        for call in calls(robot, random_state(rng, robot, size), rng):
            copies = {key: np.array(x) for key, x in call[1].items() if isinstance(x, np.ndarray)}
            first, second = called(robot, call), called(robot, call)
            given = [x for x in call[1].values() if isinstance(x, np.ndarray)]
            for x, y in zip(first, second, strict=True):
                if np.ndim(x):
                    assert not any(np.shares_memory(x, other) for other in (*given, y))
                    x[...] = 0.0
            assert bits(called(robot, call)) == bits(second)
            assert all(np.array_equal(call[1][key], x) for key, x in copies.items())


def test_lists_and_integers_are_taken_as_they_are(form: Any) -> None:
    robot = robot_named("ur5").with_backend(form)
    expected = robot.mass_matrix(np.array([0.0, 1, 2, 3, 4, 5]))
    for q in ([0, 1, 2, 3, 4, 5], np.arange(6), np.arange(6.0).tolist(), np.arange(6, dtype=np.int32)):
        assert robot.mass_matrix(q).tobytes() == expected.tobytes()
