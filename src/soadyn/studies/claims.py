"""Claims on chunks: of several drivers on one folder, one does each chunk.

A claim is a lock of the system on one byte of the file `claims`. The system lets it go when the process ends, however
that happens, so a claim is never left behind.
"""

from __future__ import annotations

import contextlib
import os
import struct
import sys
from pathlib import Path
from typing import final

from soadyn.studies.failures import StudyError

NAME = "claims"


@final
class Claims:
    """The claims that one driver holds; to be used in a `with` block."""

    def __init__(self, folder: Path) -> None:
        flags = os.O_RDWR | os.O_CREAT
        for name in ("O_CLOEXEC", "O_NOFOLLOW", "O_NONBLOCK"):  # no link leads elsewhere, no pipe blocks
            flags |= getattr(os, name, 0)
        try:
            self._file = os.open(folder / NAME, flags, 0o666)
        except OSError as error:
            raise StudyError(
                f"cannot write {str(folder / NAME)!r}: {error.strerror}; sd.studies.Study reads what is in the folder"
            ) from None

    def __enter__(self) -> Claims:
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._file)

    def take(self, number: int) -> bool:
        """Claim a chunk; False if another driver has it."""
        try:
            self._lock(number, held=True)
        except OSError:
            return False
        return True

    def free(self, number: int) -> None:
        """Let a chunk go."""
        with contextlib.suppress(OSError):
            self._lock(number, held=False)

    def _lock(self, number: int, held: bool) -> None:
        if sys.platform == "win32":  # nothing tells drivers apart there: a folder is for one at a time
            return
        import fcntl

        kind = fcntl.F_WRLCK if held else fcntl.F_UNLCK
        if hasattr(fcntl, "F_OFD_SETLK"):  # of the open file: two studies in one process keep apart as well
            fcntl.fcntl(self._file, fcntl.F_OFD_SETLK, struct.pack("hhqqi4x", kind, os.SEEK_SET, number, 1, 0))
        else:
            fcntl.lockf(self._file, (fcntl.LOCK_EX | fcntl.LOCK_NB) if held else fcntl.LOCK_UN, 1, number)
