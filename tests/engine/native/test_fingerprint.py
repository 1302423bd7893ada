"""Machine code is found on disk by what it depends on, without tracing."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import soadyn as sd
from soadyn.engine.cache import code_cache
from soadyn.engine.cache import fingerprint as module
from soadyn.engine.cache.fingerprint import fingerprint
from soadyn.engine.loops.joint_classes import classes_of
from soadyn.engine.loops.plan import planned
from soadyn.engine.native import passes as compiling
from soadyn.engine.native.rolled.scratch_layout import ScratchSizes, layout_of
from soadyn.quantities import QUANTITIES

TELL = """
import soadyn as sd
from soadyn.engine.cache.fingerprint import fingerprint
from soadyn.quantities import QUANTITIES
robot = sd.load("free_flyer")
for quantity in QUANTITIES.values():
    print(fingerprint(quantity.program, robot.engine.constants))
"""


def told(**seed: str) -> list[str]:
    environment = {**os.environ, **seed}
    done = subprocess.run([sys.executable, "-c", TELL], env=environment, capture_output=True, text=True, check=True)
    return done.stdout.split()


def test_every_quantity_has_a_fingerprint_of_its_own_the_same_in_every_process() -> None:
    first = told(PYTHONHASHSEED="1")
    assert "None" not in first
    assert len(set(first)) == len({id(quantity.program) for quantity in QUANTITIES.values()})
    assert told(PYTHONHASHSEED="2") == first


def test_every_number_of_a_robot_counts() -> None:
    arm, program = sd.load("ur5"), QUANTITIES["forward_dynamics"].program
    robots = [
        arm,
        arm.with_gravity([0.0, 0.0, -9.80]),
        arm.with_payload("tool0", mass=1e-9),
        arm.with_payload("tool0", mass=2e-9),
        arm.lock(["elbow_joint"], arm.neutral()),
        sd.load("puma560"),
    ]
    found = [fingerprint(program, robot.engine.constants) for robot in robots]
    assert None not in found
    assert len(set(found)) == len(robots)
    assert fingerprint(program, sd.load("ur5").engine.constants) == found[0]


def test_values_that_are_alike_but_not_the_same_differ() -> None:
    alike: list[Any] = [
        1, 1.0, True, "1", (1,), [(1,)], {1: 1}, None, (), 0.0, -0.0, ("ab", "c"), ("a", "bc"), slice(1),
        np.ones(1), np.ones((1, 1)), np.ones(1, np.float32),
    ]  # fmt: skip
    assert len({fingerprint(x) for x in alike}) == len(alike)


def test_what_cannot_be_told_has_no_fingerprint(monkeypatch: pytest.MonkeyPatch) -> None:
    assert fingerprint(lambda: 1) is None
    assert fingerprint(test_every_number_of_a_robot_counts) is None
    assert fingerprint(np.array([object()])) is None
    assert fingerprint([Path("x")]) is None
    # Sources that changed since they were imported are not those that run.
    monkeypatch.setattr(module, "STARTED", 0.0)
    module._sources.cache_clear()
    assert fingerprint(1) is None
    module._sources.cache_clear()


def test_sources_in_an_archive_have_no_fingerprint(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "__file__", str(Path("soadyn.zip", "soadyn", "engine", "cache", "fingerprint.py")))
    module._sources.cache_clear()
    assert fingerprint(1) is None
    module._sources.cache_clear()


def test_the_hash_of_the_sources_is_of_their_content(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the file system says: a file that changes and keeps its size and time of change has another hash."""
    folder = tmp_path / "soadyn" / "engine" / "cache"
    folder.mkdir(parents=True)
    monkeypatch.setattr(module, "__file__", str(folder / "fingerprint.py"))
    monkeypatch.setattr(module, "STARTED", 2e9)
    found = []
    for name, text in (("a.py", "x = 1"), ("a.py", "x = 2"), ("a.py", "x = 1"), ("b.py", "x = 1"), ("b.txt", "")):
        if name == "b.py":
            (folder / "a.py").unlink()
        (folder / name).write_text(text)
        os.utime(folder / name, ns=(10**18, 10**18))
        for _ in range(2):  # read, then kept
            module._sources.cache_clear()
            found.append(module._sources())
    module._sources.cache_clear()
    assert None not in found
    first, second, third, other, same = found[::2]
    assert found[1::2] == found[::2]
    assert first == third
    assert len({first, second, other}) == 3
    assert same == other


def test_code_on_disk_needs_no_trace(llvm: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOADYN_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(code_cache, "_memory", {})
    q = np.full((3, 6), 0.3)
    first = sd.load("ur5").specialize()
    expected = first.pose(q, "tool0")
    kernel = first.engine.kernels._made.values()  # type: ignore[union-attr]
    work = max(made.work for made in kernel if made is not None)
    monkeypatch.setattr(code_cache, "_memory", {})

    def no_trace(*_: Any, **__: Any) -> Any:
        raise AssertionError("traced")

    monkeypatch.setattr(compiling, "traced", no_trace)
    again = sd.load("ur5").specialize()
    assert again.pose(q, "tool0").tobytes() == expected.tobytes()
    assert [made.work for made in again.engine.kernels._made.values()] == [work]  # type: ignore[union-attr]
    with pytest.raises(AssertionError, match="traced"):
        again.pose(q, "upper_arm_link")


def test_loops_on_disk_need_no_plan(llvm: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOADYN_CACHE", str(tmp_path / "cache"))
    robots = [sd.load("ur5"), sd.chain(3)]
    batches = [np.full((2, robot.nq), 0.3) for robot in robots]

    def computed() -> list[bytes]:
        """As a new process would."""
        monkeypatch.setattr(code_cache, "_memory", {})
        compiling._looped.cache_clear()
        fresh = [sd.Robot(robot.model).specialize(False) for robot in robots]
        return [
            found.tobytes()
            for robot, q in zip(fresh, batches, strict=True)
            for found in (robot.mass_matrix(q), robot.mass_matrix(q[0]), robot.inertia_regressor(q, q, q))
        ]

    expected = computed()

    def no_plan(*_: Any) -> Any:
        raise AssertionError("planned")

    monkeypatch.setattr(compiling, "planned", no_plan)
    assert computed() == expected
    compiling._looped.cache_clear()


@pytest.mark.parametrize("name", ["forward_dynamics", "mass_matrix_inverse", "inertia_regressor", "poses"])
def test_sizes_of_scratch_are_told_by_numbers(name: str) -> None:
    classes = classes_of(sd.load("ur5").engine.constants)
    sizes = layout_of(planned(QUANTITIES[name].program, classes)).sizes
    assert ScratchSizes.of_numbers(sizes.numbers) == sizes
