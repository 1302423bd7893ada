"""What the tests of native code share."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import soadyn as sd

TESTS = Path(__file__).resolve().parents[1]

Run = Callable[..., "subprocess.CompletedProcess[str]"]


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
            "PYTHONPATH": os.pathsep.join([str(TESTS), str(TESTS / "native")]),
        }
        environment = {**os.environ, **given, **variables}
        environment = {name: str(value) for name, value in environment.items() if value is not None}
        command = [sys.executable, *flags, "-c", text, *map(str, arguments)]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=600)
        if check:
            assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
        return done

    return run
