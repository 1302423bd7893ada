"""Files that appear whole: killed writers spoil nothing, what they left goes with the next one, others at work stay."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

import numpy as np
import pytest

import soadyn as sd
from soadyn import files
from soadyn.files import whole_file

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="processes are killed as POSIX does it")


def written(target: Path, content: bytes) -> None:
    with whole_file(target) as file:
        file.write(content)


def killed_inside(target: Path) -> None:
    """A process writes half of a file and is killed."""
    if not (pid := os.fork()):
        with whole_file(target) as file:
            file.write(b"half of ")
            file.flush()
            os.kill(os.getpid(), signal.SIGKILL)
        os._exit(1)
    assert os.WIFSIGNALED(os.waitpid(pid, 0)[1])


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_what_killed_writers_left_goes_with_the_next_one(tmp_path: Path) -> None:
    target = tmp_path / "motion.npz"
    written(target, b"old")
    for _ in range(3):
        killed_inside(target)
        assert target.read_bytes() == b"old"
    assert len(names(tmp_path)) == 2
    written(target, b"new")
    assert names(tmp_path) == ["motion.npz"]
    assert target.read_bytes() == b"new"


def test_a_trajectory_whose_saving_was_killed_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = sd.simulate(sd.load("planar_two_link"), [0.3, 0.0], duration=0.1, step=0.01)
    target = run.save(tmp_path / "motion.npz")
    if not (pid := os.fork()):
        monkeypatch.setattr(os, "fsync", lambda _: os.kill(os.getpid(), signal.SIGKILL))
        run.save(target)
        os._exit(1)
    assert os.WIFSIGNALED(os.waitpid(pid, 0)[1])
    np.testing.assert_array_equal(sd.Trajectory.load(target).q, run.q)
    run.save(target)
    assert names(tmp_path) == ["motion.npz"]


def test_two_writers_at_work_leave_each_other_alone(tmp_path: Path) -> None:
    target = tmp_path / "motion.npz"
    with whole_file(target) as first:
        first.write(b"first")
        written(target, b"second")
        assert target.read_bytes() == b"second"
        assert len(names(tmp_path)) == 2
    assert target.read_bytes() == b"first"
    assert names(tmp_path) == ["motion.npz"]


@pytest.mark.parametrize("kind", ["a link", "a pipe", "a directory"])
def test_what_is_no_file_in_the_place_of_an_unfinished_one_stays(tmp_path: Path, kind: str) -> None:
    target, place, precious = tmp_path / "motion.npz", tmp_path / ".motion.npz.part", tmp_path / "precious"
    precious.write_bytes(b"precious")
    {"a link": lambda: place.symlink_to(precious), "a pipe": lambda: os.mkfifo(place), "a directory": place.mkdir}[
        kind
    ]()
    written(target, b"new")
    assert target.read_bytes() == b"new"
    assert precious.read_bytes() == b"precious"
    assert names(tmp_path) == [".motion.npz.part", "motion.npz", "precious"]


def test_files_are_written_where_nothing_can_be_locked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class NoLocks:
        LOCK_EX = LOCK_NB = 0

        @staticmethod
        def flock(*_: object) -> None:
            raise OSError("no locks here")

    for found in (NoLocks, None):
        monkeypatch.setattr(files, "fcntl", found)
        written(tmp_path / "motion.npz", b"new")
        assert names(tmp_path) == ["motion.npz"]


def test_a_block_that_fails_leaves_the_old_file_alone(tmp_path: Path) -> None:
    target = tmp_path / "motion.npz"
    written(target, b"old")
    with pytest.raises(ZeroDivisionError), whole_file(target):
        _ = 1 / 0
    assert names(tmp_path) == ["motion.npz"]
    assert target.read_bytes() == b"old"
