"""The fuzz driver reports what fails, hangs and crashes, with a seed that repeats it."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent

MODULE = """
import ctypes, random, time

def passes(random): random.random()

def hangs(random): time.sleep(60)

def crashes(random): ctypes.string_at(0)

def exits(random): raise SystemExit(0)

def fails_now_and_then(random):
    number = random.randrange(4)
    print("noise")
    assert number != 3, f"drew {number}"

CASES = {name: globals()[name] for name in NAMES}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of the driver without the cases of this folder."""
    for name in ("__main__.py", "trials.py"):
        shutil.copy(HERE / name, tmp_path)
    return tmp_path


def command(folder: Path, *names: str) -> list[str]:
    (folder / "fuzz_mine.py").write_text(f"NAMES = {names!r}\n{MODULE}")
    return [sys.executable, str(folder), "--seconds", "2", "--limit", "1"]


def fuzzed(folder: Path, *options: str, names: tuple[str, ...]) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*command(folder, *names), *options], capture_output=True, text=True, timeout=60)


def test_a_run_without_failures_ends_with_zero(folder: Path) -> None:
    done = fuzzed(folder, "--seed", "7", names=("passes",))
    assert done.returncode == 0
    assert "base seed 7" in done.stdout
    assert re.search(r"passes: [1-9]\d* trials in \d+ s, 0 failed", done.stdout)


def test_a_failure_is_printed_with_the_command_that_repeats_it(folder: Path) -> None:
    done = fuzzed(folder, names=("passes", "fails_now_and_then"))
    assert done.returncode == 1
    assert "noise" not in done.stdout
    assert "AssertionError: drew 3" in done.stdout
    assert "fails_now_and_then: " in done.stdout
    found = re.search(r'repeat: python tests/fuzz --case "fails_now_and_then" --seed (\d+)', done.stdout)
    assert found
    again = fuzzed(folder, "--case", "fails_now_and_then", "--seed", found[1], names=("fails_now_and_then",))
    assert again.returncode == 1
    assert "AssertionError: drew 3" in again.stderr


def test_two_runs_with_one_base_seed_make_the_same_trials(folder: Path) -> None:
    runs = [fuzzed(folder, "--seed", "3", names=("fails_now_and_then",)).stdout for _ in range(2)]
    seeds = [re.findall(r"seed (\d+)\n", text) for text in runs]
    assert seeds[0] == seeds[1] != []


def test_a_hang_and_a_crash_are_reported_and_the_rest_goes_on(folder: Path) -> None:
    done = fuzzed(folder, "--seconds", "6", names=("hangs", "crashes", "exits", "passes"))
    assert done.returncode == 1
    assert "a hang: no answer after 3 s" in done.stdout
    assert "in hangs" in done.stdout  # the stack at the time
    assert re.search(r"a crash: the process ended with -\d+", done.stdout)
    assert "in crashes" in done.stdout
    assert "SystemExit: 0" in done.stdout
    assert re.search(r"passes: [1-9]\d* trials in \d+ s, 0 failed", done.stdout)


def test_a_trial_kept_waiting_by_other_programs_is_no_hang(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    command(folder, "hangs")
    monkeypatch.syspath_prepend(folder)
    spec = importlib.util.spec_from_file_location("driver", folder / "__main__.py")
    assert spec is not None
    assert spec.loader is not None
    driver = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "driver", driver)
    spec.loader.exec_module(driver)
    child = driver.Child("fuzz_mine", 0.5, folder)
    begun = time.monotonic()
    monkeypatch.setattr(driver, "kept_waiting", lambda pid: min(time.monotonic() - begun, 4.0))
    try:
        assert "a hang: no answer after 2 s" in child.outcome("hangs", 1)
    finally:
        child.kill()
    assert time.monotonic() - begun > 4.0 + 2.0


def test_an_interrupt_keeps_what_is_done(folder: Path) -> None:
    # Tests that run in the background of a shell ignore interrupts, and so would their children.
    process = subprocess.Popen(
        [*command(folder, "passes"), "--seconds", "60"],
        stdout=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    assert process.stdout is not None
    assert "base seed" in process.stdout.readline()
    with pytest.raises(subprocess.TimeoutExpired):
        process.wait(2)
    os.kill(process.pid, signal.SIGINT)
    text, _ = process.communicate(timeout=30)
    assert "stopped" in text
    assert re.search(r"passes: [1-9]\d* trials", text)
    assert process.returncode == 0


def test_an_unknown_case_is_said(folder: Path) -> None:
    done = fuzzed(folder, "--case", "flies", names=("passes",))
    assert done.returncode == 1
    assert "no fuzz case is called 'flies'" in done.stderr
