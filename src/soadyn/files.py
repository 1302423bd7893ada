"""Files written whole or not at all."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from soadyn.errors import ArgumentError


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
