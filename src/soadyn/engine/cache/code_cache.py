"""Compiled code, and answers that take long to find, kept in memory and on disk.

A file's name is the hash of the LLVM text, or of all that the text depends on, with the processor and the versions of
llvmlite and LLVM; its content starts with the hash of the rest. Files appear whole, by renaming. Whatever goes wrong
costs a compilation or a search, never a wrong answer.
"""

from __future__ import annotations

import contextlib
import os
import tempfile

from soadyn.engine.cache.folder import (
    UNFINISHED,
    content_of,
    is_due,
    is_own,
    make_room,
    safe_folder,
    sealed,
    unsealed,
    warn_once,
)
from soadyn.fork_safe import making

# Bytes of code kept in memory for robots that are made again: enough for a few hundred kernels.
LARGEST_IN_MEMORY = 16 * 2**20
_memory: dict[str, bytes] = {}  # the longest unused first


def keep(name: str, code: bytes) -> None:
    """Keep something under a name, in memory and on disk."""
    with making:
        _to_disk(name, code)
        _remember(name, code)


def found(name: str) -> bytes | None:
    """Machine code, or what else was kept under a name."""
    with making:
        code = _memory.pop(name, None) or _from_disk(name)
        if code is not None:
            _remember(name, code)
    return code


def _remember(name: str, code: bytes) -> None:
    _memory[name] = code
    total = sum(map(len, _memory.values()))
    while total > LARGEST_IN_MEMORY:
        total -= len(_memory.pop(next(iter(_memory))))


def _from_disk(name: str) -> bytes | None:
    place = safe_folder()
    if place is None or not is_own(path := place / name):
        return None
    try:
        code = unsealed(name, content_of(path))
    except OSError:
        return None
    with contextlib.suppress(OSError):
        if code is None:
            path.unlink()
        else:
            os.utime(path)  # the longest unused are the first to go
    return code


def _to_disk(name: str, code: bytes) -> None:
    place = safe_folder()
    if place is None:
        return
    temporary = None
    try:
        handle, temporary = tempfile.mkstemp(dir=place, prefix=UNFINISHED)
        with os.fdopen(handle, "wb") as file:
            file.write(sealed(name, code))
        os.replace(temporary, place / name)
        if is_due(name, len(code)):
            make_room(place)
    except OSError as error:
        if temporary is not None:
            with contextlib.suppress(OSError):
                os.unlink(temporary)
        warn_once(f"{place}: {error.strerror or error}")
