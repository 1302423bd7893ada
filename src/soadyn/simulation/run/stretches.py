"""Stretches of equal steps, from record to record and from switch to switch."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from math import ceil
from typing import final

import numpy as np

from soadyn.simulation.drive.actuation import same_time
from soadyn.simulation.run.problem import Problem


def steps(problem: Problem) -> Iterator[tuple[float, float, float, bool]]:
    """The steps of a simulation one by one: when each begins, its length, when it ends, and whether a record is due."""
    records = set(problem.times.tolist())
    for begin, end in pairwise(problem.stops.tolist()):
        count = max(1, ceil((end - begin) / problem.step * (1 - 1e-9)))
        t = begin
        for i in range(1, count + 1):
            # The end comes from the step's number; a sum would drift.
            after = end if i == count else begin + (end - begin) * i / count
            yield t, (end - begin) / count, after, i == count and end in records
            t = after


@final
@dataclass(frozen=True, slots=True)
class Stretch:
    """Steps of one length: so many intervals of `count` steps each, whose ends are records or a single switch."""

    begin: float
    end: float
    intervals: int
    count: int
    recorded: bool

    @property
    def steps(self) -> int:
        return self.intervals * self.count

    @property
    def starts(self) -> np.ndarray:
        """The times at which the steps begin."""
        return self.begin + self.h * np.arange(self.steps)

    @property
    def h(self) -> float:
        return (self.end - self.begin) / self.steps


def stretches(problem: Problem, longest: int) -> Iterator[Stretch]:
    """The steps of a simulation, at most about `longest` in each stretch; roles change only between stretches."""
    times = problem.times
    switches = [t for t in problem.actuation.switches if t < times[-1]]
    stops = problem.stops
    spans, recorded = np.diff(stops), np.isin(stops[1:], times)
    counts = np.maximum(1, np.ceil(spans / problem.step * (1 - 1e-9))).astype(int)  # no step longer than problem.step
    begins = np.ones(len(spans), dtype=bool)
    begins[1:] = (counts[1:] != counts[:-1]) | (np.abs(np.diff(spans)) > 1e-9 * spans[:-1])
    begins[1:] |= ~recorded[1:] | ~recorded[:-1]
    for t in switches:
        begins |= same_time(stops[:-1], t)
    starts = [*np.flatnonzero(begins).tolist(), len(spans)]
    for first, end in pairwise(starts):
        count = int(counts[first])
        for i in range(first, end, max(1, longest // count)):
            last = min(end, i + max(1, longest // count))
            yield Stretch(float(stops[i]), float(stops[last]), last - i, count, bool(recorded[i]))
