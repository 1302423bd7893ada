"""Torques that come late: a digital controller's answer acts some steps after it was asked for."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from soadyn.errors import ArgumentError
from soadyn.robot.arguments.plain_values import whole
from soadyn.simulation.run.integrators import INTEGRATORS
from soadyn.simulation.run.problem import Problem

MOST = 1000  # steps


def check_delay(delay: Any, sampled: bool, method: str, others: tuple[Any, Any, Any]) -> None:
    """A delay counts steps of a sampled control; `others` are prescribed accelerations, failures and events."""
    if whole("simulate: delay", delay, 0, MOST) == 0:
        return
    if not sampled:
        raise ArgumentError("simulate: a delay counts the steps of a sampled control; give sampled=True as well")
    acceleration, failures, events = others
    present = {
        "prescribed accelerations": acceleration is not None,
        "failures": bool(failures),
        "events": bool(events),
        'method="adaptive"': method in INTEGRATORS and INTEGRATORS[method].adapts,
    }
    for what, there in present.items():
        if there:
            raise ArgumentError(f"simulate: a delay of the control does not go with {what}")


def delayed(problem: Problem, delay: int) -> Problem:
    """The problem with a queue of `delay` torques: the first steps still act with the torque asked for at the start."""
    if not delay:
        return problem
    t, q, v = problem.start.t, problem.start.q, problem.start.v
    asked = problem.actuation.torque(t, q, v, problem.actuation.sets(t))
    return replace(problem, waiting=np.tile(asked, delay))
