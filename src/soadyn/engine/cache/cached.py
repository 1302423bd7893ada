"""Answers that take a while to find, kept on disk beside machine code."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from soadyn.engine.cache.code_cache import found, keep
from soadyn.engine.cache.fingerprint import fingerprint


def kept_answer(find: Callable[[], str], *depends: Any) -> str:
    """What `find` says, unless it said so before; `depends` is all that its answer depends on.

    >>> kept_answer(lambda: "yes", "is this an example?")
    'yes'
    """
    question = fingerprint(*depends)
    kept = found(question) if question else None
    if kept is None:
        kept = find().encode()
        if question:
            keep(question, kept)
    return kept.decode()
