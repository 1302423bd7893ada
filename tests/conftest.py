"""Options and fixtures shared by all tests."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, settings

import soadyn as sd
from slow_variants import listed, processor_time

TESTS = Path(__file__).resolve().parent

Run = Callable[..., "subprocess.CompletedProcess[str]"]

# Examples are the same in every run, and a busy machine is no failure.
settings.register_profile("formulas", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("formulas")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--share", default=None, help="run only a share of the tests: 3/20 is the fourth twentieth")
    parser.addoption("--no-skips", action="store_true", help="a test that is skipped fails")
    parser.addoption("--processor-times", default=None, help="a folder for the processor time of every test")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    folder, before = item.config.getoption("--processor-times"), processor_time()
    result = yield
    if folder is not None:
        Path(folder).mkdir(parents=True, exist_ok=True)
        with open(Path(folder) / f"{os.getpid()}.txt", "a", encoding="utf-8") as file:
            file.write(f"{processor_time() - before:.3f}\t{item.nodeid}\n")
    return result


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Any:
    report = yield
    if report.skipped and item.config.getoption("--no-skips"):
        report.outcome = "failed"
    return report


@pytest.hookimpl(tryfirst=True)  # before pytest leaves out what is slow
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    slow = listed()
    for item in items:
        if item.nodeid in slow:
            item.add_marker(pytest.mark.slow)
    share = config.getoption("--share")
    if share is not None:
        number, parts = map(int, share.split("/"))
        chosen = [zlib.crc32(item.nodeid.encode()) % parts == number for item in items]
        config.hook.pytest_deselected(items=[item for item, own in zip(items, chosen, strict=True) if not own])
        items[:] = [item for item, own in zip(items, chosen, strict=True) if own]


@pytest.fixture
def rng(request: pytest.FixtureRequest) -> np.random.Generator:
    """Random numbers that differ from test to test and repeat from run to run."""
    return np.random.default_rng(zlib.crc32(request.node.nodeid.encode()))


@pytest.fixture
def llvm() -> None:
    """Skips where there is no native code to test."""
    if importlib.util.find_spec("llvmlite") is None:
        pytest.skip("llvmlite is absent: there is no native code to test")


@pytest.fixture(params=["rolled", "straight"])
def form(request: pytest.FixtureRequest, llvm: None) -> str:
    """Both forms of native code."""
    return str(request.param)


@pytest.fixture
def threads() -> Iterator[Callable[[int], None]]:
    """`sd.set_threads`, undone afterwards."""
    yield sd.set_threads
    sd.set_threads(os.cpu_count() or 1)  # the default


@pytest.fixture
def python(tmp_path: Path) -> Run:
    """Runs Python text in a new process that keeps compiled code in a folder of its own, warnings being errors.

    Keyword arguments are environment variables; None removes one. `check=False` allows failure.
    """

    def run(
        text: str, *arguments: Any, check: bool = True, flags: tuple[str, ...] = ("-W", "error"), **variables: Any
    ) -> Any:
        given = {
            "SOADYN_CACHE": str(tmp_path / "cache"),
            "PYTHONPATH": os.pathsep.join([str(TESTS / "support"), os.environ.get("PYTHONPATH", "")]),
        }
        environment = {**os.environ, **given, **variables}
        environment = {name: str(value) for name, value in environment.items() if value is not None}
        command = [sys.executable, *flags, "-c", text, *map(str, arguments)]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=600)
        if check:
            assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
        return done

    return run


@pytest.fixture
def soadyn(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Callable[..., tuple[Any, str, str]]:
    """Runs a command in an empty folder; gives exit code, output and error output."""
    from soadyn.cli import main

    monkeypatch.chdir(tmp_path)

    def run(*arguments: str) -> tuple[Any, str, str]:
        with pytest.raises(SystemExit) as ended:
            main(list(arguments))
        printed = capsys.readouterr()
        return ended.value.code, printed.out, printed.err

    return run
