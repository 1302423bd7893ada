"""Steps that keep the two-form of coordinates and momenta, for motions over long times."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from soadyn.errors import ArgumentError
from soadyn.evaluation.program_calls import ProgramCall
from soadyn.model.discrete import Discrete
from soadyn.model.steppers import Canonical, Stepper, symplectic
from soadyn.robot import Robot
from soadyn.simulation.dynamics import Dynamics, RobotDynamics
from soadyn.spatial.arithmetic import Array
from soadyn.sweep.canonical import CANONICAL, RATES_FROM_MOMENTA
from soadyn.sweep.program import Program


def symplectic_stepper(robot: Robot, dynamics: Dynamics | None = None) -> Stepper:
    """The symplectic step of a robot, on numbers or, with a recording's `dynamics`, on recorded scalars.

    >>> import numpy as np
    >>> import soadyn as sd
    >>> from soadyn.model.steppers import Moment, Rates
    >>> arm = sd.load("planar_two_link")
    >>> def rates(t, q, v):
    ...     return Rates(arm.forward_dynamics(q, v, np.zeros(2)), np.zeros(1))
    >>> start = Moment(0.0, np.array([0.3, 0.1]), np.zeros(2), np.zeros(1))
    >>> symplectic_stepper(arm)(arm.integrate, rates, start, 0.001).t
    0.001
    """
    if robot.engine.coordinates.tied:
        raise ArgumentError(
            f'simulate: method "symplectic" moves each joint by itself, but robot {robot.name!r} has tied mimic joints'
        )
    momenta, solve = (_called(program, robot, dynamics) for program in (CANONICAL, RATES_FROM_MOMENTA))
    return partial(symplectic, of=Canonical(momenta, solve, Discrete(robot.engine.coordinates)))


def _called(program: Program, robot: Robot, dynamics: Dynamics | None) -> Callable[..., Any]:
    """A program as a function of arrays in the order of its inputs."""
    if dynamics is None or isinstance(dynamics, RobotDynamics):
        return ProgramCall(robot.engine, program)
    recorded = dynamics

    def run(*arrays: Array) -> Any:
        found = recorded.run(program, dict(zip(program.inputs, arrays, strict=True)))
        return found[0] if len(found) == 1 else found

    return run
