"""Level 4 - what a force does to a robot whose joints are heavier by an armature that comes with the call.

A step that is implicit in joint springs and dampers solves such equations (`model.steppers.implicit`).
"""

from __future__ import annotations

from soadyn.mechanics.link import hinge
from soadyn.programs.sweep.algorithms import EVERY, HINGE, INNOVATIONS, RICCATI, SMOOTHING, at_rest, given
from soadyn.programs.sweep.combine import renamed
from soadyn.programs.sweep.program import Output, Program, Sweep

_HEAVIER = {"A_r": "A_heavy"}
STIFFENED = Program(
    "stiffened",
    (
        HINGE,
        Sweep(EVERY, hinge.heavier, ("A_r", "armature"), ("A_heavy",)),
        renamed(RICCATI, _HEAVIER),
        given(INNOVATIONS, a=0.0, b=0.0, f_external=0.0, vdot=0.0),
        renamed(given(at_rest(SMOOTHING), a=0.0, vdot=0.0), _HEAVIER),
    ),
    (Output("theta_ddot", "joint"),),
    joint_space=True,
)
