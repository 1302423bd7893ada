"""What machine code depends on, as a hash that needs no tracing; and answers that are kept by such a hash.

Two kernels with the same fingerprint have the same code: it covers soadyn's own sources and every value that goes into
a trace or a plan. A value whose content cannot be read, such as a function from elsewhere, has no fingerprint.
"""

from __future__ import annotations

import hashlib
import os
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np

from soadyn.engine.cache import code_cache
from soadyn.engine.cache.contents import Content, UnreadableError, content_hash
from soadyn.engine.constants.constants import Constants
from soadyn.fork_safe import made_once

# Sources that change after this moment are not those that were imported.
STARTED = time.time()
VERSIONS = (sys.version, sys.byteorder, np.__version__)


def fingerprint(*values: Any) -> str | None:
    """A hash of values and of the code that works on them; None if one of the values cannot be read."""
    own = _sources()
    if own is None:
        return None
    content = Content()
    try:
        content.add([_hashed(x) if isinstance(x, Constants) else x for x in values])
    except UnreadableError:
        return None
    return hashlib.sha256(own + b"\0".join(content.pieces)).hexdigest()


def cached(kind: str, depends: tuple[Any, ...], make: Callable[[], str]) -> str:
    """What `make` gives, or gave before for the same `kind` and `depends`, which is all that it depends on.

    >>> cached("example", (1, 2.0), lambda: "three")
    'three'
    """
    name = fingerprint(kind, *depends)
    kept = code_cache.found(name) if name else None
    if kept is None:
        kept = make().encode()
        if name:
            code_cache.keep(name, kept)
    return kept.decode()


def _hashed(constants: Constants) -> str:
    """The hash of a robot's constants, found once: they are many numbers, and asked for often."""
    found: str = constants.derived("hash", lambda: content_hash(constants))
    return found


@made_once
def _sources() -> bytes | None:
    """A hash of soadyn's sources and of the versions that run them; None if they are no files or have changed.

    Reading all of them takes a while, so the hash is kept under what the file system says of them: whatever changes a
    file changes that too.
    """
    folder = str(Path(__file__).parents[2])
    files = _listed(folder) if os.path.isdir(folder) else {}  # it is none in an archive
    if not files or any(stat.st_mtime > STARTED for stat in files.values()):
        return None
    place = hashlib.sha256(repr((folder, VERSIONS, _told(files))).encode()).hexdigest()
    kept = code_cache.found(place)
    if kept is None:
        kept = _read(folder, files)
        if _told(_listed(folder)) != _told(files):  # changed while they were read
            return None
        code_cache.keep(place, kept)
    return kept


def _listed(folder: str) -> dict[str, os.stat_result]:
    """The sources in a folder and below, in the order of their names, and what the file system says of each."""
    found: dict[str, os.stat_result] = {}
    waiting = [folder]
    while waiting:
        with os.scandir(waiting.pop()) as entries:
            for entry in entries:
                if entry.name.endswith(".py"):
                    found[entry.path] = entry.stat()
                elif entry.is_dir(follow_symlinks=False) and entry.name != "__pycache__":
                    waiting.append(entry.path)
    return dict(sorted(found.items()))


def _told(files: dict[str, os.stat_result]) -> list[tuple[Any, ...]]:
    return [(path, x.st_size, x.st_mtime_ns, x.st_ctime_ns, x.st_ino, x.st_dev) for path, x in files.items()]


def _read(folder: str, files: Iterable[str]) -> bytes:
    found = hashlib.sha256(repr(VERSIONS).encode())
    for path in files:
        found.update(path.removeprefix(folder).encode() + b"\0" + Path(path).read_bytes())
    return found.digest()
