"""Level 4 - operational space, and robots with passive joints (004), as programs.

Unit wrenches at a frame go through the same filter and smoother as all other forces, six columns at once: what the
frames then do is the inverse of the operational inertia, what the active joints feel is the generalized Jacobian. Unit
accelerations of active and unit forces of passive joints give the matrices S and the disturbance Jacobian.
"""

from __future__ import annotations

from dataclasses import replace

from soadyn.mechanics.link import motion, task
from soadyn.programs.sweep.algorithms import (
    ARTICULATED,
    EVERY,
    EXTERNAL,
    FACTOR_COLUMNS,
    FRAME_POSE,
    GYROSCOPIC,
    HINGE,
    INNOVATIONS,
    INWARD,
    OUTWARD,
    PIVOT_BLOCKS,
    POSE,
    RICCATI,
    SMOOTHING,
    VELOCITY,
    at_rest,
    given,
)
from soadyn.programs.sweep.combine import renamed
from soadyn.programs.sweep.program import Once, Output, Program, Stage, Sweep

# Six columns at once: the response to unit wrenches at a frame

TASK = Once(task.task_map, ("frame.pose", "frame", "R_axes"), ("B",))
UNIT_WRENCHES = Sweep(EVERY, task.unit_wrenches, ("at_frame", "B"), ("f_B",))
SIX = {
    "f_external": "f_B",
    "z": "z_B",
    "nu": "nu_B",
    "phi_z": "phi_z_B",
    "theta_ddot": "theta_ddot_B",
    "T": "T_B",
    "alpha": "alpha_B",
}
UNMOVED = replace(SMOOTHING, ground=(("alpha", task.resting_columns),))


def wrench_responses(**constants: float) -> tuple[Stage, Stage]:
    """The filter and the smoother with nothing but the six unit wrenches."""
    known = {"a": 0.0, "vdot": 0.0, "tau": 0.0, **constants}
    return renamed(given(INNOVATIONS, b=0.0, **known), SIX), renamed(given(UNMOVED, **known), SIX)


UPSILON = Sweep(
    OUTWARD,
    task.operational_inertia,
    ("phi", "H", "D", "G", "parent.Upsilon"),
    ("Upsilon",),
    ground=(("Upsilon", task.immovable),),
)
OPERATIONAL_INERTIA_INVERSE = Program(
    "operational_inertia_inverse",
    (
        HINGE,
        ARTICULATED,
        UPSILON,
        POSE,
        FRAME_POSE,
        TASK,
        Once(task.frame_response, ("B", "frame.Upsilon"), ("Lambda_inverse",)),
    ),
    (Output("Lambda_inverse", "whole", (6, 6)),),
    joint_space=True,
)
GENERALIZED_JACOBIAN = Program(
    "generalized_jacobian",
    (
        HINGE,
        POSE,
        FRAME_POSE,
        TASK,
        RICCATI,
        UNIT_WRENCHES,
        *wrench_responses(),
        Sweep(EVERY, task.generalized_column, ("T_B",), ("J_G",)),
    ),
    (Output("J_G", "columns"),),
    joint_space=True,
)

# A column for each joint component: the matrices S

UNIT_INNOVATIONS = Sweep(
    INWARD,
    task.unit_innovation,
    ("phi", "H", "D", "G", "P_plus", "unit", "passive", "children.phi_z"),
    ("z", "nu", "phi_z"),
    given=(("unit", "identity"),),
)
UNIT_RESPONSES = Sweep(
    OUTWARD,
    task.unit_response,
    ("phi", "H", "P", "A_r", "G", "z", "nu", "unit", "passive", "parent.alpha"),
    ("S", "alpha"),
    ground=(("alpha", motion.resting),),
    given=(("unit", "identity"),),
)
ACTUATION_MATRICES = Program(
    "actuation_matrices",
    (HINGE, RICCATI, UNIT_INNOVATIONS, UNIT_RESPONSES),
    (Output("S", "joint matrix"),),
    joint_space=True,
)
DISTURBANCE_JACOBIAN = Program(
    "disturbance_jacobian", ACTUATION_MATRICES.stages, ACTUATION_MATRICES.outputs, joint_space=True
)

PASSIVE_MASS_FACTORS = Program(
    "passive_mass_factors",
    (HINGE, RICCATI, FACTOR_COLUMNS, PIVOT_BLOCKS),
    (Output("U", "matrix"), Output("D_block", "blocks")),
    joint_space=True,
)

# Products with a vector, and what remains when the active joints do not accelerate


def at_standstill(*, called: dict[str, str], **constants: float) -> tuple[Stage, Stage]:
    """The filter and the smoother of a robot at rest, without gravity; `called` says what an input is called here."""
    known = {"a": 0.0, **constants}
    smoother = {name: value for name, value in known.items() if name in SMOOTHING.reads}
    return renamed(given(INNOVATIONS, b=0.0, **known), called), renamed(given(at_rest(SMOOTHING), **smoother), called)


ACCELERATED = (HINGE, RICCATI, *at_standstill(called={"vdot": "x"}, f_external=0.0, tau=0.0))
GENERALIZED_JACOBIAN_TIMES = Program(
    "generalized_jacobian_times",
    (*ACCELERATED, POSE, FRAME_POSE, TASK, Once(task.frame_motion, ("B", "frame.alpha"), ("J_G_x",))),
    (Output("J_G_x", "whole", (6,)),),
    joint_space=True,
)
DISTURBANCE_JACOBIAN_TIMES = Program(
    "disturbance_jacobian_times", ACCELERATED, (Output("theta_ddot", "joint"),), joint_space=True
)
GENERALIZED_JACOBIAN_TRANSPOSED_TIMES = Program(
    "generalized_jacobian_transposed_times",
    (
        HINGE,
        POSE,
        FRAME_POSE,
        TASK,
        RICCATI,
        Sweep(EVERY, task.frame_wrench, ("at_frame", "B", "f"), ("f_external",)),
        *at_standstill(called={}, vdot=0.0, tau=0.0),
    ),
    (Output("T", "joint"),),
    joint_space=True,
)
DISTURBANCE_JACOBIAN_TRANSPOSED_TIMES = Program(
    "disturbance_jacobian_transposed_times",
    (HINGE, RICCATI, *at_standstill(called={"tau": "y"}, f_external=0.0, vdot=0.0)),
    (Output("T", "joint"),),
    joint_space=True,
)

DRIFTING = (
    HINGE,
    VELOCITY,
    GYROSCOPIC,
    EXTERNAL,
    RICCATI,
    given(INNOVATIONS, vdot=0.0),
    given(SMOOTHING, vdot=0.0),
)
GENERALIZED_DRIFT = Program(
    "generalized_drift",
    (
        *DRIFTING,
        POSE,
        FRAME_POSE,
        Once(
            task.frame_drift,
            ("frame.V", "frame.alpha", "frame.pose", "frame", "R_axes", "gravity"),
            ("alpha_frame",),
        ),
    ),
    (Output("alpha_frame", "whole", (6,)),),
    joint_space=True,
)
DISTURBANCE_DRIFT = Program("disturbance_drift", DRIFTING, (Output("theta_ddot", "joint"),), joint_space=True)
