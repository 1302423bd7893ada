"""Exported C: compiled, loaded and called."""

from __future__ import annotations

import ctypes
import platform
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any, final

import numpy as np
import pytest

import soadyn as sd
from soadyn.engine.native.kernel import available
from soadyn.engine.native.llvm.processor import processor

STRICT = ("-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic", "-ffp-contract=off")


def gcc(*arguments: str | Path, check: bool = True, compiler: str = "gcc") -> subprocess.CompletedProcess[str]:
    """Runs the compiler; skips the test where there is none."""
    if shutil.which(compiler) is None:
        pytest.skip(f"{compiler} is absent: there is nothing to compile C with")
    done = subprocess.run([compiler, *map(str, arguments)], capture_output=True, text=True, timeout=300)
    assert not check or done.returncode == 0, done.stderr[-3000:]
    return done


def like_the_kernels() -> list[str]:
    """Flags for products and sums that fuse as they do in soadyn's kernels here."""
    can_ask = platform.machine().lower() in ("x86_64", "amd64") and available()
    return ["-mfma"] if can_ask and processor().fused else []


@final
class Exported:
    """A quantity's C function. Called with the arguments' arrays it gives the status and the results."""

    def __init__(self, function: Any, folder: Path, *flags: str, **options: Any) -> None:
        self.source, self.header = sd.export_c(function, folder / "code", name="f", **options)
        self.text = self.source.read_text(encoding="utf-8")
        # The loader knows libraries by their names: a second one needs another.
        library = folder / f"code{len(list(folder.glob('*.so')))}.so"
        gcc(*STRICT, *flags, "-shared", "-fPIC", self.source, "-o", library, "-lm")
        self._call = ctypes.CDLL(str(library)).f
        (self.prototype,) = re.findall(r"^int f\((.*)\);$", self.header.read_text(encoding="utf-8"), re.MULTILINE)
        self.arrays = re.findall(r"(const )?(\w+) (\w+)\[(\d+)\]", self.prototype)

    def __call__(self, *given: Any, out: list[np.ndarray] | None = None) -> tuple[int, list[np.ndarray]]:
        types = {"double": np.float64, "float": np.float32, "int": np.int32}
        inputs = [(kind, int(size)) for const, kind, _, size in self.arrays if const]
        arrays = [np.ascontiguousarray(x, types[kind]) for (kind, _), x in zip(inputs, given, strict=True)]
        assert [x.size for x in arrays] == [size for _, size in inputs]
        sizes = [(kind, int(size)) for const, kind, _, size in self.arrays if not const]
        results = out or [np.full(size, -7.0, types[kind]) for kind, size in sizes]
        status = self._call(*(ctypes.c_void_p(x.ctypes.data) for x in (*arrays, *results)))
        return status, results
