"""A line on stderr that shows how far a simulation is."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any, Literal, TextIO, final

from soadyn.errors import ArgumentError

Progress = Callable[[float, float], object]
ProgressLike = bool | Literal["always"] | Progress | None
WIDTH = 30  # characters of the bar
EVERY = 0.1  # seconds between two drawings


@final
class Bar:
    """Draws `simulating [######        ]  43 %  2.15 of 5 s, 3 s left` over itself, at most ten times a second."""

    def __init__(self, words: str, stream: TextIO) -> None:
        self._words, self._stream = words, stream
        self._began = self._drawn = time.monotonic()
        self._length = 0

    def __call__(self, t: float, duration: float) -> None:
        self.draw(t / duration, lambda passed: f"{t:.4g} of {duration:g} s, {passed * (duration - t) / t:.0f} s left")

    def draw(self, share: float, words: Callable[[float], str]) -> None:
        """Draw the bar for a share of the whole, with words after it that may tell of the seconds passed."""
        now = time.monotonic()
        if now - self._drawn < EVERY:
            return
        self._drawn = now
        bar = "#" * round(WIDTH * share)
        line = f"{self._words} [{bar:{WIDTH}}] {share:4.0%}  {words(now - self._began)}"
        self._write(f"\r{line:{self._length}}")
        self._length = len(line)

    def clear(self) -> None:
        """Take the bar away, so that what is printed next begins a line."""
        if self._length:
            self._write(f"\r{'':{self._length}}\r")
            self._length = 0

    def _write(self, text: str) -> None:
        with contextlib.suppress(OSError, ValueError):  # a closed terminal is no reason to lose a simulation
            self._stream.write(text)
            self._stream.flush()


@contextlib.contextmanager
def shown_progress(
    wanted: ProgressLike, words: str = "simulating", takes: str = "(t, duration)"
) -> Iterator[Progress | Bar | None]:
    """The function to call after each step: the caller's own, a bar, or None.

    True draws a bar where stderr is a terminal, "always" draws it anyway, as notebooks need. However the block ends,
    the bar is taken away.
    """
    if callable(wanted) or wanted is None or wanted is False:
        yield wanted or None
        return
    always = isinstance(wanted, str) and wanted == "always"
    if not always and wanted is not True:
        raise ArgumentError(f'progress takes True, False, "always" or a function of {takes}, got {wanted!r:.80}')
    stream: Any = sys.stderr  # None where Python runs without a console
    if stream is None or stream.closed or not (always or stream.isatty()):
        yield None
        return
    bar = Bar(words, stream)
    try:
        yield bar
    finally:
        bar.clear()
