"""A simulation whose steps are as long as a bound on their errors allows; records come from within the steps.

One step length serves all rows of a batch: that which the row with the largest error allows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import pairwise
from typing import final

import numpy as np

from soadyn.model.embedded import ORDER, Passed, dormand_prince, turning
from soadyn.model.steppers import Equations, Integrate, Moment
from soadyn.progress import Progress
from soadyn.robot.labels import rate_names
from soadyn.simulation.drive.actuation import ROUNDING
from soadyn.simulation.drive.failure import SimulationError
from soadyn.simulation.record.trajectory import Trajectory
from soadyn.simulation.run.events import Watch
from soadyn.simulation.run.problem import Problem
from soadyn.simulation.run.recording import Recorder
from soadyn.simulation.run.stepping import Now, start
from soadyn.simulation.run.stepwise import settled

# A step is so much shorter than its error would allow, and changes by no more than these factors at a time.
CAUTION, LEAST, MOST = 0.9, 0.2, 5.0
# Events are looked for at so many moments of a step, which may be long.
PARTS = 8
# A step this short, as a share of the whole motion, ends the simulation.
SHORTEST = 1e-13


def run(problem: Problem, tell: Progress | None) -> Trajectory:
    """Step from switch to switch; an interrupt or error keeps the last complete step."""
    recorder, steps = Recorder(problem), _Steps(problem)
    watch, due = Watch(problem.robot, problem.events, _nowhere), _Due(problem.times)
    now = start(steps.equations, problem.start)

    def walk() -> None:
        nonlocal now
        recorder.keep(now)
        for _, end in pairwise(_stops(problem)):
            steps.begin(now)
            while now.moment.t < end and not watch.stopped:
                passed, after = steps.next(now, end)
                met: list[Now] = []
                now = _watched(watch, partial(steps.at, passed), now, after, met) if problem.events else after
                for t in due.until(met[0].moment.t if met else now.moment.t):
                    recorder.keep(Now(steps.at(passed, t), now.sliding, now.acted))
                for at_event in met:
                    recorder.keep(at_event)
                if tell is not None:
                    tell(now.moment.t, float(problem.times[-1]))

    return recorder.kept_through(walk, lambda: now, watch.happened)


def _watched(watch: Watch, within: Callable[[float], Moment], now: Now, after: Now, met: list[Now]) -> Now:
    """The state after a step, or at its first event, which is added to `met`; long steps are searched in parts."""
    watch.taken = partial(_within, within, after)
    times = np.linspace(now.moment.t, after.moment.t, PARTS + 1)[1:-1]
    for there in (*(_within(within, after, now, t - now.moment.t) for t in times.tolist()), after):
        now, found = watch.met(now, there, there.moment.t - now.moment.t, met.append)
        if found:
            break
    return now


def _within(within: Callable[[float], Moment], after: Now, now: Now, h: float) -> Now:
    """The state h seconds after the beginning of a step that was made."""
    return Now(within(now.moment.t + h), after.sliding, after.acted)


def _nowhere(now: Now, h: float) -> Now:
    """What stands for a step before the first one: the state stays as it is."""
    return now


def _as_it_is(moment: Moment) -> Moment:
    """What becomes of states where there are no closures."""
    return moment


@final
class _Due:
    """The times of the records that are still to come."""

    def __init__(self, times: np.ndarray) -> None:
        self._times, self._next = times, 1  # the first is the start

    def until(self, t: float) -> Iterator[float]:
        """The times up to t, each once."""
        while self._next < len(self._times) and self._times[self._next] <= t * (1 + ROUNDING):
            yield float(self._times[self._next])
            self._next += 1


def _stops(problem: Problem) -> list[float]:
    """Times at which a step ends: where roles change, where a sampled controller is asked again, and the end."""
    last = float(problem.times[-1])
    stops = {0.0, last, *(t for t in problem.actuation.switches if t < last)}
    if problem.actuation.sampled:
        stops |= {i * problem.step for i in range(1, int(np.ceil(last / problem.step))) if i * problem.step < last}
    return sorted(stops)


@final
class _Steps:
    """Makes one step after the other and remembers how long the next may be."""

    def __init__(self, problem: Problem) -> None:
        self._problem = problem
        self.equations = problem.equations()
        self._joints = turning(problem.robot.engine.coordinates)
        self._h = problem.step  # the first that is tried
        closing = problem.closing(self.equations)
        self._onto: Callable[[Moment], Moment] = _as_it_is if closing is None else closing

    def begin(self, now: Now) -> None:
        """Ask a sampled controller, whose answer holds until the next stop."""
        moment = now.moment
        self._roles = self._problem.actuation.roles(moment.t, moment.q, moment.v)

    def next(self, now: Now, end: float) -> tuple[Passed, Now]:
        """The next step, at most until `end`, and the state after it."""
        left, growth, h = end - now.moment.t, MOST, self._h
        if not self._problem.actuation.sampled:
            self.begin(now)
        while True:
            whole = h >= left * (1 - 1e-9)
            length = left if whole else h
            made = self._tried(now, length)
            off, joint = (np.inf, "") if made is None else self._error(made[0])
            wanted = length * min(growth, max(LEAST, CAUTION * max(off, 1e-10) ** (-1 / ORDER)))
            if made is not None and off <= 1:
                # A step that a switch has cut short says nothing against longer ones.
                self._h = max(h, wanted) if whole else wanted
                passed, after = made
                return passed, after.at(end) if whole else after
            if wanted < SHORTEST * self._problem.times[-1]:
                raise self._stopped(now.moment.t, joint)
            h, growth = wanted, 1.0

    def at(self, passed: Passed, t: float) -> Moment:
        """The state at a time within a step that was made."""
        return self._onto(passed.at(t))

    def _tried(self, now: Now, h: float) -> tuple[Passed, Now] | None:
        """A step, tried as often as friction asks for; None if it met a number that is not finite."""
        steps: list[Passed] = []

        def take(integrate: Integrate, rates: Equations, moment: Moment, h: float) -> Moment:
            steps.append(dormand_prince(self._joints, integrate, rates, moment, h))
            return self._onto(steps[-1].end)

        try:
            after = settled(self.equations, take, partial(self._problem.given, self._roles), now, h)
        except SimulationError:
            if h < SHORTEST / LEAST * self._problem.times[-1]:
                raise
            return None
        return steps[-1], after

    def _error(self, passed: Passed) -> tuple[float, str]:
        """The largest error as a share of what is allowed, and the joint rate that has it."""
        rtol, atol = self._problem.tolerances.rtol, self._problem.tolerances.atol
        fast = np.maximum(np.abs(passed.begin.v), np.abs(passed.end.v))
        off = np.maximum(np.abs(passed.error[0]) / (atol + rtol), np.abs(passed.error[1]) / (atol + rtol * fast))
        if not off.size:  # an empty batch
            return 0.0, ""
        worst = np.unravel_index(np.argmax(np.where(np.isfinite(off), off, np.inf)), off.shape)
        return float(np.where(np.isfinite(off[worst]), off[worst], np.inf)), rate_names(self._problem.robot)[worst[-1]]

    def _stopped(self, t: float, joint: str) -> SimulationError:
        where = f" of joint {joint!r}" if joint else ""
        rtol, atol = self._problem.tolerances.rtol, self._problem.tolerances.atol
        return SimulationError(
            f"simulate: at t = {t:.6g} s no step is short enough to keep the error{where} within rtol = {rtol:g} and "
            f"atol = {atol:g}; the forces jump there, or grow without bound"
        )
