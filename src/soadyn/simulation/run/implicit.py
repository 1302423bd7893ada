"""Steps that are implicit in what acts in the joints: springs, dampers, stops and smoothed friction."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from soadyn.errors import ArgumentError
from soadyn.mechanics.spatial.arithmetic import Array, is_positive
from soadyn.model.coordinates import Coordinates
from soadyn.model.rosenbrock import rosenbrock
from soadyn.model.steppers import Stepper, Stiff, implicit
from soadyn.programs.sweep.program import Program
from soadyn.programs.sweep.stiffened import STIFFENED
from soadyn.simulation.run.equations import Acting

IMPLICIT, ROSENBROCK = "implicit", "rosenbrock"
STEPS = {IMPLICIT: implicit, ROSENBROCK: rosenbrock}


def implicit_stepper(method: str, called: Callable[[Program], Any], acting: Acting, space: Coordinates) -> Stepper:
    """The step of a robot under what acts in its joints; `called` makes a function of arrays of a program."""
    if space.tied:
        raise ArgumentError(
            f'simulate: method "{method}" takes each joint by itself, but robot {space.model.name!r} has tied mimic '
            "joints"
        )
    return partial(STEPS[method], of=Stiff(partial(slopes, acting), called(STIFFENED)))


def slopes(acting: Acting, q: Array, v: Array) -> tuple[Array, Array]:
    """How fast forces in the joints fall with position and with speed, component by component, (..., nv).

    >>> import numpy as np
    >>> import soadyn as sd
    >>> arm = sd.load("planar_two_link")
    >>> laws = sd.JointForces(arm, [sd.Spring("joint2", 10.0), sd.Damper("joint1", 0.5)])
    >>> slopes(Acting(laws), np.zeros(2), np.zeros(2))
    (array([ 0., 10.]), array([0.5, 0. ]))
    """
    K, B = (0 * v, 0 * v) if acting.forces is None else acting.forces.slopes(q, v)
    for stop in acting.stops:
        touches = is_positive(stop.depth(q))
        K[..., stop.v] += touches * stop.K
        B[..., stop.v] += touches * stop.C
    return K, B
