"""What the figures were measured on: processor, versions, and the rate of independent fused products and sums."""

from __future__ import annotations

import ctypes
import importlib.metadata
import os
import platform
import subprocess
import time
from pathlib import Path
from typing import Any

import numpy as np

from soadyn.engine.native.llvm.machine_code import Loaded, object_code
from soadyn.engine.native.llvm.processor import llvm, processor

PACKAGES = ("soadyn", "numpy", "llvmlite", "pin", "mujoco", "mujoco-core", "casadi", "example-robot-data")
# More than latency times units of any processor, fewer than its registers.
ACCUMULATORS = 14
ROUNDS_IN_LOOP = 20_000


def features() -> set[str]:
    """LLVM's names of what the processor that is compiled for can do."""
    target = processor()
    if target.features:
        return {name[1:] for name in target.features.split(",") if name.startswith("+")}
    levels = {"x86-64-v3": {"avx2", "fma"}, "x86-64-v4": {"avx2", "fma", "avx512f"}}
    return levels.get(target.name, set())


def instruction_set() -> str:
    """What the kernels' vectors are called."""
    known = features()
    names = {"avx512f": "AVX-512", "avx2": "AVX2", "avx": "AVX", "neon": "NEON"}
    return next((name for feature, name in names.items() if feature in known), "SSE2" if processor().x86 else "")


def llvm_version() -> str:
    return ".".join(map(str, llvm().llvm_version_info))


def facts() -> dict[str, Any]:
    """Processor, versions, commit and load."""
    known = features()
    return {
        "processor": _model_name(),
        "compiled for": processor().name,
        "features": [name for name in ("sse2", "avx", "avx2", "fma", "avx512f", "neon") if name in known],
        "avx512": "avx512f" in known,
        "processors": os.cpu_count(),
        "threads": 1,
        "load": [round(x, 2) for x in os.getloadavg()] if hasattr(os, "getloadavg") else None,
        "python": platform.python_version(),
        "system": platform.platform(),
        "versions": {name: version for name in PACKAGES if (version := _version(name))},
        "commit": _commit(),
    }


def _model_name() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        return next(line.split(":", 1)[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()


def _version(name: str) -> str | None:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return None


def _commit() -> str:
    here = Path(__file__).resolve().parent
    try:
        done = subprocess.run(["git", "describe", "--always", "--dirty"], cwd=here, capture_output=True, text=True)
    except OSError:
        return ""
    return done.stdout.strip()


class FmaLoop:
    """A loop of independent fused products and sums, as wide as the kernels'; without fma, products and sums."""

    def __init__(self) -> None:
        target = processor()
        self.lanes = target.lanes(8)
        self._code = Loaded(object_code(_text(self.lanes, target.fused), target, optimise=False), "loop", target)
        prototype = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int64, ctypes.c_double, ctypes.c_double)
        self._call = prototype(self._code.address)
        self._room = np.zeros(self.lanes)
        self.operations = 2 * self.lanes * ACCUMULATORS * ROUNDS_IN_LOOP  # a product and a sum each

    def __call__(self) -> None:
        self._call(self._room.ctypes.data, ROUNDS_IN_LOOP, 0.999, 0.001)

    def best_rate(self, rounds: int = 30) -> float:
        """Operations per second in the best of several rounds."""
        best = np.inf
        for _ in range(rounds):
            start = time.perf_counter()
            self()
            best = min(best, time.perf_counter() - start)
        return self.operations / best


def _text(lanes: int, fused: bool) -> str:
    T = f"<{lanes} x double>"
    suffix = f"v{lanes}f64"
    lines = [
        f"declare {T} @llvm.fma.{suffix}({T}, {T}, {T})",
        "define void @loop(ptr %to, i64 %n, double %a, double %b) #0 {",
        "entry:",
    ]
    for name in "ab":
        lines += [
            f"  %{name}.0 = insertelement {T} poison, double %{name}, i32 0",
            f"  %{name}.v = shufflevector {T} %{name}.0, {T} poison, <{lanes} x i32> zeroinitializer",
        ]
    lines += ["  br label %again", "again:", "  %i = phi i64 [0, %entry], [%i.next, %again]"]
    for k in range(ACCUMULATORS):
        start = "<" + ", ".join([f"double {k}.0"] * lanes) + ">"
        lines.append(f"  %x{k} = phi {T} [{start}, %entry], [%y{k}, %again]")
    for k in range(ACCUMULATORS):
        if fused:
            lines.append(f"  %y{k} = call {T} @llvm.fma.{suffix}({T} %x{k}, {T} %a.v, {T} %b.v)")
        else:
            lines += [f"  %p{k} = fmul {T} %x{k}, %a.v", f"  %y{k} = fadd {T} %p{k}, %b.v"]
    lines += [
        "  %i.next = add i64 %i, 1",
        "  %more = icmp slt i64 %i.next, %n",
        "  br i1 %more, label %again, label %done",
        "done:",
    ]
    total = "%y0"
    for k in range(1, ACCUMULATORS):
        lines.append(f"  %s{k} = fadd {T} {total}, %y{k}")
        total = f"%s{k}"
    lines += [f"  store {T} {total}, ptr %to, align 8", "  ret void", "}"]
    return "\n".join([*lines, 'attributes #0 = { nounwind "prefer-vector-width"="512" }'])
