"""Level 4 - second derivatives of inverse and forward dynamics: which programs they are made of.

Inverse dynamics' first derivatives have sweeps of their own; they are differentiated once more. Forward dynamics is
the solution of the equations of motion, and so are its derivatives (`engine.tracing.second_order`).
"""

from __future__ import annotations

from dataclasses import replace

from soadyn.programs.sweep.algorithms import (
    ALL_PASSIVE,
    ARTICULATED,
    EXTERNAL,
    INNOVATIONS,
    MASS_MATRIX_INVERSE,
    SMOOTHING,
    given,
)
from soadyn.programs.sweep.derivatives import INVERSE_DYNAMICS_DERIVATIVES, MOVING
from soadyn.programs.sweep.program import Derivative, Implicit, Output, Program
from soadyn.programs.sweep.two_sweeps import OWN_FORCE

SECOND = (Derivative("second", ("q",)),)
INVERSE_DYNAMICS_SECOND_DERIVATIVES = replace(
    INVERSE_DYNAMICS_DERIVATIVES, name="inverse_dynamics_second_derivatives", derivatives=SECOND
)
FORWARD_DYNAMICS_SECOND_DERIVATIVES = Program(
    "forward_dynamics_second_derivatives",
    (
        *MOVING,
        OWN_FORCE,
        EXTERNAL,
        ARTICULATED,
        given(INNOVATIONS, **ALL_PASSIVE),
        given(SMOOTHING, **ALL_PASSIVE),
    ),
    (Output("theta_ddot", "joint"),),
    joint_space=True,
    derivatives=SECOND,
    implicit=Implicit(INVERSE_DYNAMICS_DERIVATIVES, MASS_MATRIX_INVERSE),
)
