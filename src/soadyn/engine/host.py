"""What native code finds on this machine: the processor, its vectors, threads, and the cache of compiled code."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import final

from soadyn.engine.native.kernel import available
from soadyn.engine.native.threads import limits

UNKNOWN_MEMORY = 2**33  # bytes; what is assumed where the system does not tell
TOLD = ("avx512f", "avx2", "avx", "fma", "sse4.2", "neon", "sve")  # features that decide the lanes


@final
@dataclass(frozen=True, slots=True)
class ProcessorReport:
    """The processor that is compiled for."""

    name: str
    features: tuple[str, ...]
    doubles: int  # numbers in a vector
    fused: bool  # products and sums in one instruction
    llvm: str


@final
@dataclass(frozen=True, slots=True)
class Cache:
    """Where compiled code is kept, how much there is, and why nothing is kept if so."""

    folder: Path | None
    files: int
    bytes: int
    problem: str


def threads() -> int:
    """How many threads a batch may use."""
    return limits.threads


def processor() -> ProcessorReport | None:
    """The processor that native code is made for; None where there is no native code.

    >>> found = processor()
    >>> found is None or found.doubles in (2, 4, 8)
    True
    """
    if not available():
        return None
    from soadyn.engine.native.llvm.processor import llvm
    from soadyn.engine.native.llvm.processor import processor as chosen

    found = chosen()
    has = set(found.features.split(","))
    version = ".".join(map(str, llvm().llvm_version_info))
    features = tuple(name for name in TOLD if f"+{name}" in has)
    return ProcessorReport(found.name, features, found.lanes(8), found.fused, version)


def cache() -> Cache:
    """The state of the cache.

    >>> cache().files >= 0
    True
    """
    from soadyn.engine.cache.folder import folder, is_own, why_not

    place = folder()
    if place is None:
        return Cache(None, 0, 0, "switched off by SOADYN_CACHE, or the user has no home folder")
    problem = why_not(place)
    try:
        sizes = [path.stat().st_size for path in place.iterdir() if is_own(path)]
        problem = problem or ("" if os.access(place, os.W_OK) else "the folder cannot be written to")
    except OSError as error:  # it is not there, or cannot be read
        sizes, problem = [], problem or error.strerror or str(error)
    return Cache(place, len(sizes), sum(sizes), problem)


def machine_memory() -> float:
    """Bytes of memory of this machine."""
    try:
        return float(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
    except (AttributeError, OSError, ValueError):  # Windows has no sysconf
        return float(UNKNOWN_MEMORY)
