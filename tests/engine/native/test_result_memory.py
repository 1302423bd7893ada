"""Memory of results is used again, but never while anybody can see it."""

from __future__ import annotations

import gc
import os
import signal
import threading
import warnings
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import soadyn as sd
from soadyn.engine import policy
from soadyn.engine.native import result_memory
from soadyn.engine.native.result_memory import KeptMemory, most_kept

DOUBLE = np.dtype(np.float64)
SMALLEST, MOST_KEPT = 4 * 2**20, 128 * 2**20
MANY = 3 * SMALLEST // 8


@pytest.fixture
def kept(monkeypatch: pytest.MonkeyPatch) -> KeptMemory:
    """Memory of the test's own, of which 32 times the smallest kept piece is kept at most."""
    monkeypatch.setattr(policy, "KEPT_RESULTS", SMALLEST)
    monkeypatch.setattr(result_memory, "most_kept", lambda: MOST_KEPT)
    own = KeptMemory()
    monkeypatch.setattr(result_memory, "_kept", own)
    return own


def address(x: np.ndarray) -> int:
    return int(x.ctypes.data)


def test_small_results_are_new_and_nothing_is_kept(kept: KeptMemory) -> None:
    a, b = result_memory.empty((3,), ((2,), ()), DOUBLE)
    assert (a.shape, b.shape) == ((3, 2), (3,))
    assert not kept.pieces


def test_a_share_of_the_machines_memory_is_kept() -> None:
    assert policy.KEPT_RESULTS < most_kept() < 2**44


def test_large_memory_is_used_again_when_nobody_has_it(kept: KeptMemory) -> None:
    a, b = result_memory.empty((MANY // 24,), ((24,), (4, 6)), DOUBLE)
    addresses = {address(a), address(b)}
    assert not np.shares_memory(a, b)
    del a, b
    (c,) = result_memory.empty((MANY // 24, 1), ((3, 8),), DOUBLE)
    assert address(c) in addresses
    assert len(kept.pieces) == 2


@pytest.mark.parametrize(
    "part",
    [
        lambda x: x[5:6],
        lambda x: x.reshape(2, -1).T[3],
        lambda x: memoryview(x),
        lambda x: x.view(np.int64)[::7],
        lambda x: np.asarray(x[1:].data)[2:],
        lambda x: np.broadcast_to(x[:1], (3, 1)),
        lambda x: iter(x),
    ],
)
@pytest.mark.heavy(2)
def test_memory_is_not_used_again_while_any_view_of_it_lives(kept: KeptMemory, part: object) -> None:
    (a,) = result_memory.empty((MANY,), ((),), DOUBLE)
    first = address(a)
    seen = part(a)  # type: ignore[operator]
    del a
    gc.collect()
    (b,) = result_memory.empty((MANY,), ((),), DOUBLE)
    assert address(b) != first
    del seen, b
    gc.collect()
    before = len(kept.pieces)
    result_memory.empty((MANY,), ((),), DOUBLE)
    assert len(kept.pieces) == before == 2


def test_much_larger_memory_is_not_taken_and_the_oldest_goes(kept: KeptMemory) -> None:
    result_memory.empty((8 * MANY,), ((),), DOUBLE)
    result_memory.empty((MANY,), ((),), DOUBLE)
    assert [len(piece) // (8 * MANY) for piece in kept.pieces] == [8, 1]
    alive = [result_memory.empty((8 * MANY,), ((),), DOUBLE)[0] for _ in range(6)]
    assert sum(map(len, kept.pieces)) <= MOST_KEPT
    for i, x in enumerate(alive):
        x[:] = i
    assert all((x == i).all() for i, x in enumerate(alive))
    result_memory.empty((MOST_KEPT // 4,), ((),), DOUBLE)
    assert not kept.pieces


def test_batches_of_one_robot_do_not_overwrite_each_other(llvm: None, rng: np.random.Generator) -> None:
    robot = sd.load("ur5")
    q = rng.standard_normal((120_000, 6))
    assert robot.mass_matrix(q).nbytes > policy.KEPT_RESULTS
    first, second = robot.mass_matrix(q), robot.mass_matrix(-q)
    expected = first.copy(), second.copy()
    for _ in range(3):
        third = robot.mass_matrix(q[::-1])
        together = robot.at(q, together=["mass_matrix", "gravity_force"])
        assert not any(np.shares_memory(third, x) for x in (first, second, together.mass_matrix))
        assert np.array_equal(third, expected[0][::-1])
        assert np.array_equal(together.mass_matrix, expected[0])
    assert np.array_equal(first, expected[0])
    assert np.array_equal(second, expected[1])


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
def test_a_forked_child_finds_locks_free(kept: KeptMemory) -> None:
    held, done = threading.Event(), threading.Event()

    def hold() -> None:
        with kept._lock:
            held.set()
            done.wait()

    thread = threading.Thread(target=hold)
    thread.start()
    held.wait()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # newer Pythons warn of forks beside threads
        child = os.fork()
    if child == 0:
        signal.alarm(20)
        (x,) = result_memory.empty((MANY,), ((),), DOUBLE)
        os._exit(0 if len(x) == MANY else 1)
    done.set()
    thread.join()
    assert os.waitpid(child, 0)[1] == 0


def test_threads_get_memory_of_their_own(kept: KeptMemory) -> None:
    def work(i: int) -> bool:
        (x,) = result_memory.empty((MANY,), ((),), DOUBLE)
        x[:] = i
        return bool((x == i).all())

    with ThreadPoolExecutor(6) as pool:
        assert all(pool.map(work, range(200)))
    assert sum(map(len, kept.pieces)) <= MOST_KEPT
