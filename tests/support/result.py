"""A row of the lists of the papers' results."""

from __future__ import annotations

from typing import NamedTuple


class Result(NamedTuple):
    """A result of a paper: its number, its test, the call that computes it, a remark; `open` says what is missing."""

    number: str
    test: str
    call: str
    remark: str = ""
    open: str = ""


def not_done(number: str, why: str) -> Result:
    """A result that is open, and why."""
    return Result(number, "", "", open=why)
