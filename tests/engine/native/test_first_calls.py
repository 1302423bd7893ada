"""Several threads make the first calls of a process: none of it dies, and every thread gets what one alone would."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from soadyn.fork_safe import made_once

SCRIPT = Path(__file__).resolve().parents[2] / "support" / "first_calls.py"
THREADS = (2, 4, 8, 16, 24, 32)


def race(threads: int, seed: int, cache: Path) -> None:
    environment = {**os.environ, "SOADYN_CACHE": str(cache)}
    command = [sys.executable, "-X", "faulthandler", str(SCRIPT), str(threads), str(seed)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, f"{threads} threads, seed {seed}: exit {done.returncode}\n{done.stderr[-3000:]}"


def test_first_calls_of_every_kind_may_come_from_several_threads(llvm: None, tmp_path: Path) -> None:
    """Three processes without compiled code on disk, and three that find some."""
    for i, threads in enumerate((8, 32, 16)):
        race(threads, i, tmp_path / "cache")
        race(threads, i, tmp_path / "cache")


@pytest.mark.slow
@pytest.mark.parametrize("threads", THREADS)
def test_first_calls_of_many_processes_may_come_from_several_threads(llvm: None, threads: int, tmp_path: Path) -> None:
    for seed in range(4):
        race(threads, 100 * threads + seed, tmp_path / f"cold {seed}")
    for seed in range(5):
        race(threads, 200 * threads + seed, tmp_path / "cold 0")


def test_what_is_made_once_is_the_same_for_all_threads() -> None:
    made: list[object] = []
    start = threading.Barrier(8)

    @made_once
    def slowly() -> object:
        """An object."""
        time.sleep(0.05)
        made.append(object())
        return made[-1]

    def ask(_: int) -> object:
        start.wait()
        return slowly()

    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(ask, range(8)))
    assert len(made) == 1
    assert all(x is made[0] for x in found)
    assert slowly.__doc__ == "An object."


def test_what_could_not_be_made_is_tried_again() -> None:
    answers = iter([ValueError("not yet"), "made"])

    @made_once
    def late() -> object:
        answer = next(answers)
        if isinstance(answer, Exception):
            raise answer
        return answer

    with pytest.raises(ValueError, match="not yet"):
        late()
    assert late() == late() == "made"
