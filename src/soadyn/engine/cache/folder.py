"""The folder that compiled code is kept in, and which of its files are soadyn's.

SOADYN_CACHE names another folder than the usual one, or is "off". The folder must be the user's alone, no symbolic
link, and hold nothing of others unless it is the usual one. Nothing but files of soadyn's own naming and content is
ever removed; the longest unused go when there are too many bytes.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import stat
from pathlib import Path

from soadyn.errors import warn_caller
from soadyn.files import read_regular

LARGEST_TOTAL = 256 * 2**20
LARGEST_FILE = LARGEST_TOTAL
LOOK_EVERY = LARGEST_TOTAL // 16  # bytes written between two looks whether there is room
ABANDONED = 3600.0  # seconds after which an unfinished file is taken for that of a process that died
UNFINISHED = ".soadyn-new-"
HASH_BYTES = 32
_OWN_NAME = re.compile(rf"[0-9a-f]{{{2 * HASH_BYTES}}}|{re.escape(UNFINISHED)}\w+")

_warned: set[str] = set()
_accepted: set[tuple[int, int]] = set()  # device and inode of folders that held nothing of others


def folder() -> Path | None:
    """Where compiled code is kept; None if it is not."""
    wanted = os.environ.get("SOADYN_CACHE", "")
    if wanted:
        return None if wanted == "off" else Path(wanted)
    home = os.environ.get("XDG_CACHE_HOME", "")
    try:
        return (Path(home) if home else Path.home() / ".cache") / "soadyn"
    except RuntimeError:  # no home
        return None


def warn_once(problem: str) -> None:
    """Warn that nothing is kept, once for each reason."""
    if problem not in _warned:
        _warned.add(problem)
        warn_caller(f"soadyn keeps no compiled code on disk: {problem}", RuntimeWarning)


def safe_folder() -> Path | None:
    """The folder, made if need be; None, with a warning, unless it may be used."""
    place = folder()
    if place is None:
        return None
    if problem := why_not(place):
        warn_once(f"{place}: {problem}")
        return None
    return place


def why_not(place: Path) -> str:
    """Why nothing can be kept in a folder; empty if something can. The folder is made if need be."""
    try:
        return _problem(place)
    except OSError as error:
        return error.strerror or str(error)


def _problem(place: Path) -> str:
    """Why a folder cannot be used; empty if it can."""
    if place.is_symlink():
        return "a symbolic link; name the folder itself"
    place.mkdir(mode=0o700, parents=True, exist_ok=True)
    status = place.lstat()
    if hasattr(os, "getuid") and (status.st_uid != os.getuid() or stat.S_IMODE(status.st_mode) & 0o022):
        return "must belong to the user alone (mode 0700)"
    which = status.st_dev, status.st_ino
    if os.environ.get("SOADYN_CACHE") and which not in _accepted:
        other = next((path.name for path in place.iterdir() if not _OWN_NAME.fullmatch(path.name)), None)
        if other is not None:
            return f"holds {other!r}, which is not soadyn's; name a new or empty folder"
        _accepted.add(which)
    return ""


def is_own(path: Path) -> bool:
    """Is it a file of soadyn's naming that belongs to the user, and no symbolic link?"""
    if not _OWN_NAME.fullmatch(path.name):
        return False
    try:
        status = path.lstat()
    except OSError:
        return False
    return stat.S_ISREG(status.st_mode) and (not hasattr(os, "getuid") or status.st_uid == os.getuid())


def sealed(name: str, code: bytes) -> bytes:
    """What is written for machine code: its seal, then the code.

    The seal is a hash of name and code. The name is one of everything that the code depends on, versions and processor
    among it: code under another name is another function, or one for another machine.
    """
    return _seal(name, code) + code


def unsealed(name: str, content: bytes) -> bytes | None:
    """The machine code in the content of a file of that name; None if it is damaged, another file's or not soadyn's."""
    code = content[HASH_BYTES:]
    return code if _seal(name, code) == content[:HASH_BYTES] else None


def _seal(name: str, code: bytes) -> bytes:
    return hashlib.sha256(name.encode() + b"\0" + code).digest()


def content_of(path: Path) -> bytes:
    """The bytes of a file in the folder, a regular one; an `OSError` says what is there instead."""
    return read_regular(path, LARGEST_FILE)


def is_due(name: str, size: int) -> bool:
    """Is it time to look whether there is room, after so many bytes were written under a name?

    Looking through ten thousand files takes far longer than writing one, so it is done about once for so many bytes, by
    whatever processes they are written: the name, a hash, draws the lot.
    """
    return int(name[:8], 16) * LOOK_EVERY < size << 32


def make_room(place: Path) -> None:
    """Remove the longest unused files beyond the bound, and what processes that died left unfinished."""
    files = []
    for path in filter(is_own, place.iterdir()):
        with contextlib.suppress(OSError):
            status = path.stat()
            files.append((status.st_mtime, status.st_size, path))
    files.sort(reverse=True)
    total = 0
    for modified, size, path in files:
        total += size
        with contextlib.suppress(OSError):
            if path.name.startswith(UNFINISHED):
                if files[0][0] - modified > ABANDONED:
                    path.unlink()
            elif total > LARGEST_TOTAL and unsealed(path.name, content_of(path)) is not None:
                path.unlink()
