"""A problem run: by machine code, by machine code between the calls of Python functions, or step by step in Python."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from soadyn.progress import Progress, ProgressLike, shown_progress
from soadyn.simulation.drive.failure import SimulationError
from soadyn.simulation.record.trajectory import Trajectory
from soadyn.simulation.run import adaptive, in_python, rollout, staged, stepwise
from soadyn.simulation.run.problem import Problem
from soadyn.simulation.run.step_length import with_advice

Run = Callable[[Problem, Progress | None], Trajectory]


def run(problem: Problem, progress: ProgressLike = None) -> Trajectory:
    """The motion; an error says which step would do, where the step was too long."""
    way, notes = way_of(problem)
    with np.errstate(over="ignore", invalid="ignore"), shown_progress(progress) as tell:
        try:
            return way(replace(problem, notes=notes), tell)
        except SimulationError as stopped:
            raise with_advice(problem, stopped) from None


def way_of(problem: Problem) -> tuple[Run, tuple[str, ...]]:
    """How a problem is run, and why not by machine code alone: the trajectory's notes, none where it is.

    The reasons decide.
    """
    asking = in_python.functions(problem)
    if problem.integrator.adapts:
        return adaptive.run, (*in_python.of_method(problem), *asking)
    step_by_step = in_python.obstacles(problem) + in_python.watching(problem)
    if not rollout.suits(problem):
        step_by_step += in_python.short(problem)
    if step_by_step:
        return stepwise.run, step_by_step + asking
    return (staged.run, asking) if asking else (rollout.run, ())
