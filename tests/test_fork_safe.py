"""A child forked at any moment goes on, whatever the parent's other threads were doing."""

from __future__ import annotations

import os
import signal
import threading
import warnings
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from soadyn.fork_safe import cached_property

forks = pytest.mark.skipif(not hasattr(os, "fork"), reason="processes do not fork here")


class Slow:
    """A value that takes until `go` is set."""

    def __init__(self) -> None:
        self.entered, self.go, self.computed = threading.Event(), threading.Event(), 0

    @cached_property
    def value(self) -> object:
        """An object of its own."""
        self.entered.set()
        self.go.wait(60)
        self.computed += 1
        return object()


@pytest.fixture
def slow() -> Iterator[Slow]:
    slow = Slow()
    yield slow
    slow.go.set()


def test_a_cached_property_is_computed_once_and_kept(slow: Slow) -> None:
    slow.go.set()
    assert slow.value is slow.value
    assert slow.computed == 1
    assert Slow.value.__doc__ == "An object of its own."


def test_threads_that_compute_a_cached_property_at_once_get_the_same_object(slow: Slow) -> None:
    with ThreadPoolExecutor(4) as pool:
        asked = [pool.submit(lambda: slow.value) for _ in range(4)]
        slow.entered.wait(60)
        slow.go.set()
    assert {id(found.result()) for found in asked} == {id(slow.value)}


@forks
def test_a_child_forked_while_a_thread_computes_a_cached_property_computes_it_too(slow: Slow) -> None:
    worker = threading.Thread(target=lambda: slow.value)
    worker.start()
    assert slow.entered.wait(60)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # newer Pythons warn of forks beside threads
        child = os.fork()
    if not child:
        signal.alarm(10)
        slow.go = threading.Event()
        slow.go.set()
        os._exit(0 if slow.value is not None else 1)
    slow.go.set()
    worker.join()
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


COMPILING = """
import os, signal, threading, time
import numpy as np, soadyn as sd
from soadyn.engine.native.llvm import machine_code

two_links, arm = sd.load("planar_two_link").with_backend("straight"), sd.load("ur5").with_backend("straight")
two_links.mass_matrix(np.zeros((3, 2)))  # everything is imported now
compile_one, compiling = machine_code.object_code, threading.Event()

def watched(*arguments):
    compiling.set()
    return compile_one(*arguments)

machine_code.object_code = watched
worker = threading.Thread(target=lambda: arm.forward_dynamics(*np.zeros((3, 2, 6))))
worker.start()
compiling.wait(60)
time.sleep(0.1)
child = os.fork()
if not child:
    signal.alarm(20)
    two_links.gravity_force(np.zeros((3, 2)))
    os._exit(0)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
worker.join()
"""


@forks
def test_a_child_forked_while_a_thread_compiles_compiles_too(llvm: None, python: Any) -> None:
    assert python(COMPILING, flags=()).stdout.strip() == "0"
