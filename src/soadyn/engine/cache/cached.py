"""What takes long to find is found once: kept in memory and on disk, by all that it depends on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from soadyn.engine.cache.code_cache import found, keep
from soadyn.engine.cache.fingerprint import fingerprint


def cached(kind: str, depends: tuple[Any, ...], make: Callable[[], str]) -> str:
    """What `make` gives, or gave before for the same `kind` and `depends`, which is all that it depends on.

    >>> cached("example", (1, 2.0), lambda: "three")
    'three'
    """
    name = fingerprint(kind, *depends)
    kept = found(name) if name else None
    if kept is None:
        kept = make().encode()
        if name:
            keep(name, kept)
    return kept.decode()
