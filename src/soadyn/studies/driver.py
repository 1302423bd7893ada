"""The driver: begins chunks, writes those that are done, and leaves to other drivers what is theirs."""

from __future__ import annotations

import contextlib
import signal
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass, field
from typing import final

from soadyn.studies.claims import Claims
from soadyn.studies.designs import Design
from soadyn.studies.failures import StudyError
from soadyn.studies.folders import Folder, StudyPlan
from soadyn.studies.jobs import PIECE, Done
from soadyn.studies.pools import Pool
from soadyn.studies.scenario import Scenario

AIM = 1.0  # seconds of a chunk
LEAST = 0.2  # seconds of a chunk, where there are rows enough
FOR_EACH = 8  # chunks for each slot, if they are not shorter than LEAST
MOST_KEPT = 32_000_000  # bytes of a chunk
FIRST_TRIAL = 16  # rows
MOST_TRIALS, LONG_TRIAL = 4, 30.0  # the latter in seconds
TRIES = 4  # of a chunk whose workers die
POLL = 0.2  # seconds between looks at what other drivers do
Tell = Callable[[Done], object]


def measured_chunk(pool: Pool, scenario: Scenario, design: Design) -> int:
    """Rows of a chunk: a power of two times the leaf's, as many as take about a second, by a trial."""
    leaf, rows = scenario.leaf, design.rows
    most = min(leaf * PIECE if leaf > 1 else 1, rows)
    tried = min(FIRST_TRIAL, most)
    done = _settled_trial(pool, tried)
    while tried < most and done.seconds < LEAST:  # rows may take a microsecond each, or minutes
        tried = min(8 * tried, most)
        done = _settled_trial(pool, tried)
    seconds, content = max(done.seconds, 1e-6) / tried, len(done.content) / tried
    wanted = min(AIM / seconds, max(rows / (FOR_EACH * pool.slots), LEAST / seconds))
    if scenario.keep:
        wanted = min(wanted, MOST_KEPT / content)
    chunk = leaf
    while 2 * chunk <= wanted:
        chunk *= 2
    return chunk


def _settled_trial(pool: Pool, rows: int) -> Done:
    """The quickest of a few trials: kernels are compiled in the first one of each worker process."""
    best = _trial(pool, rows)
    for _ in range(MOST_TRIALS - 1):
        if best.seconds > LONG_TRIAL:
            break
        again = _trial(pool, rows)
        settled = again.seconds > best.seconds / 2
        best = min(best, again, key=lambda done: done.seconds)
        if settled:
            break
    return best


def _trial(pool: Pool, rows: int) -> Done:
    future = pool.submit(-1, 0, rows)
    while not wait((future,), POLL).done:
        pool.waited()
    error = future.exception()
    if error is None:
        return future.result()
    if pool.lost(error):
        raise StudyError(
            "the first rows crash their worker, or the scenario's function cannot be imported there: a script calls "
            'sd.run_study below `if __name__ == "__main__":`; processes=False runs the function here'
        )
    raise pool.explained(error)


@contextlib.contextmanager
def interrupts_noted() -> Iterator[Callable[[], bool]]:
    """Ctrl-C is noted, not raised, so that no chunk is lost while it is written; a second one is raised as ever.

    Other threads than the main one get no interrupts, and handlers of the caller's own stay.
    """
    main = threading.current_thread() is threading.main_thread()
    if not main or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield lambda: False
        return
    noted = threading.Event()

    def note(*_: object) -> None:
        noted.set()
        signal.signal(signal.SIGINT, signal.default_int_handler)

    signal.signal(signal.SIGINT, note)
    try:
        yield noted.is_set
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@final
@dataclass(slots=True)
class Driver:
    """The chunks of one study on their way: waiting, running here, claimed by other drivers."""

    folder: Folder
    plan: StudyPlan
    pool: Pool
    claims: Claims
    tell: Tell
    waiting: deque[int] = field(default_factory=deque)
    elsewhere: list[int] = field(default_factory=list)
    running: dict[Future[Done], int] = field(default_factory=dict)
    losses: Counter[int] = field(default_factory=Counter)

    def run(self) -> None:
        """Do all chunks that are missing; after an interrupt only finish those under way."""
        self.waiting.extend(n for n in range(self.plan.chunks) if not self.folder.has(n))
        try:
            with interrupts_noted() as asked_to_end:
                while self.waiting or self.running or self.elsewhere:
                    self._begin()
                    self._collect(POLL)
                    if asked_to_end():
                        return self._end()
                    if not self.waiting and len(self.running) < self.pool.slots:
                        self._look_elsewhere()
        except BaseException:
            for future in self.running:
                future.cancel()
            raise

    def _begin(self) -> None:
        while self.waiting and len(self.running) < self._room():
            number = self.waiting.popleft()
            if not self.claims.take(number):
                self.elsewhere.append(number)
            elif self.folder.has(number):  # another driver finished it meanwhile
                self.claims.free(number)
            else:
                self.running[self.pool.submit(number, *self.plan.bounds(number))] = number

    def _room(self) -> int:
        """How many chunks may be under way: one alone if it was lost twice, so that no other is lost with it."""
        doubtful = any(self.losses[number] >= 2 for number in (self.waiting[0], *self.running.values()))
        return 1 if doubtful else self.pool.slots

    def _collect(self, timeout: float | None) -> None:
        if not self.running:
            return
        done, _ = wait(self.running, timeout, FIRST_COMPLETED)
        if not done:
            self.pool.waited()
        for future in done:
            number = self.running.pop(future)
            error = future.exception()
            if error is None:
                self.folder.write(number, future.result().content)
                self.claims.free(number)
                self.tell(future.result())
            elif self.pool.lost(error):
                self._again(number)
            else:
                raise self.pool.explained(error)

    def _again(self, number: int) -> None:
        """Begin a chunk again whose worker died, unless it kills every worker."""
        self.losses[number] += 1
        self.claims.free(number)
        if self.losses[number] >= TRIES:
            begin, end = self.plan.bounds(number)
            raise StudyError(
                f"rows {begin} to {end - 1} lost their worker {TRIES} times: does one crash the process, or take too "
                "much memory? Chunks that were finished stay"
            )
        self.waiting.appendleft(number)

    def _look_elsewhere(self) -> None:
        """Chunks of other drivers: done, or to be waited for, or left behind."""
        left = [number for number in self.elsewhere if not self.folder.has(number)]
        self.elsewhere = []
        self.waiting.extend(left)
        if left and not self.running:
            time.sleep(POLL)

    def _end(self) -> None:
        """After an interrupt: finish what is under way."""
        for future in list(self.running):
            if future.cancel():
                self.claims.free(self.running.pop(future))
        while self.running:
            self._collect(POLL)
