"""C and C++ compiled here and loaded: the flags, the versions, the call."""

from __future__ import annotations

import ctypes
import hashlib
import shutil
import subprocess
from pathlib import Path

NATIVE = ("-O3", "-march=native")
BUILT = Path(__file__).resolve().parents[1] / "build" / "benchmarks"  # what takes long to compile


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


def kept_file(name: str, text: str, compiler: str, *made_of: str) -> Path:
    """Where a library that is kept is, or will be: its name changes with all that it is made of."""
    # -march=native means another processor elsewhere.
    native = output([compiler, "-march=native", "-Q", "--help=target"])
    whole = "\n".join([text, *made_of, version(compiler), native])
    return BUILT / f"{name}_{hashlib.sha256(whole.encode()).hexdigest()[:16]}.so"


def kept(file: Path, text: str, compiler: str, flags: tuple[str, ...], libraries: tuple[str, ...] = ()) -> ctypes.CDLL:
    """A library that is kept, compiled if it has not been yet."""
    if not file.is_file():
        BUILT.mkdir(parents=True, exist_ok=True)
        source = file.with_name(f"{file.stem}_new{'.cpp' if compiler == 'g++' else '.c'}")
        source.write_text(text)
        compiled(compiler, source, flags, libraries).rename(file)
        source.unlink()
    return loaded(file)
