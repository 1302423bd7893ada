"""Level 4 - programs about single links and about what frames feel: their results are at public frames."""

from __future__ import annotations

from soadyn.mechanics.link import crossing, force, operational, public, task
from soadyn.programs.sweep.algorithms import (
    ACCELERATION,
    ALL_PASSIVE,
    ARTICULATED,
    COMPOSITE,
    EVERY,
    EXTERNAL,
    FRAME_POSE,
    GYROSCOPIC,
    HINGE,
    INNOVATIONS,
    INWARD,
    OUTWARD,
    POSE,
    SMOOTHING,
    VELOCITY,
    at_rest,
    given,
)
from soadyn.programs.sweep.program import Climb, Once, Output, Program, Sweep
from soadyn.programs.sweep.under_actuated import OPERATIONAL_INERTIA_INVERSE, TASK, UPSILON

# The mass matrix's root

ROOT_COLUMNS = Climb(crossing.root_column, ("D", "G"), force.joint_row, ("H",), ("m",))
MASS_MATRIX_ROOT = Program(
    "mass_matrix_root", (HINGE, ARTICULATED, ROOT_COLUMNS), (Output("m", "matrix"),), joint_space=True
)

# Numbers of the mass matrix and of its inverse, without either

PIVOTS = Program(
    "pivots",
    (HINGE, ARTICULATED, Sweep(EVERY, crossing.pivot_numbers, ("D",), ("d",))),
    (Output("d", "joint"),),
    joint_space=True,
)
INVERSE_DIAGONAL = Program(
    "inverse_diagonal",
    (
        HINGE,
        ARTICULATED,
        UPSILON,
        Sweep(OUTWARD, task.inverse_diagonal, ("phi", "D", "G", "parent.Upsilon"), ("W",)),
    ),
    (Output("W", "joint"),),
    joint_space=True,
)

# Inertias and mobilities of links

ARTICULATED_INERTIAS = Program(
    "articulated_inertias",
    (HINGE, ARTICULATED, Sweep(EVERY, public.public_inertia, ("link_frame", "P"), ("P_link",))),
    (Output("P_link", "link matrices"),),
)
COMPOSITE_INERTIAS = Program(
    "composite_inertias",
    (HINGE, COMPOSITE, Sweep(EVERY, public.public_inertia, ("link_frame", "R"), ("R_link",))),
    (Output("R_link", "link matrices"),),
)
LINK_MOBILITIES = Program(
    "link_mobilities",
    (
        HINGE,
        ARTICULATED,
        UPSILON,
        Sweep(EVERY, public.public_mobility, ("link_frame", "Upsilon"), ("Upsilon_link",)),
    ),
    (Output("Upsilon_link", "link matrices"),),
    joint_space=True,
)

# Motions and forces of links

LINK_ACCELERATIONS = Program(
    "link_accelerations",
    (
        HINGE,
        VELOCITY,
        at_rest(ACCELERATION),
        Sweep(EVERY, public.public_acceleration, ("link_frame", "V", "alpha"), ("alpha_link",)),
    ),
    (Output("alpha_link", "link vectors"),),
    joint_space=True,
)
TRANSMITTED = Sweep(
    INWARD, force.transmitted_force, ("phi", "M", "alpha", "b", "f_external", "children.phi_f"), ("f_k", "phi_f")
)
LINK_FORCES = Program(
    "link_forces",
    (
        HINGE,
        VELOCITY,
        GYROSCOPIC,
        EXTERNAL,
        ACCELERATION,
        TRANSMITTED,
        Sweep(EVERY, public.public_force, ("link_frame", "f_k"), ("f_link",)),
    ),
    (Output("f_link", "link vectors"),),
)

# What a frame feels

FRAME_INERTIA = Once(operational.operational_inertia, ("Lambda_inverse",), ("Lambda_pivot", "Lambda"))
OPERATIONAL_INERTIA = Program(
    "operational_inertia",
    (*OPERATIONAL_INERTIA_INVERSE.stages, FRAME_INERTIA),
    (Output("Lambda", "whole", (6, 6)),),
    joint_space=True,
)
_FORCELESS = {**ALL_PASSIVE, "tau": 0.0}
FREE_MOTION = (
    HINGE,
    VELOCITY,
    GYROSCOPIC,
    EXTERNAL,
    ARTICULATED,
    given(INNOVATIONS, **_FORCELESS),
    given(SMOOTHING, **_FORCELESS),
    POSE,
)
OPERATIONAL_BIAS = Program(
    "operational_bias",
    (
        *FREE_MOTION,
        FRAME_POSE,
        Once(
            task.frame_drift, ("frame.V", "frame.alpha", "frame.pose", "frame", "R_axes", "gravity"), ("alpha_frame",)
        ),
        UPSILON,
        TASK,
        Once(task.frame_response, ("B", "frame.Upsilon"), ("Lambda_inverse",)),
        FRAME_INERTIA,
        Once(operational.operational_bias, ("Lambda", "alpha_frame"), ("F",)),
    ),
    (Output("F", "whole", (6,)),),
    joint_space=True,
)
