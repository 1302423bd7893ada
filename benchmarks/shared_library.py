"""C and C++ compiled here and loaded: the flags, the versions, the call."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from pathlib import Path

NATIVE = ("-O3", "-march=native")


def output(command: list[str]) -> str:
    """What a command prints; CalledProcessError if it fails."""
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def complaint(error: subprocess.CalledProcessError) -> str:
    """The line of a failed command's output that says most."""
    lines = error.stderr.strip().splitlines() or [str(error)]
    return next((line for line in lines if "error:" in line), lines[-1])[:200]


def missing(compiler: str) -> str:
    """Why nothing can be compiled; empty if it can."""
    return "" if shutil.which(compiler) else f"there is no {compiler}"


def version(compiler: str) -> str:
    return f"{compiler} {output([compiler, '-dumpfullversion'])}"


def compiled(compiler: str, source: Path, flags: tuple[str, ...], libraries: tuple[str, ...] = ()) -> Path:
    """The shared library made of a source, beside it."""
    file = source.with_suffix(".so")
    output([compiler, *flags, "-shared", "-fPIC", str(source), "-o", str(file), *libraries])
    return file


def loaded(file: Path) -> ctypes.CDLL:
    """A library in this process; its file may then go."""
    return ctypes.CDLL(str(file))
