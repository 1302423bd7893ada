"""What every scenario of a study says: how its rows are computed, and what is kept of them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping
from typing import Any

import numpy as np

from soadyn.errors import ArgumentError, SingularError, SoadynError, check_name
from soadyn.robot.arguments.plain_values import flag
from soadyn.studies.labels import Entries
from soadyn.studies.reductions import REDUCTIONS, Histogram

Values = Mapping[str, np.ndarray]
Outputs = dict[str, np.ndarray]  # measures by name, (rows, ...)
Reasons = dict[int, str]  # why rows have no answer, by their place among those computed
Compute = Callable[[Values, np.ndarray], tuple[Outputs, Reasons]]
OF_ROWS: tuple[type[Exception], ...] = (SingularError, ArgumentError)
NOT_FINITE = "the measure {!r} is not finite"


class Scenario(ABC):
    """What is done with each row of parameters.

    leaf: how many rows are reduced together; a chunk has a power of two times as many.
    at_once: how many rows one call computes at most, to bound memory.
    in_processes: whether it runs in processes of its own, rather than in threads of this one.
    seeded: whether it takes the rows' seeds.
    """

    leaf = 1024
    at_once = 1 << 16
    in_processes = False
    seeded = False

    def __init__(self, keep: bool, reduce: Any, histograms: Any) -> None:
        own = type(self).__name__
        self.keep = flag("keep", keep)
        names = isinstance(reduce, Collection) and all(isinstance(name, str) for name in reduce)
        if isinstance(reduce, str) or not names:
            raise ArgumentError(f"{own}: reduce takes names such as ('moments', 'extremes'), got {reduce!r:.80}")
        for name in reduce:
            check_name("reduction", name, REDUCTIONS)
        self.reduce = tuple(name for name in REDUCTIONS if name in reduce)
        histograms = {} if histograms is None else histograms
        if not isinstance(histograms, Mapping) or not all(isinstance(x, Histogram) for x in histograms.values()):
            raise ArgumentError(f"{own}: histograms are a dict of Histogram by measure, got {histograms!r:.80}")
        self.histograms: dict[str, Histogram] = dict(histograms)
        if not (self.keep or self.reduce or self.histograms):
            raise ArgumentError(f"{own}: with keep=False and no reductions nothing would be left of the study")

    @abstractmethod
    def bound(self, shapes: Mapping[str, tuple[int, ...]]) -> Compute:
        """A function of rows' parameters and seeds; what is made once for all rows is made here."""

    @abstractmethod
    def content(self) -> tuple[Any, ...]:
        """All that results depend on, for the study's identity."""

    def labels(self, parameters: Collection[str]) -> dict[str, Entries]:
        """Names and units of measures' and parameters' entries, as far as they are known."""
        return {}

    def about(self) -> dict[str, Any]:
        """What a reader wants to know of the scenario, as texts; results do not depend on it."""
        return {"kind": type(self).__name__}

    def kept(self) -> tuple[Any, ...]:
        """What of the content all scenarios share."""
        return (self.keep, self.reduce, {name: x.content() for name, x in sorted(self.histograms.items())})


def by_halves(
    compute: Compute,
    values: Values,
    seeds: np.ndarray,
    of_rows: tuple[type[Exception], ...] = OF_ROWS,
    every: bool = True,
) -> tuple[Outputs, Reasons]:
    """The outputs of all rows. If a row makes a call fail, each half is tried again, until that row is alone.

    `of_rows` are the errors that a row can cause. An argument that the first and the last of `every` row complain of in
    the same words is wrong for all of them: that error is raised.
    """

    def some(begin: int, end: int) -> tuple[Outputs, Reasons]:
        half = {name: x[begin:end] for name, x in values.items()}
        return by_halves(compute, half, seeds[begin:end], of_rows, every=False)

    count = len(seeds)
    try:
        return compute(values, seeds)
    except of_rows as error:
        if count == 1:
            return {}, {0: told(error)}
        if every and isinstance(error, ArgumentError):
            ends = [some(k, k + 1)[1].get(0) for k in (0, count - 1)]
            if ends == [told(error)] * 2:
                raise
    return in_parts(some, 0, count, -(-count // 2))


def told(error: Exception) -> str:
    """An error as a row's reason."""
    return str(error) if isinstance(error, SoadynError) else f"{type(error).__name__}: {error}"


def in_parts(
    compute: Callable[[int, int], tuple[Outputs, Reasons]], begin: int, end: int, step: int
) -> tuple[Outputs, Reasons]:
    """What rows give that are computed so many at once; NaN where a part has no outputs. Reasons count from `begin`."""
    parts: list[tuple[Outputs, int]] = []
    reasons: Reasons = {}
    for first in range(begin, end, step):
        last = min(first + step, end)
        outputs, failed = compute(first, last)
        parts.append((outputs, last - first))
        reasons |= {first - begin + row: reason for row, reason in failed.items()}
    if len(parts) == 1:
        return parts[0][0], reasons
    known = {name: x.shape[1:] for outputs, _ in parts for name, x in outputs.items()}
    joined = {
        name: np.concatenate(
            [outputs[name] if name in outputs else np.full((count, *shape), np.nan) for outputs, count in parts]
        )
        for name, shape in known.items()
    }
    return joined, reasons


def with_infinite_rows(outputs: Outputs, reasons: Reasons) -> Reasons:
    """The reasons, and one for each further row that has a number which is not finite."""
    found: Reasons = {}
    for name, x in outputs.items():
        bad = ~np.isfinite(x.reshape(len(x), -1)).all(axis=1)
        if bad.any():
            found |= {row: NOT_FINITE.format(name) for row in np.flatnonzero(bad).tolist() if row not in found}
    return found | reasons
