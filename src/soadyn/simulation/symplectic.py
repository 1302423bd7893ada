"""Steps that keep the two-form of coordinates and momenta, for motions over long times."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np

from soadyn.backends.engine import Engine
from soadyn.errors import ArgumentError
from soadyn.evaluation.program_calls import NO_VALUES, ProgramCall
from soadyn.model.discrete import Discrete
from soadyn.model.steppers import Canonical, Stepper, symplectic
from soadyn.simulation.dynamics import Dynamics, RobotDynamics
from soadyn.spatial.arithmetic import Array
from soadyn.sweep.canonical import CANONICAL, RATES_FROM_MOMENTA
from soadyn.sweep.program import Program


def symplectic_stepper(
    engine: Engine, values: Mapping[str, np.ndarray] = NO_VALUES, dynamics: Dynamics | None = None
) -> Stepper:
    """The symplectic step of a robot, on numbers or, with a recording's `dynamics`, on recorded scalars.

    `values` are those of a parametric robot's parameters.

    >>> import soadyn as sd
    >>> from soadyn.model.steppers import Moment, Rates
    >>> arm = sd.load("planar_two_link")
    >>> def rates(t, q, v):
    ...     return Rates(arm.forward_dynamics(q, v, np.zeros(2)), np.zeros(1))
    >>> start = Moment(0.0, np.array([0.3, 0.1]), np.zeros(2), np.zeros(1))
    >>> symplectic_stepper(arm.engine)(arm.integrate, rates, start, 0.001).t
    0.001
    """
    if engine.coordinates.tied:
        name = engine.model.name
        raise ArgumentError(
            f'simulate: method "symplectic" moves each joint by itself, but robot {name!r} has tied mimic joints'
        )

    def called(program: Program) -> Callable[..., Any]:
        """A program as a function of arrays in the order of its inputs."""
        if dynamics is None or isinstance(dynamics, RobotDynamics):
            return ProgramCall(engine, program, values)
        return partial(_recorded, dynamics, program)

    return partial(
        symplectic, of=Canonical(called(CANONICAL), called(RATES_FROM_MOMENTA), Discrete(engine.coordinates))
    )


def _recorded(dynamics: Dynamics, program: Program, *arrays: Array) -> Any:
    found = dynamics.run(program, dict(zip(program.inputs, arrays, strict=True)))
    return found[0] if len(found) == 1 else found
