"""A line on stderr that shows how far a study is."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

from soadyn.progress import Bar, shown_progress
from soadyn.studies.status import Status


@contextlib.contextmanager
def shown_study(wanted: Any) -> Iterator[Callable[[Status], object] | None]:
    """The function to call after each chunk: the caller's own, one that draws a line, or None."""
    with shown_progress(wanted, "studying", "a Status") as shown:
        if isinstance(shown, Bar):
            bar = shown
            yield lambda status: bar.draw(status.done / status.rows, lambda _: str(status))
        else:
            yield shown  # type: ignore[misc]
