"""Level 4 - momenta of the joints and the forces on them; and joint rates from momenta."""

from __future__ import annotations

from soadyn.mechanics.link import canonical
from soadyn.programs.sweep.algorithms import (
    ACCELERATION,
    GYROSCOPIC,
    HINGE,
    INWARD,
    LINK_FORCE,
    VELOCITY,
    at_rest,
    given,
)
from soadyn.programs.sweep.newton_euler import BY_FILTER
from soadyn.programs.sweep.program import Output, Program, Sweep

# What accelerates the robot is in θ̈ already, its weight too, so the ground rests.
CANONICAL = Program(
    "canonical",
    (
        HINGE,
        VELOCITY,
        GYROSCOPIC,
        at_rest(ACCELERATION),
        given(LINK_FORCE, f_external=0.0),
        Sweep(
            INWARD,
            canonical.canonical,
            ("phi", "H", "M", "A_r", "v", "V", "T", "children.phi_h"),
            ("phi_h", "p", "f_joint"),
        ),
    ),
    (Output("p", "joint"), Output("f_joint", "joint")),
    joint_space=True,
)
RATES_FROM_MOMENTA = BY_FILTER.at_rest
