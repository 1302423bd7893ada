"""A simulation step by step in Python: for every kind of function and law, at the cost of some hundred calls a step."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import NoReturn

import numpy as np

from soadyn.engine.tracing.step import TRIALS
from soadyn.model.steppers import Stepper
from soadyn.progress import Progress
from soadyn.simulation.drive.failure import ran_away
from soadyn.simulation.record.trajectory import Trajectory
from soadyn.simulation.run.equations import Equations
from soadyn.simulation.run.events import Watch
from soadyn.simulation.run.problem import Problem
from soadyn.simulation.run.recording import Recorder
from soadyn.simulation.run.stepping import Now, Supply, start, trial
from soadyn.simulation.run.stretches import steps


def run(problem: Problem, tell: Progress | None) -> Trajectory:
    """Step from record to record; an interrupt or error keeps the last complete step."""
    recorder = Recorder(problem)
    equations = problem.equations()
    taken = taken_by(problem, equations)
    now = start(equations, problem.start, problem.waiting)
    watch = Watch(problem.robot, problem.events, taken)

    def walk() -> None:
        nonlocal now
        recorder.keep(now)
        for _, h, t, due in steps(problem):
            after = watch.step(now, h, recorder.keep) if problem.events else taken(now, h)
            if watch.stopped:
                now = after
                return
            now = after.at(t)
            if tell is not None:
                tell(t, float(problem.times[-1]))
            if due:
                recorder.keep(now)

    return recorder.kept_through(walk, lambda: now, watch.happened)


def taken_by(problem: Problem, equations: Equations) -> Callable[[Now, float], Now]:
    """A problem's step of some seconds, on numbers."""
    stepper = problem.stepper(equations)

    def taken(now: Now, h: float) -> Now:
        supply = partial(problem.given, problem.actuation.roles(now.moment.t, now.moment.q, now.moment.v))
        return settled(equations, stepper, supply, now, h)

    return taken


def explain(problem: Problem, before: Now, times: np.ndarray) -> NoReturn:
    """Take steps that failed once more in Python, which names what is not finite."""
    run(replace(problem, times=times, start=before.moment, waiting=before.waiting), None)
    raise ran_away(problem.robot, before.moment.t, before.moment.v)


def settled(equations: Equations, stepper: Stepper, supply: Supply, now: Now, h: float) -> Now:
    """The state after one step, tried as often as friction asks for."""
    for _ in range(TRIALS):
        found = trial(equations, stepper, supply, now, h)
        if not found.again.any():
            break
        sliding = np.where(found.again[..., None] > 0, found.after.sliding, now.sliding)
        now = replace(now, sliding=sliding)
    return found.after
