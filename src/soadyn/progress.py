"""A bar on stderr that shows how far a simulation or a study is."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any, Literal

from soadyn.errors import ArgumentError

Progress = Callable[[float, float], object]
ProgressLike = bool | Literal["always"] | Progress | None
Told = tuple[float, str]  # a share of the whole, and words
WIDTH = 30  # characters of the bar
EVERY = 0.1  # seconds between two drawings


def of_time(t: float, duration: float) -> Told:
    """How far a simulation is."""
    return t / duration, f"{t:.4g} of {duration:g} s"


@contextlib.contextmanager
def shown_progress(
    wanted: Any, words: str = "simulating", takes: str = "(t, duration)", told: Callable[..., Told] = of_time
) -> Iterator[Callable[..., object] | None]:
    """The function to call after each step: the caller's own, one that draws a bar of what is `told`, or None.

    True draws a bar where stderr is a terminal, "always" draws it anyway, as notebooks need; at most ten times a
    second. However the block ends, the bar is taken away.
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
    from rich.console import Console
    from rich.progress import BarColumn, TaskProgressColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bars

    columns = TextColumn("{task.description}"), BarColumn(WIDTH), TaskProgressColumn(), TimeRemainingColumn()
    console = Console(file=stream, force_terminal=True, force_jupyter=False)
    console.on_broken_pipe = lambda: None  # type: ignore[method-assign]  # else it would exit
    # Without a thread of its own: processes may be forked while a bar is shown.
    bars = Bars(
        *columns, console=console, transient=True, auto_refresh=False, redirect_stdout=False, redirect_stderr=False
    )
    task, drawn = bars.add_task(words, total=1.0), time.monotonic()

    def draw(*done: Any) -> None:
        nonlocal drawn
        if (now := time.monotonic()) - drawn >= EVERY:
            drawn = now
            share, said = told(*done)
            bars.update(task, completed=share, description=f"{words}: {said}")
            with contextlib.suppress(OSError, ValueError):  # a closed terminal is no reason to lose a simulation
                bars.refresh()

    with contextlib.suppress(OSError, ValueError):
        bars.start()
    try:
        yield draw
    finally:
        with contextlib.suppress(OSError, ValueError):
            bars.stop()
