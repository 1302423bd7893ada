"""A simulation's problem put together from what was given and checked; which methods and laws do not go together."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, get_args

import numpy as np

from soadyn.errors import ArgumentError
from soadyn.model.steppers import Moment
from soadyn.robot import Robot
from soadyn.robot.arguments.plain_values import flag, positive
from soadyn.simulation.drive.actuation import Actuation, Failures, checked_prescribed
from soadyn.simulation.drive.feedback import check_fits
from soadyn.simulation.drive.inputs import control_of, external_of, initial_state
from soadyn.simulation.drive.subject import Subject, subject_of
from soadyn.simulation.drive.time_series import TimeSeries
from soadyn.simulation.laws.acting import Acting, acting_on
from soadyn.simulation.run.automatic import chosen
from soadyn.simulation.run.closing import check_closed
from soadyn.simulation.run.delays import check_delay, delayed
from soadyn.simulation.run.equations import free_roots
from soadyn.simulation.run.events import checked_events
from soadyn.simulation.run.integrators import INTEGRATORS, Adaptive, check_method
from soadyn.simulation.run.problem import AsGiven, BadRows, Problem
from soadyn.simulation.run.times import check_memory, checked_steps, record_times


def problem_of(asked: Any) -> Problem:
    """What the arguments of `simulate`, by their names, ask for, checked."""
    control, method, record_every, prescribed = asked.control, asked.method, asked.record_every, asked.prescribed
    stops, failures = asked.stops, asked.failures
    subject = subject_of(asked.robot, asked.parameters)
    robot = subject.robot
    check_fits(control, robot)
    name, tolerances = ("adaptive", method) if isinstance(method, Adaptive) else (method, Adaptive())
    checked_prescribed(prescribed)
    acceleration = None if prescribed is None else prescribed.acceleration
    check_method(name, robot, acceleration)
    duration, step = positive("duration", asked.duration, "simulate"), positive("step", asked.step, "simulate")
    every = step if record_every is None else positive("record_every", record_every, "simulate")
    checked_steps(duration, step, "simulate")
    q, v = initial_state(robot, asked.q0, asked.v0, subject.rows, control=control, acceleration=acceleration)
    check_closed(robot, q, v)
    batch, flows = q.shape[:-1], flows_of(robot)
    # Of each record: q, v, tau, what flowed in, and the energies and momentum computed in the end.
    numbers = int(np.prod(batch)) * (robot.nq + 2 * robot.nv + 2 * flows + 1)
    check_memory(duration, every, numbers, "step" if record_every is None else "record_every")
    sampled = flag("sampled", asked.sampled) or (isinstance(control, TimeSeries) and control.hold)
    check_delay(asked.delay, sampled, name, (acceleration, failures, asked.events))
    with np.errstate(over="ignore", invalid="ignore"):
        acting = acting_on(subject, q, step, asked.joint_forces, stops, asked.effort_limit)
        problem = posed(
            subject,
            acting,
            AsGiven(control, asked.external, acceleration, None if prescribed is None else prescribed.passive),
            (robot.integrate(q, np.zeros(robot.nv)), v),
            chosen(name, subject, acting, stops, step, prescribed=acceleration is not None),
            step,
            record_times(duration, every),
            failures,
            sampled,
            tolerances=tolerances,
            events=checked_events(asked.events, batch),
            bad_rows=checked_bad_rows(asked.bad_rows),
        )
        check_laws(problem.method, acting, subject.values, closed=bool(robot.model.closures))
        return delayed(problem, int(asked.delay))


def posed(
    subject: Subject,
    acting: Acting,
    source: AsGiven,
    state: tuple[np.ndarray, np.ndarray],
    method: str,
    step: float,
    times: np.ndarray,
    failures: Failures = (),
    sampled: bool = False,
    **further: Any,
) -> Problem:
    """The problem of a motion from a state; `further` are fields of `Problem` that are not always given."""
    robot, (q, v) = subject.robot, state
    batch = q.shape[:-1]
    control = control_of(robot, source.control, batch)
    return Problem(
        robot,
        acting,
        Actuation(robot, control, source.acceleration, source.passive, failures, sampled, batch),
        external_of(robot, source.external, batch),
        source,
        method,
        step,
        times,
        Moment(0.0, q, v, np.zeros((*batch, flows_of(robot)))),
        subject.quantities,
        subject.values,
        subject.engine,
        **further,
    )


def flows_of(robot: Robot) -> int:
    """How many numbers flow in: the energy, and the momentum of a robot on a free base."""
    return 7 if free_roots(robot) else 1


def checked_bad_rows(wanted: BadRows, of: str = "simulate") -> BadRows:
    """What is done with rows without an answer."""
    if not isinstance(wanted, str) or wanted not in get_args(BadRows):
        raise ArgumentError(f'{of}: bad_rows is "raise" or "nan", got {wanted!r:.80}')
    return wanted


def check_laws(
    method: str, acting: Acting, values: Mapping[str, np.ndarray], of: str = "simulate", closed: bool = False
) -> None:
    """A method that knows what acts."""
    row = INTEGRATORS[method]
    if closed and acting.sticking is not None:
        raise ArgumentError(
            f"{of}: joints of a robot with closures cannot stick; smooth the friction: "
            "sd.JointForces(robot, own=True).smoothed(0.05)"
        )
    if (not row.hybrid and acting.sticking is not None) or (not row.parametric and values):
        raise ArgumentError(
            f'{of}: method "{method}" knows neither joints that stick nor, in two sweeps, parameters; take '
            '"rk4", or smooth the friction: sd.JointForces(robot, own=True).smoothed(0.05)'
        )
