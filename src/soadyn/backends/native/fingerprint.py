"""What machine code depends on, as a hash that needs no tracing.

Two kernels with the same fingerprint have the same code: it covers soadyn's own sources and every value that goes into
a trace or a plan. A value whose content cannot be read, such as a function from elsewhere, has no fingerprint.
"""

from __future__ import annotations

import hashlib
import os
import sys
import time
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from soadyn.backends.contents import Content, UnreadableError

# Sources that change after this moment are not those that were imported.
STARTED = time.time()


def fingerprint(*values: Any) -> str | None:
    """A hash of values and of the code that works on them; None if one of the values cannot be read."""
    own = _sources()
    if own is None:
        return None
    content = Content()
    try:
        content.add(values)
    except UnreadableError:
        return None
    return hashlib.sha256(own + b"\0".join(content.pieces)).hexdigest()


@cache
def _sources() -> bytes | None:
    """A hash of soadyn's sources and of the versions that run them; None if they are no files or have changed."""
    folder = str(Path(__file__).parents[2])
    files = sorted(os.path.join(at, name) for at, _, names in os.walk(folder) for name in names if name.endswith(".py"))
    found = hashlib.sha256(repr((sys.version, np.__version__)).encode())
    for path in files:
        with open(path, "rb", buffering=0) as file:
            if os.fstat(file.fileno()).st_mtime > STARTED:
                return None
            found.update(path.removeprefix(folder).encode() + b"\0" + file.read())
    return found.digest() if files else None
