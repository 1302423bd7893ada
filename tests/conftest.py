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

TESTS = Path(__file__).resolve().parent

Run = Callable[..., "subprocess.CompletedProcess[str]"]

# Examples are the same in every run, and a busy machine is no failure.
settings.register_profile("formulas", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("formulas")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--share", default=None, help="run only a share of the tests: 3/20 is the fourth twentieth")
    parser.addoption("--no-skips", action="store_true", help="a test that is skipped fails")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Any:
    report = yield
    if report.skipped and item.config.getoption("--no-skips"):
        report.outcome = "failed"
    return report


def left_for_later(items: list[pytest.Item]) -> Iterator[pytest.Item]:
    """Variants of tests marked `heavy` that only `make test-all` runs.

    Those stay that show a value of one of the test's parameters for the first time, so that every value is tried; with
    `heavy(n)` n of them, from the first to the last.
    """
    tests: dict[str, list[pytest.Function]] = {}
    for item in items:
        if isinstance(item, pytest.Function) and item.get_closest_marker("heavy"):
            tests.setdefault(item.nodeid.partition("[")[0], []).append(item)
    for variants in tests.values():
        seen: set[tuple[str, int]] = set()
        first = []
        for item in variants:
            values = {(name, id(x)) for name, x in item.callspec.params.items()}
            if values - seen and not item.get_closest_marker("slow"):
                first.append(item)
                seen |= values
        most = next(iter(variants[0].get_closest_marker("heavy").args), len(first))  # type: ignore[union-attr]
        places = np.linspace(0, len(first) - 1, min(most, len(first))).round().astype(int)
        stay = {first[place] for place in places}
        yield from (item for item in variants if item not in stay)


@pytest.hookimpl(tryfirst=True)  # before pytest leaves out what is slow
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    for item in left_for_later(items):
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
