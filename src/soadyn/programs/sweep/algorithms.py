"""Level 4 - the named algorithms as programs.

Forward, inverse (where not plain Newton-Euler) and hybrid dynamics are one pair of sweeps, `INNOVATIONS` and
`SMOOTHING`, with a mask of passive components; so is the inverse of the mass matrix.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from soadyn.mechanics.link import crossing, force, frame, hinge, inverse_mass, motion, regressor, whole
from soadyn.programs.sweep.program import Climb, Direction, Once, Output, Program, Stage, Substitution, Sweep

INWARD, OUTWARD, EVERY = Direction.TIP_TO_BASE, Direction.BASE_TO_TIP, Direction.EVERY_LINK

# Kinematics

HINGE = Sweep(EVERY, hinge.hinge, ("placement", "pitch", "start", "q"), ("phi", "H"))
POSE = Sweep(OUTWARD, hinge.pose, ("phi", "parent.pose"), ("pose",), ground=(("pose", motion.world),))
VELOCITY = Sweep(OUTWARD, motion.velocity, ("phi", "H", "v", "parent.V"), ("V", "a"), ground=(("V", motion.resting),))
ACCELERATION = Sweep(
    OUTWARD,
    motion.acceleration,
    ("phi", "H", "vdot", "a", "parent.alpha"),
    ("alpha",),
    ground=(("alpha", motion.upward),),
)
GYROSCOPIC = Sweep(EVERY, motion.gyroscopic_force, ("M", "V"), ("b",))
EXTERNAL = Sweep(EVERY, force.external_force, ("link_frame", "external"), ("f_external",))


def given(stage: Stage, **constants: float | str) -> Stage:
    """The same stage with some of what it reads replaced by constants."""
    assert not isinstance(stage, Substitution), "a substitution reads matrices alone"
    return replace(stage, given=(*stage.given, *constants.items()))


def at_rest(stage: Sweep) -> Sweep:
    """The same sweep on a ground that does not accelerate: without gravity."""
    return replace(stage, ground=tuple((name, motion.resting) for name, _ in stage.ground))


@cache
def without_external(program: Program) -> Program:
    """The same program for a robot on which no external wrench acts."""
    stages = [
        given(stage, f_external=0.0) if "f_external" in stage.reads else stage
        for stage in program.stages
        if stage is not EXTERNAL
    ]
    rule = program.implicit
    return replace(
        program,
        stages=tuple(stages),
        alternatives=tuple(map(without_external, program.alternatives)),
        implicit=rule and replace(rule, inverse=without_external(rule.inverse)),
    )


# Newton-Euler

LINK_FORCE = Sweep(
    INWARD,
    force.link_force,
    ("phi", "H", "M", "A_r", "alpha", "b", "f_external", "vdot", "children.phi_f"),
    ("phi_f", "T"),
)
GRAVITY_FORCE = Program(
    "gravity_force",
    (
        HINGE,
        given(ACCELERATION, vdot=0.0, a=0.0),
        given(LINK_FORCE, vdot=0.0, b=0.0, f_external=0.0),
    ),
    (Output("T", "joint"),),
    joint_space=True,
)

# Composite bodies

COMPOSITE = Sweep(INWARD, force.composite_inertia, ("phi", "M", "children.phi_R"), ("R", "phi_R"))
MASS_COLUMNS = Climb(force.mass_column, ("H", "R", "A_r"), force.joint_row, ("H",), ("mass",))
MASS_MATRIX = Program("mass_matrix", (HINGE, COMPOSITE, MASS_COLUMNS), (Output("mass", "symmetric"),), joint_space=True)

# Articulated bodies: the masked recursion

RICCATI = Sweep(
    INWARD,
    crossing.articulated_inertia,
    ("phi", "H", "M", "A_r", "load", "passive", "children.phi_P"),
    ("P", "D", "G", "P_plus", "phi_P"),
)
INNOVATIONS = Sweep(
    INWARD,
    crossing.innovation,
    ("phi", "H", "D", "G", "P_plus", "a", "b", "f_external", "vdot", "tau", "passive", "children.phi_z"),
    ("z", "nu", "phi_z"),
)
SMOOTHING = Sweep(
    OUTWARD,
    crossing.smoothed_motion,
    ("phi", "H", "P", "A_r", "G", "a", "z", "nu", "vdot", "tau", "passive", "parent.alpha"),
    ("theta_ddot", "T", "alpha"),
    ground=(("alpha", motion.upward),),
)
ALL_PASSIVE = {"passive": 1.0, "vdot": 0.0}
ARTICULATED = given(RICCATI, passive=1.0)

_COLUMNS: dict[str, float | str] = {**ALL_PASSIVE, "a": 0.0, "tau": "identity"}
INNOVATIONS_ROWS = Sweep(
    INWARD, inverse_mass.innovations_row, ("phi", "H", "D", "G", "tau", "children.phi_z"), ("W", "nu", "phi_z")
)
# Fewer operations than a smoother for every column, but the product in the end needs all rows at once
INVERSE_BY_FACTORS = Program(
    "mass_matrix_inverse",
    (
        HINGE,
        ARTICULATED,
        given(INNOVATIONS_ROWS, tau="identity"),
        Once(inverse_mass.inverse_mass, ("all.W", "all.nu"), ("inverse",)),
    ),
    (Output("inverse", "whole", ("nv", "nv")),),
    joint_space=True,
)
MASS_MATRIX_INVERSE = Program(
    "mass_matrix_inverse",
    (
        HINGE,
        ARTICULATED,
        given(INNOVATIONS, **_COLUMNS, b=0.0, f_external=0.0),
        given(at_rest(SMOOTHING), **_COLUMNS),
    ),
    (Output("theta_ddot", "joint matrix"),),
    joint_space=True,
    alternatives=(INVERSE_BY_FACTORS,),
)
FACTOR_COLUMNS = Climb(crossing.factor_column, ("G",), force.joint_row, ("H",), ("U",))
PIVOT_BLOCKS = Sweep(EVERY, crossing.pivot_block, ("D",), ("D_block",))
MASS_MATRIX_FACTORS = Program(
    "mass_matrix_factors",
    (HINGE, ARTICULATED, FACTOR_COLUMNS, PIVOT_BLOCKS),
    (Output("U", "matrix"), Output("D_block", "blocks")),
    joint_space=True,
)

# Energy and momentum

POTENTIAL_ENERGY = Program(
    "potential_energy",
    (HINGE, COMPOSITE, Once(whole.potential_energy, ("ground.phi_R", "gravity"), ("energy",))),
    (Output("energy", "whole", ()),),
)
COM = Once(whole.center_of_mass, ("ground.phi_R",), ("com",))
CENTER_OF_MASS = Program("center_of_mass", (HINGE, COMPOSITE, COM), (Output("com", "whole", (3,)),))
MOMENTUM = Program(
    "momentum",
    (
        HINGE,
        VELOCITY,
        Sweep(INWARD, force.momentum, ("phi", "M", "V", "children.phi_h"), ("phi_h",)),
        COMPOSITE,
        Once(whole.momentum_about, ("ground.phi_h", "ground.phi_R", "about", "about_com"), ("momentum",)),
    ),
    (Output("momentum", "whole", (6,)),),
)
MOMENTUM_COLUMNS = Sweep(EVERY, whole.momentum_column, ("pose", "H", "R", "com"), ("A",))
CENTROIDAL_MOMENTUM_MATRIX = Program(
    "centroidal_momentum_matrix", (HINGE, COMPOSITE, POSE, COM, MOMENTUM_COLUMNS), (Output("A", "columns"),)
)
CENTER_OF_MASS_JACOBIAN = Program(
    "center_of_mass_jacobian",
    (
        HINGE,
        COMPOSITE,
        POSE,
        COM,
        MOMENTUM_COLUMNS,
        Sweep(EVERY, whole.com_jacobian_column, ("A", "ground.phi_R"), ("J_com",)),
    ),
    (Output("J_com", "columns", (3, "nv")),),
)

# Frames

FRAME_POSE = Once(frame.frame_pose, ("frame.pose", "frame", "axes.pose", "axes"), ("pose_frame", "R_axes"))
POSE_OF = Program("pose", (HINGE, POSE, FRAME_POSE), (Output("pose_frame", "whole", (4, 4)),), joint_space=True)
POSES = Program(
    "poses",
    (HINGE, POSE, Sweep(EVERY, frame.public_pose, ("pose", "link_frame"), ("pose_link",))),
    (Output("pose_link", "link"),),
    joint_space=True,
)
JACOBIAN = Program(
    "jacobian",
    (
        HINGE,
        POSE,
        FRAME_POSE,
        Sweep(EVERY, frame.jacobian_column, ("pose", "H", "on_path", "pose_frame", "R_axes"), ("J",)),
    ),
    (Output("J", "columns"),),
    joint_space=True,
)
FRAME_VELOCITY = Program(
    "frame_velocity",
    (
        HINGE,
        VELOCITY,
        POSE,
        FRAME_POSE,
        Once(frame.frame_velocity, ("frame.V", "frame.pose", "frame", "R_axes"), ("V_frame",)),
    ),
    (Output("V_frame", "whole", (6,)),),
    joint_space=True,
)
FRAME_ACCELERATION = Program(
    "frame_acceleration",
    (
        HINGE,
        VELOCITY,
        POSE,
        FRAME_POSE,
        at_rest(ACCELERATION),
        Once(
            frame.frame_acceleration,
            ("frame.V", "frame.alpha", "frame.pose", "frame", "R_axes"),
            ("alpha_frame",),
        ),
    ),
    (Output("alpha_frame", "whole", (6,)),),
    joint_space=True,
)

# Identification

REGRESSOR = Program(
    "inertia_regressor",
    (
        HINGE,
        VELOCITY,
        ACCELERATION,
        Climb(
            regressor.parameter_force,
            ("H", "link_frame", "V", "alpha"),
            force.joint_row,
            ("H",),
            ("Y",),
            visible_only=True,
        ),
    ),
    (Output("Y", "matrix", ("nv", "parameters")),),
    joint_space=True,
)
