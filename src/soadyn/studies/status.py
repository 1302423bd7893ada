"""How far a study is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final


@final
@dataclass(frozen=True, slots=True)
class Status:
    """How far a study is; `print` it.

    rows, done     how many rows there are, and how many are done
    chunks         how many chunks are done, and how many there are
    failed         rows that are done and have no answer
    rate           rows in a second, in the last run; 0 before it
    processors     the processors that computed chunks; of more than one kind, bits may differ
    ignored        what lies among the chunks and is none: copies under other names, files of others

    >>> print(Status(rows=1000, done=250, chunks=(1, 4), failed=3, rate=100.0, processors=("znver4",)))
    250 of 1,000 rows (1 of 4 chunks), 3 failed, 100 rows/s, 8 s left
    """

    rows: int
    done: int
    chunks: tuple[int, int]
    failed: int
    rate: float
    processors: tuple[str, ...] = ()
    ignored: tuple[str, ...] = ()

    @property
    def complete(self) -> bool:
        """Is every row done?"""
        return self.done == self.rows

    @property
    def seconds_left(self) -> float:
        """At the rate of the last run."""
        return (self.rows - self.done) / self.rate if self.rate else float("inf")

    def __str__(self) -> str:
        words = [f"{self.done:,} of {self.rows:,} rows ({self.chunks[0]} of {self.chunks[1]} chunks)"]
        words += [f"{self.failed:,} failed"] if self.failed else []
        words += [f"{self.rate:.3g} rows/s"] if self.rate else []
        words += [f"{self.seconds_left:.0f} s left"] if self.rate and not self.complete else []
        if len(self.processors) > 1:
            words.append(f"chunks from {len(self.processors)} kinds of processors: {', '.join(self.processors)}")
        if self.ignored:
            more = f" and {len(self.ignored) - 1} more" if len(self.ignored) > 1 else ""
            words.append(f"no chunks, ignored: {self.ignored[0]!r}{more}")
        return ", ".join(words)
