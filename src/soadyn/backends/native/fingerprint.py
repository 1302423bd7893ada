"""What straight-line code depends on, as a hash that needs no tracing.

Two kernels with the same fingerprint have the same code: it covers soadyn's own sources and every value that goes into
a trace. A value whose content cannot be read, such as a function from elsewhere, has no fingerprint.
"""

from __future__ import annotations

import hashlib
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
    folder = Path(__file__).parents[2]
    files = sorted(folder.rglob("*.py"))
    if not files or any(file.stat().st_mtime > STARTED for file in files):
        return None
    found = hashlib.sha256(repr((sys.version, np.__version__)).encode())
    for file in files:
        found.update(str(file.relative_to(folder)).encode() + b"\0" + file.read_bytes())
    return found.digest()
