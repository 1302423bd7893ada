"""Without llvmlite, or where its code cannot be trusted, everything works through the reference."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import soadyn as sd
from soadyn.engine.native import kernel

ABSENT = """
import sys
sys.modules["llvmlite"] = None  # what an import of a package that is not there does
import numpy as np
from native_cases import called, calls, random_state, robot_named
rng = np.random.default_rng(2)
name, *sizes = sys.argv[1:]
for name in (name, "tree on a free base"):
    robot = robot_named(name)
    assert robot.backend == "auto"
    for size in ((), *((int(size),) for size in sizes)):
        for call in calls(robot, random_state(rng, robot, size), rng):
            expected = called(robot.with_backend("numpy"), call)
            for backend in ("auto", "rolled", "straight"):
                found = called(robot.with_backend(backend), call)
                assert all(np.array_equal(x, y, equal_nan=True) for x, y in zip(found, expected)), call[0]
robot.at(call[1]["q"]).mass_matrix
import soadyn as sd
sd.set_threads(3)
assert robot.mass_matrix(call[1]["q"].astype(np.float32)).dtype == np.float32
assert not [module for module in sys.modules if module.startswith("llvmlite.")]
print("fine")
"""


@pytest.mark.parametrize(
    ("name", "sizes"), [("planar_two_link", (5,)), pytest.param("ur5", (5, 300), marks=pytest.mark.slow)]
)
def test_everything_works_without_llvmlite_and_without_a_warning(name: str, sizes: Any, python: Any) -> None:
    done = python(ABSENT, name, *sizes)
    assert done.stdout.strip() == "fine"
    assert done.stderr == ""


def test_native_code_is_used_where_llvmlite_is(llvm: None) -> None:
    assert kernel.available()
    assert sd.load("ur5").engine.kernels is not None
    assert sd.load("ur5").with_backend("numpy").engine.kernels is None


def broken() -> bool:
    raise OSError("no executable memory")


@pytest.mark.parametrize(
    ("test", "words"), [(lambda: False, "a test kernel gave a wrong result"), (broken, "no executable")]
)
def test_code_that_fails_its_self_test_is_not_used(
    test: Any, words: str, llvm: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kernel, "_doubles", test)
    kernel.available.cache_clear()
    try:
        robot, q = sd.load("ur5"), np.ones((3, 6))
        with pytest.warns(RuntimeWarning, match=f"soadyn runs without native code: {words}") as told:
            found = [sd.load("ur5").mass_matrix(q), robot.mass_matrix(q), robot.mass_matrix(q[0])]
        assert len(told) == 1
        expected = robot.with_backend("numpy").mass_matrix(q)
        assert all(np.array_equal(x, y) for x, y in zip(found, (expected, expected, expected[0]), strict=True))
    finally:
        monkeypatch.undo()
        kernel.available.cache_clear()
