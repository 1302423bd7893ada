"""A study's work: chunks of rows computed, reduced, and made into the bytes of a file."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from soadyn.engine.engine import computing_processor, one_thread
from soadyn.fork_safe import cached_property
from soadyn.studies.chunk_files import Chunk, Shapes, packed
from soadyn.studies.designs import Design
from soadyn.studies.failures import StudyError, failures_of
from soadyn.studies.reductions import REDUCTIONS, Node, Reduction
from soadyn.studies.scenario import Compute, Outputs, Reasons, Scenario, in_parts, with_infinite_rows
from soadyn.studies.seeds import row_seeds
from soadyn.studies.trees import combined

PIECE = 16  # leaves that are computed together: large enough for kernels, small enough for caches
Nodes = dict[str, Node]  # by "measure reduction"


@final
@dataclass(frozen=True, slots=True)
class Done:
    """A finished chunk as it is told to the driver: its number, how it went, and its file's bytes."""

    number: int
    rows: int
    failed: int
    seconds: float
    content: bytes


@final
class Job:
    """What computes any rows of a study; it is sent to each worker once."""

    def __init__(self, scenario: Scenario, design: Design, identity: str) -> None:
        self.scenario, self.design, self.identity = scenario, design, identity

    def __getstate__(self) -> dict[str, Any]:
        return {name: self.__dict__[name] for name in ("scenario", "design", "identity")}

    @cached_property
    def compute(self) -> Compute:
        """Rows to measures; made once in each process, kernels included."""
        return self.scenario.bound(self.design.shapes)

    def chunk(self, number: int, begin: int, end: int, stopped: Callable[[], bool] = lambda: False) -> Done:
        """The rows from begin to end, computed by the current thread alone; `stopped` tells that nobody wants them."""
        start = time.perf_counter()
        nodes: list[Nodes] = []
        shapes: Shapes = {}

        def piece(first: int, last: int) -> tuple[Outputs, Reasons]:
            outputs, failed = self.rows(first, last, stopped)
            shapes.update({name: x.shape[1:] for name, x in outputs.items()})
            nodes.append(self.reduced(outputs, failed, first, last))
            return outputs if self.scenario.keep else {}, failed

        with one_thread():
            step = PIECE * self.scenario.leaf if self.scenario.leaf > 1 else end - begin
            kept, reasons = in_parts(piece, begin, end, step)
        seconds = time.perf_counter() - start
        chunk = Chunk(
            self.identity,
            number,
            begin,
            end,
            seconds,
            computing_processor(),
            shapes,
            kept,
            combined(nodes, self.merged),
            failures_of({begin + row: reason for row, reason in reasons.items()}),
        )
        return Done(number, end - begin, len(reasons), seconds, packed(chunk))

    def rows(self, begin: int, end: int, stopped: Callable[[], bool] = lambda: False) -> tuple[Outputs, Reasons]:
        """The measures of rows, and why some have none; no more rows at once than memory allows."""

        def computed(first: int, last: int) -> tuple[Outputs, Reasons]:
            if stopped():
                raise StudyError("the study was closed while these rows were computed")
            seeded, count = self.scenario.seeded, last - first
            seeds = row_seeds(self.design.seed, first, last) if seeded else np.zeros(count, np.uint64)
            return self.compute(self.design.values(first, last), seeds)

        outputs, reasons = in_parts(computed, begin, end, self.scenario.at_once)
        return outputs, with_infinite_rows(outputs, reasons)

    def reduced(self, outputs: Outputs, failed: Reasons, begin: int, end: int) -> Nodes:
        """The nodes of rows' measures."""
        good = np.ones(end - begin, dtype=bool)
        good[list(failed)] = False
        return {
            f"{name} {kind}": reduction.of(x.reshape(len(x), -1), good, begin, self.scenario.leaf)
            for name, x in outputs.items()
            for kind, reduction in self.reductions(name).items()
        }

    def reductions(self, measure: str) -> dict[str, Reduction]:
        """The reductions of a measure by kind; quantiles of rows that are kept are exact and need no sketch."""
        wanted = [kind for kind in self.scenario.reduce if kind != "quantiles" or not self.scenario.keep]
        found: dict[str, Reduction] = {kind: REDUCTIONS[kind] for kind in wanted}
        if measure in self.scenario.histograms:
            found["histogram"] = self.scenario.histograms[measure]
        return found

    def merged(self, a: Nodes, b: Nodes) -> Nodes:
        """Two nodes of every measure made into one; a measure that failed in all rows of one side has none there."""
        nodes = {**a, **b}
        for key in a.keys() & b.keys():
            measure, _, kind = key.rpartition(" ")
            nodes[key] = self.reductions(measure)[kind].merged(a[key], b[key])
        return nodes
