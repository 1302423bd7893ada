"""Files that appear whole or not at all."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable
from os import PathLike
from pathlib import Path
from typing import BinaryIO

from soadyn.errors import ArgumentError


def write_whole(path: str | PathLike[str], write: Callable[[BinaryIO], object]) -> Path:
    """Let `write` fill a file beside the target, then move it there in one go.

    >>> write_whole("no/such/folder/page.html", lambda file: file.write(b"text"))
    Traceback (most recent call last):
    soadyn.errors.ArgumentError: cannot write 'no/such/folder/page.html': No such file or directory
    """
    target = Path(path)
    beside = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        with open(beside, "wb") as file:
            write(file)
            file.flush()
            os.fsync(file.fileno())
        os.replace(beside, target)
    except OSError as error:
        raise ArgumentError(f"cannot write {str(target)!r}: {error.strerror or error}") from None
    finally:
        with contextlib.suppress(OSError):
            beside.unlink(missing_ok=True)
    return target
