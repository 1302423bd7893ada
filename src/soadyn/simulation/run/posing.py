"""A simulation's problem put together from what was given and checked; which methods and laws do not go together."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, get_args

import numpy as np

from soadyn.errors import ArgumentError, check_name
from soadyn.model.steppers import Moment
from soadyn.robot import Robot
from soadyn.simulation.drive.actuation import Failures, actuation_of
from soadyn.simulation.drive.inputs import external_of, torque_of
from soadyn.simulation.drive.subject import Subject
from soadyn.simulation.run.equations import Acting, free_roots
from soadyn.simulation.run.problem import OF_JOINT_FORCES, TWO_SWEEP, AsGiven, BadRows, Problem

AnyMethod = Literal[
    "auto", "rk4", "semi-implicit", "rosenbrock", "implicit", "symplectic", "adaptive", "diagonalized", "two-sweep"
]


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
    return Problem(
        robot,
        acting,
        actuation_of(
            robot,
            torque_of(robot, source.torque, batch),
            source.acceleration,
            source.passive,
            failures,
            sampled,
            batch,
        ),
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


def check_method(method: str, acceleration: Any, of: str = "simulate", lacks: tuple[str, ...] = ()) -> None:
    """A method by its name, one that knows prescribed accelerations if there are some; `of` lacks some methods."""
    if isinstance(method, str) and method in lacks:
        raise ArgumentError(
            f'{of}: method "{method}" carries more than a state from step to step; take "rk4", or sd.simulate'
        )
    check_name(f"method of {of}", method, [name for name in get_args(AnyMethod) if name not in lacks])
    if method in OF_JOINT_FORCES and acceleration is not None:
        raise ArgumentError(f'{of}: method "{method}" takes joint forces; prescribed accelerations need "rk4"')


def checked_bad_rows(wanted: BadRows, of: str = "simulate") -> BadRows:
    """What is done with rows without an answer."""
    if not isinstance(wanted, str) or wanted not in get_args(BadRows):
        raise ArgumentError(f'{of}: bad_rows is "raise" or "nan", got {wanted!r:.80}')
    return wanted


def check_laws(method: str, acting: Acting, values: Mapping[str, np.ndarray], of: str = "simulate") -> None:
    """A method that knows what acts."""
    if method in OF_JOINT_FORCES and (acting.sticking is not None or (values and method == TWO_SWEEP)):
        raise ArgumentError(
            f'{of}: method "{method}" knows neither joints that stick nor, in two sweeps, parameters; take '
            '"rk4", or smooth the friction with friction_speed'
        )
