"""Files to write: their suffix says what is written, and they appear whole or not at all."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import IO, Any

from soadyn.errors import ArgumentError


def target_file(path: Any, what: str, suffixes: Collection[str]) -> Path:
    """The path to write `what` to, checked before the work begins: a suffix that is known, in a folder that exists.

    >>> target_file("run.txt", "a trajectory", (".npz", ".csv"))
    Traceback (most recent call last):
    soadyn.errors.ArgumentError: cannot write a trajectory to 'run.txt': its suffix is '.txt'; expected .npz or .csv
    """
    target = path_of(path, f"cannot write {what}")
    if target.suffix.lower() not in suffixes:
        found = f"its suffix is {target.suffix!r}" if target.suffix else "it has no suffix"
        raise ArgumentError(f"cannot write {what} to {str(target)!r}: {found}; expected {_listed(suffixes)}")
    if not target.parent.is_dir():
        raise ArgumentError(f"cannot write {str(target)!r}: there is no folder {str(target.parent)!r}")
    return target


def path_of(path: Any, problem: str) -> Path:
    """The path of a file; numbers are refused, which Python would open as the files that have them."""
    if not isinstance(path, str | os.PathLike) or "\0" in str(path):
        raise ArgumentError(f"{problem}: expected the path of a file, got {path!r:.80}")
    return Path(path)


def _listed(suffixes: Collection[str]) -> str:
    *others, last = suffixes
    return f"{', '.join(others)} or {last}" if others else last


@contextlib.contextmanager
def whole_file(target: Path) -> Iterator[IO[bytes]]:
    """A file to write to beside the target, moved there in one go when the block ends without an error."""
    beside = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        with open(beside, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.replace(beside, target)
    except OSError as error:
        raise ArgumentError(f"cannot write {str(target)!r}: {error.strerror or error}") from None
    finally:
        with contextlib.suppress(OSError):
            beside.unlink(missing_ok=True)
