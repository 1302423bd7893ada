"""Level 4 - forward dynamics in two sweeps (001 section VII.D announces them; the three-sweep form is in `algorithms`).

`WITHOUT_VELOCITIES` needs no outward sweep for velocities first: inward they are unknowns of quadratic polynomials.
`SEMI_IMPLICIT_STEP` takes the links' velocities from the step before, and finds those at the new state in the same
outward sweep that finds the accelerations: V(k) there needs joint k and its ancestors only, which are moved already.
"""

from __future__ import annotations

from soadyn.mechanics.link import motion, two_sweeps
from soadyn.programs.sweep.algorithms import (
    ALL_PASSIVE,
    ARTICULATED,
    EVERY,
    EXTERNAL,
    HINGE,
    INNOVATIONS,
    INWARD,
    OUTWARD,
    SMOOTHING,
    given,
)
from soadyn.programs.sweep.combine import renamed
from soadyn.programs.sweep.program import Output, Program, Sweep

LINK_VELOCITY = Sweep(
    OUTWARD, two_sweeps.link_velocity, ("phi", "H", "v", "parent.V"), ("V",), ground=(("V", motion.resting),)
)
OWN_ACCELERATION = Sweep(EVERY, two_sweeps.own_acceleration, ("H", "v", "V"), ("a",))
OWN_FORCE = Sweep(EVERY, two_sweeps.own_force, ("M", "V"), ("b",))
ACCELERATIONS = given(SMOOTHING, **ALL_PASSIVE)

# Velocities unknown on the way inward

WITHOUT_VELOCITIES = Program(
    "forward_dynamics_without_velocities",
    (
        HINGE,
        EXTERNAL,
        ARTICULATED,
        Sweep(
            INWARD,
            two_sweeps.unknown_velocity,
            ("phi", "H", "M", "G", "P_plus", "f_external", "v", "tau", "children.phi_z_of_V"),
            ("z_of_V", "phi_z_of_V"),
        ),
        LINK_VELOCITY,
        OWN_ACCELERATION,
        Sweep(EVERY, two_sweeps.known_velocity, ("H", "D", "tau", "z_of_V", "V"), ("z", "nu")),
        ACCELERATIONS,
    ),
    (Output("theta_ddot", "joint"),),
    joint_space=True,
)

# Velocities carried from step to step

AFTER = {"q": "q_new", "v": "v_new", "phi": "phi_new", "H": "H_new", "V": "V_new"}
PUBLIC_VELOCITY = Sweep(EVERY, two_sweeps.public_velocity, ("link_frame", "V"), ("V_shown",))
LINK_VELOCITIES = Program(
    "link_velocities",
    (HINGE, LINK_VELOCITY, PUBLIC_VELOCITY),
    (Output("V_shown", "link vectors"),),
    joint_space=True,
)
SEMI_IMPLICIT_STEP = Program(
    "semi_implicit_step",
    (
        HINGE,
        Sweep(EVERY, two_sweeps.carried_velocity, ("link_frame", "V_link"), ("V",)),
        OWN_ACCELERATION,
        OWN_FORCE,
        EXTERNAL,
        ARTICULATED,
        given(INNOVATIONS, **ALL_PASSIVE),
        ACCELERATIONS,
        Sweep(EVERY, two_sweeps.integrated, ("q", "v", "theta_ddot", "h"), ("q_new", "v_new")),
        renamed(HINGE, AFTER),
        renamed(LINK_VELOCITY, AFTER),
        renamed(PUBLIC_VELOCITY, AFTER),
    ),
    (Output("q_new", "coordinates"), Output("v_new", "joint"), Output("V_shown", "link vectors")),
)
