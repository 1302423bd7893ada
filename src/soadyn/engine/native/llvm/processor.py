"""llvmlite, started when it is first needed, and the processor to compile for."""

from __future__ import annotations

import os
import platform
from dataclasses import dataclass
from typing import Any, final

from soadyn.errors import ArgumentError
from soadyn.fork_safe import made_once

# Named processors for SOADYN_CPU: the bytes in a vector, and whether they fuse products and sums.
LEVELS = {"x86-64": (16, False), "x86-64-v2": (16, False), "x86-64-v3": (32, True), "x86-64-v4": (64, True)}


@made_once
def llvm() -> Any:
    """llvmlite's binding, ready to use; ImportError without it."""
    import llvmlite.binding as binding

    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    return binding


@final
@dataclass(frozen=True, slots=True)
class Processor:
    """LLVM's name of a processor, its features, the bytes in a vector, and whether products and sums fuse."""

    name: str
    features: str
    vector_bytes: int
    fused: bool

    @property
    def x86(self) -> bool:
        return platform.machine().lower() in ("x86_64", "amd64")

    def lanes(self, number_bytes: int) -> int:
        return self.vector_bytes // number_bytes


def processor() -> Processor:
    """The host, or the lesser machine that the environment variable SOADYN_CPU names."""
    wanted = os.environ.get("SOADYN_CPU", "")
    if wanted:
        if wanted not in LEVELS:
            raise ArgumentError(f"SOADYN_CPU is {wanted!r}; expected one of {', '.join(LEVELS)}")
        lesser = Processor(wanted, "", *LEVELS[wanted])
        if lesser.vector_bytes > _host().vector_bytes or lesser.fused > _host().fused:
            raise ArgumentError(f"SOADYN_CPU is {wanted!r}, which this machine ({_host().name}) cannot run")
        return lesser
    return _host()


@made_once
def _host() -> Processor:
    features, name = llvm().get_host_cpu_features(), llvm().get_host_cpu_name()
    width = 64 if features.get("avx512f") else 32 if features.get("avx") else 16
    # Without an instruction for it, fma would be a slow call into the C library. 64-bit ARM always has one.
    fused = bool(features.get("fma")) or platform.machine().lower() in ("aarch64", "arm64")
    return Processor(name, features.flatten(), width, fused)
