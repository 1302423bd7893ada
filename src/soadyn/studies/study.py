"""`sd.run_study`: a scenario for every row of a design, in a folder, resumed where it was left."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Literal, final

import numpy as np

from soadyn.engine.host import machine_memory
from soadyn.errors import ArgumentError
from soadyn.progress import shown_progress
from soadyn.robot.arguments.plain_values import flag, whole
from soadyn.studies import plotting
from soadyn.studies.chunk_files import Chunk, Shapes
from soadyn.studies.claims import Claims
from soadyn.studies.designs import Design
from soadyn.studies.driver import Driver, measured_chunk
from soadyn.studies.failures import StudyError, joined
from soadyn.studies.folders import Folder, StudyPlan, planned
from soadyn.studies.jobs import Done, Job, Nodes
from soadyn.studies.pools import Pool, pool_for
from soadyn.studies.results import StudyResults, Summary
from soadyn.studies.scenario import Scenario
from soadyn.studies.scenario_function import Function
from soadyn.studies.status import Status
from soadyn.studies.trees import Tree
from soadyn.view.display.picture import Picture

Progress = bool | Literal["always"] | Callable[[Status], object]


def run_study(
    scenario: Scenario | Callable[..., Any],
    parameters: Design,
    folder: str | os.PathLike[str],
    client: Any = None,
    *,
    workers: int | None = None,
    processes: bool | None = None,
    chunk: int | None = None,
    progress: Progress = True,
) -> Study:
    """Compute a scenario for every row of parameters; what is finished stays in the folder, whatever happens.

    scenario: `sd.studies.Simulation`, `sd.studies.Quantities`, or a Python function of a row's parameters (see
        `sd.studies.Function`).
    parameters: `sd.studies.Grid`, `Table`, `Random`, `LatinHypercube` or `Sobol`.
    folder: where chunks are written. If it holds chunks of this study they are not computed again; a folder of
        another study is refused.
    client: a `dask.distributed.Client`, to compute on its workers.
    workers: threads, or processes of a Python function; as many as there are processors by default.
    processes: compute in processes of their own, or in threads; by default Python functions have processes.
    chunk: rows of a chunk; by default as many as take about a second, by a trial.
    progress: True shows a line on stderr where that is a terminal, "always" shows it anyway; a function is called with
        the `Status` after every chunk.

    Ctrl-C finishes the chunks under way and returns; `status.complete` tells. Several drivers may work on one folder.
    `sd.studies.Study(scenario, parameters, folder)` opens a study and computes nothing.

    >>> import soadyn as sd
    >>> from soadyn.studies import LatinHypercube, Measure, Simulation
    >>> arm = sd.load("planar_two_link")
    >>> fall = Simulation(arm, {"speed": Measure("v", norm=True, over="largest")}, duration=0.2, step=0.01)
    >>> masses = LatinHypercube({"link1.mass": (0.8, 1.2), "q0.joint1": (-0.1, 0.1)}, rows=100, seed=1)
    >>> done = sd.run_study(fall, masses, folder="falls")
    >>> done.status.complete, done.results.values["speed"].shape
    (True, (100,))
    >>> bool(done.results.summary["speed"].mean > 0)
    True
    """
    return Study(scenario, parameters, folder, chunk).run(
        client, workers=workers, processes=processes, progress=progress
    )


def _checked_chunk(chunk: Any, leaf: int) -> int | None:
    """Rows of a chunk: a power of two times the leaf's, so that chunks are nodes of the reductions' tree."""
    if chunk is None:
        return None
    rows = whole("study: chunk", chunk, 1, 2**40)
    if rows % leaf or (rows // leaf).bit_count() != 1:
        raise ArgumentError(f"study: chunk must be {leaf} times a power of two, got {chunk}")
    return rows


@final
class Study:
    """A scenario, its parameters and the folder in which it is done; arguments are those of `sd.run_study`.

    >>> from soadyn.studies import Grid, Study
    >>> squares = Study(lambda row: row["x"] ** 2, Grid({"x": [1.0, 2.0, 3.0]}), "squares")
    >>> squares.status.rows, squares.run(processes=False, progress=False).results.values["result"].tolist()
    (3, [1.0, 4.0, 9.0])
    """

    def __init__(
        self,
        scenario: Scenario | Callable[..., Any],
        parameters: Design,
        folder: str | os.PathLike[str],
        chunk: int | None = None,
    ) -> None:
        if not isinstance(scenario, Scenario):
            if not callable(scenario):
                raise ArgumentError(
                    f"Study takes a scenario, or a function of a row's parameters; got {scenario!r:.80}"
                )
            scenario = Function(scenario)
        if not isinstance(parameters, Design):
            raise ArgumentError(
                f"Study takes parameters as sd.studies.Grid, Table, Random, LatinHypercube or Sobol; "
                f"got {parameters!r:.80}"
            )
        self.scenario, self.design, self._folder = scenario, parameters, Folder(folder)
        self._chunk = _checked_chunk(chunk, scenario.leaf)
        self._wanted = planned(scenario, parameters, self._chunk or scenario.leaf)
        self._job = Job(scenario, parameters, self._wanted.identity)
        self._job.compute  # noqa: B018  names and shapes are checked before anything is begun
        self._rate = 0.0
        held = self._folder.plan
        if held is not None:
            self._check(held)

    @property
    def folder(self) -> Path:
        """Where the chunks are."""
        return self._folder.path

    @property
    def about(self) -> dict[str, Any]:
        """What the study is, in words: scenario, measures, parameters with their distributions, rows, seed.

        `study.json` in the folder has the same, for those who find it.
        """
        return {"scenario": self.scenario.about(), "parameters": self.design.about()}

    def _check(self, held: StudyPlan) -> StudyPlan:
        differs = self._wanted.other_than(held)
        if differs:
            raise StudyError(
                f"the folder {str(self.folder)!r} holds another study, with other {differs}; take another folder"
            )
        return held

    @property
    def _plan(self) -> StudyPlan:
        held = self._folder.plan
        if held is None:
            raise StudyError(f"the study in {str(self.folder)!r} has not begun; call run()")
        return self._check(held)

    def run(
        self,
        client: Any = None,
        *,
        workers: int | None = None,
        processes: bool | None = None,
        progress: Progress = True,
    ) -> Study:
        """Do what is missing; arguments are those of `sd.run_study`."""
        processes = None if processes is None else flag("study: processes", processes)
        count = os.cpu_count() or 1 if workers is None else whole("study: workers", workers, 1, 10_000)
        pool = pool_for(self._job, client, count, processes)
        try:
            with shown_progress(progress, "studying", "a Status", _told) as tell:
                self._run(pool, tell)
        finally:
            pool.close()
        return self

    def _run(self, pool: Pool, tell: Callable[[Status], object] | None) -> None:
        held = self._folder.plan
        if held is None:
            self._folder.check_new()
            chunk = self._chunk or measured_chunk(pool, self.scenario, self.design)
            held = self._folder.begin(planned(self.scenario, self.design, chunk), self.about)
        plan = self._check(held)
        with Claims(self._folder.path) as claims:
            self._folder.drop_damaged(plan, claims)
            before = len(self._folder.present(plan))
            begin, chunks, rows, failed = time.monotonic(), 0, 0, 0

            def told(done: Done) -> None:
                nonlocal chunks, rows, failed
                chunks, rows, failed = chunks + 1, rows + done.rows, failed + done.failed
                self._rate = rows / max(time.monotonic() - begin, 1e-9)
                if tell is not None:
                    finished = min(before * plan.chunk + rows, plan.rows)
                    tell(Status(plan.rows, finished, (before + chunks, plan.chunks), failed, self._rate))

            Driver(self._folder, plan, pool, claims, told).run()

    @property
    def status(self) -> Status:
        """How far the study is, from the files in its folder."""
        if self._folder.plan is None:
            return Status(self.design.rows, 0, (0, 0), 0, 0.0)
        plan = self._plan
        rows, failed, count, processors = 0, 0, 0, set()
        for chunk in self.chunks():
            rows, failed, count = rows + chunk.end - chunk.begin, failed + len(chunk.failures), count + 1
            processors.add(chunk.processor[0])
        others = tuple(str(path.relative_to(self.folder)) for path in self._folder.contents(plan)[1])
        return Status(plan.rows, rows, (count, plan.chunks), failed, self._rate, tuple(sorted(processors)), others)

    def chunks(self) -> Iterator[Chunk]:
        """The finished chunks one after the other, checked; for studies whose rows do not fit into memory."""
        plan = self._plan
        for number in self._folder.present(plan):
            yield self._folder.read(number, plan)

    @property
    def results(self) -> StudyResults:
        """What came of the rows that are done, read from the folder."""
        plan = self._plan
        tree, failures, done = Tree(self._job.merged), [], 0
        values: dict[str, np.ndarray] = {}
        shapes: Shapes = {}
        for chunk in self.chunks():
            tree.add(chunk.nodes)
            failures.append(chunk.failures)
            shapes |= chunk.shapes
            done += chunk.end - chunk.begin
            for name, x in chunk.kept.items():
                if name not in values:
                    values[name] = _room(plan.rows, x)
                values[name][chunk.begin : chunk.end] = x
        failed = joined(failures)
        reduced = self._reduced(tree.top() or {}, shapes, values, failed.rows)
        labels = self.scenario.labels(self.design.names)
        return StudyResults(self.design, values, reduced, failed, done == self.design.rows, labels)

    def _reduced(
        self, nodes: Nodes, shapes: Shapes, values: dict[str, np.ndarray], failed: np.ndarray
    ) -> dict[str, Summary]:
        found = {}
        for name in dict.fromkeys(key.rpartition(" ")[0] for key in nodes):
            own = {key.rpartition(" ")[2]: node for key, node in nodes.items() if key.rpartition(" ")[0] == name}
            rows = values.get(name)
            if rows is not None:
                good = np.isfinite(rows.reshape(len(rows), -1)).all(axis=1)
                good[failed] = False
                rows = rows[good]
            found[name] = Summary(own, shapes[name], self.scenario.histograms.get(name), rows)
        return found

    def plot(
        self, path: str | os.PathLike[str] | None = None, measure: str | None = None, against: str | None = None
    ) -> Path | Picture:
        """Draw a measure: a map over a grid of two parameters, otherwise its distribution.

        against: a parameter, or an entry such as "q0.elbow"; draws the rows that were kept over it.

        With a path the picture is written there; without one it is shown at the end of a notebook's cell.
        """
        return plotting.plot(self.results, path, measure, against)

    def __repr__(self) -> str:
        return f"<Study of {self.design.rows:,} rows in {str(self.folder)!r}: {self.scenario!r}, {self.design!r}>"


def _room(rows: int, like: np.ndarray) -> np.ndarray:
    """An array for all rows, NaN."""
    needed = 8 * rows * int(np.prod(like.shape[1:]))
    if needed > machine_memory() / 2:
        raise StudyError(
            f"the rows that were kept take {needed / 1e9:.3g} GB, more than half of this machine's memory; go through "
            "them with study.chunks()"
        )
    return np.full((rows, *like.shape[1:]), np.nan)


def _told(status: Status) -> tuple[float, str]:
    """How far a study is."""
    return status.done / status.rows, str(status)
