"""Compiled code, kept in memory and on disk.

A file's name is the hash of the LLVM text, the processor and the versions of llvmlite and LLVM; its content starts
with the hash of the rest. The folder belongs to the user alone, files appear whole by renaming, and the oldest go
when there are too many bytes. Whatever goes wrong costs a compilation, never a wrong answer.

SOADYN_CACHE names another folder, or is "off".
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import stat
import tempfile
import warnings
from pathlib import Path

from soadyn.backends.native.llvm.engine import Processor, llvm, llvm_lock, object_code

LARGEST_TOTAL = 256 * 2**20
_HASH_BYTES = 32
_memory: dict[str, bytes] = {}
_told: set[str] = set()


def compiled(text: str, target: Processor, optimise: bool) -> bytes:
    """Machine code for a module's text: from memory, from disk, or compiled now."""
    name = _name(text, target, optimise)
    with llvm_lock:
        code = _memory.get(name) or _from_disk(name)
        if code is None:
            code = object_code(text, target, optimise)
            _to_disk(name, code)
        _memory[name] = code
    return code


def _name(text: str, target: Processor, optimise: bool) -> str:
    import llvmlite

    versions = (llvmlite.__version__, *llvm().llvm_version_info)
    parts = (text, target.name, target.features, str(optimise), repr(versions))
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def folder() -> Path | None:
    """Where compiled code is kept; None if it is not."""
    wanted = os.environ.get("SOADYN_CACHE", "")
    if wanted == "off":
        return None
    if wanted:
        return Path(wanted)
    home = os.environ.get("XDG_CACHE_HOME", "")
    try:
        return (Path(home) if home else Path.home() / ".cache") / "soadyn"
    except RuntimeError:  # no home
        return None


def _tell(problem: str) -> None:
    if problem not in _told:
        _told.add(problem)
        warnings.warn(f"soadyn keeps no compiled code on disk: {problem}", RuntimeWarning, stacklevel=2)


def _safe_folder() -> Path | None:
    """The folder, made if need be; None unless it is ours alone."""
    place = folder()
    if place is None:
        return None
    try:
        place.mkdir(mode=0o700, parents=True, exist_ok=True)
        status = place.stat()
    except OSError as error:
        _tell(f"{place}: {error.strerror or error}")
        return None
    if hasattr(os, "getuid") and (status.st_uid != os.getuid() or stat.S_IMODE(status.st_mode) & 0o022):
        _tell(f"{place} must belong to the user alone (mode 0700)")
        return None
    return place


def _from_disk(name: str) -> bytes | None:
    place = _safe_folder()
    if place is None:
        return None
    path = place / name
    try:
        if hasattr(os, "getuid") and path.stat().st_uid != os.getuid():
            return None
        content = path.read_bytes()
    except OSError:
        return None
    digest, code = content[:_HASH_BYTES], content[_HASH_BYTES:]
    if hashlib.sha256(code).digest() != digest:
        with contextlib.suppress(OSError):
            path.unlink()
        return None
    with contextlib.suppress(OSError):
        os.utime(path)  # lately used files are the last to go
    return code


def _to_disk(name: str, code: bytes) -> None:
    place = _safe_folder()
    if place is None:
        return
    temporary = None
    try:
        handle, temporary = tempfile.mkstemp(dir=place, prefix=".new-")
        with os.fdopen(handle, "wb") as file:
            file.write(hashlib.sha256(code).digest() + code)
        os.replace(temporary, place / name)
        _make_room(place)
    except OSError as error:
        if temporary is not None:
            with contextlib.suppress(OSError):
                os.unlink(temporary)
        _tell(f"{place}: {error.strerror or error}")


def _make_room(place: Path) -> None:
    """Removes the longest unused files beyond the bound, and what interrupted writers left behind."""
    files = []
    for path in place.iterdir():
        with contextlib.suppress(OSError):
            status = path.stat()
            files.append((status.st_mtime, status.st_size, path))
    files.sort(reverse=True)
    total = 0
    newest = files[0][0] if files else 0.0
    for modified, size, path in files:
        total += size
        abandoned = path.name.startswith(".new-") and newest - modified > 3600
        if total > LARGEST_TOTAL or abandoned:
            with contextlib.suppress(OSError):
                path.unlink()
