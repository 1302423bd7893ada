"""Steps that keep the two-form of coordinates and momenta, for motions over long times."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from soadyn.errors import ArgumentError
from soadyn.model.coordinates import Coordinates
from soadyn.model.discrete import Discrete
from soadyn.model.steppers import Canonical, Stepper, symplectic
from soadyn.programs.sweep.canonical import CANONICAL, RATES_FROM_MOMENTA
from soadyn.programs.sweep.program import Program


def symplectic_stepper(called: Callable[[Program], Callable[..., Any]], space: Coordinates) -> Stepper:
    """The symplectic step of a robot; `called` makes a function of arrays of a program.

    >>> import numpy as np
    >>> import soadyn as sd
    >>> from soadyn.robot.calling.function import program_function
    >>> from soadyn.model.steppers import Moment, Rates
    >>> arm = sd.load("planar_two_link")
    >>> def rates(t, q, v):
    ...     return Rates(arm.forward_dynamics(q, v, np.zeros(2)), np.zeros(1))
    >>> start = Moment(0.0, np.array([0.3, 0.1]), np.zeros(2), np.zeros(1))
    >>> take = symplectic_stepper(partial(program_function, arm.engine), arm.engine.coordinates)
    >>> take(arm.integrate, rates, start, 0.001).t
    0.001
    """
    if space.tied:
        raise ArgumentError(
            f'simulate: method "symplectic" moves each joint by itself, but robot {space.model.name!r} has tied '
            "mimic joints"
        )
    return partial(symplectic, of=Canonical(called(CANONICAL), called(RATES_FROM_MOMENTA), Discrete(space)))
