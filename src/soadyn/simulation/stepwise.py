"""A simulation step by step in Python: for every kind of function and law, at the cost of some hundred calls a step."""

from __future__ import annotations

from functools import partial
from itertools import pairwise

import numpy as np

from soadyn.backends.step import TRIALS
from soadyn.model.steppers import Moment, Stepper
from soadyn.simulation.equations import Equations
from soadyn.simulation.events import Watch
from soadyn.simulation.failure import SimulationError
from soadyn.simulation.problem import Problem
from soadyn.simulation.progress import Progress
from soadyn.simulation.recording import Recorder
from soadyn.simulation.stepping import Now, Supply, start, trial
from soadyn.simulation.trajectory import Trajectory


def run(problem: Problem, tell: Progress | None) -> Trajectory:
    """Step from record to record; an interrupt or error keeps the last complete step."""
    recorder = Recorder(problem)
    equations = problem.equations()
    stepper = problem.stepper(equations)
    times = problem.times
    records = set(times.tolist())
    now = start(equations, problem.start)

    def taken(now: Now, h: float) -> Now:
        supply = partial(problem.given, problem.actuation.roles(now.moment.t, now.moment.q, now.moment.v))
        return settled(equations, stepper, supply, now, h)

    watch = Watch(problem.robot, problem.events, taken) if problem.events else None

    try:
        recorder.keep(now)
        for begin, end in pairwise(problem.stops.tolist()):
            count = max(1, int(np.ceil((end - begin) / problem.step * (1 - 1e-9))))
            for i in range(count):
                h = (end - begin) / count
                after = taken(now, h) if watch is None else watch.step(now, h, recorder.keep)
                if watch is not None and watch.stopped:
                    return recorder.trajectory(last=after, interrupted=False, events=watch.happened)
                # t comes from the step's number; a sum would drift
                t = end if i + 1 == count else begin + (end - begin) * (i + 1) / count
                moment = after.moment
                now = Now(Moment(t, moment.q, moment.v, moment.inflow), after.sliding, after.acted)
                if tell is not None:
                    tell(t, float(times[-1]))
            if end in records:
                recorder.keep(now)
    except KeyboardInterrupt:
        return recorder.trajectory(last=now, interrupted=True)
    except SimulationError as stopped:
        if recorder.records:
            stopped.trajectory = recorder.trajectory(last=now, interrupted=True)
        raise
    return recorder.trajectory(last=now, interrupted=False, events=watch.happened if watch else ())


def settled(equations: Equations, stepper: Stepper, supply: Supply, now: Now, h: float) -> Now:
    """The state after one step, tried as often as friction asks for."""
    for _ in range(TRIALS):
        found = trial(equations, stepper, supply, now, h)
        if not found.again.any():
            break
        sliding = np.where(found.again[..., None] > 0, found.after.sliding, now.sliding)
        now = Now(now.moment, sliding, now.acted)
    return found.after
