"""Level 4 - inverse dynamics by acceleration fields, forward dynamics with the bias force from it, hybrid dynamics."""

from __future__ import annotations

from soadyn.mechanics.link import crossing, force, motion, newton_euler, whole
from soadyn.programs.sweep.algorithms import (
    ALL_PASSIVE,
    ARTICULATED,
    COMPOSITE,
    EVERY,
    EXTERNAL,
    GYROSCOPIC,
    HINGE,
    INNOVATIONS,
    INWARD,
    MASS_COLUMNS,
    OUTWARD,
    RICCATI,
    SMOOTHING,
    VELOCITY,
    at_rest,
    given,
)
from soadyn.programs.sweep.combine import renamed
from soadyn.programs.sweep.program import Implicit, Once, Output, Program, Sweep

POINT_ACCELERATION = Sweep(
    OUTWARD,
    newton_euler.point_acceleration,
    ("phi", "H", "v", "vdot", "V", "parent.V", "parent.alpha"),
    ("alpha",),
    ground=(("alpha", motion.upward),),
)
JOINT_FORCE = Sweep(
    INWARD,
    newton_euler.joint_force,
    ("phi", "H", "M", "A_r", "V", "alpha", "f_external", "vdot", "children.phi_f"),
    ("phi_f", "T"),
)
INVERSE_DYNAMICS = Program(
    "inverse_dynamics",
    (HINGE, VELOCITY, EXTERNAL, POINT_ACCELERATION, JOINT_FORCE),
    (Output("T", "joint"),),
    joint_space=True,
)
_AT_REST = (given(POINT_ACCELERATION, vdot=0.0), given(JOINT_FORCE, vdot=0.0))
BIAS_FORCE = Program(
    "bias_force",
    (HINGE, VELOCITY, _AT_REST[0], given(_AT_REST[1], f_external=0.0)),
    (Output("T", "joint"),),
    joint_space=True,
)

# Forward dynamics: what the bias force leaves of the joint forces, times the inverse mass matrix

# Beyond so many components articulated bodies win or differ by a few per cent, and tracing takes longer than compiling.
MOST_COMPONENTS = 16
_ALONE = {**ALL_PASSIVE, "a": 0.0}
_SOLVE = (
    HINGE,
    ARTICULATED,
    given(INNOVATIONS, **_ALONE, b=0.0, f_external=0.0),
    given(at_rest(SMOOTHING), **_ALONE),
)
BY_FILTER = Implicit(INVERSE_DYNAMICS, Program("at_rest", _SOLVE, (Output("theta_ddot", "joint"),), joint_space=True))
_LEFT = (HINGE, VELOCITY, EXTERNAL, *_AT_REST, Sweep(EVERY, force.force_left, ("tau", "T"), ("T_left",)))
FORWARD_BY_FILTER = Program(
    "forward_dynamics",
    (
        *_LEFT,
        ARTICULATED,
        renamed(given(INNOVATIONS, **_ALONE, b=0.0, f_external=0.0), {"tau": "T_left"}),
        renamed(given(at_rest(SMOOTHING), **_ALONE), {"tau": "T_left", "alpha": "alpha~2", "T": "T~2"}),
    ),
    (Output("theta_ddot", "joint"),),
    joint_space=True,
    most_components=MOST_COMPONENTS,
    implicit=BY_FILTER,
)
# Composite bodies and Mass = U D U*: grows with the cube of the joints, but is cheap for six of them
_MATRIX = (COMPOSITE, MASS_COLUMNS, Sweep(EVERY, crossing.pivot_scale, ("R", "A_r", "load"), ("scale",)))
_SOLVED = Once(whole.solved_from_the_tips, ("all.mass", "all.T_left", "all.scale"), ("theta_ddot",))
_ACCELERATIONS = (Output("theta_ddot", "whole", ("nv",)),)
_FORCES = Sweep(EVERY, force.force_alone, ("tau",), ("T_left",))
BY_MATRIX = Implicit(
    INVERSE_DYNAMICS, Program("at_rest", (HINGE, *_MATRIX, _FORCES, _SOLVED), _ACCELERATIONS, joint_space=True)
)
FORWARD_BY_MATRIX = Program(
    "forward_dynamics",
    (*_LEFT, *_MATRIX, _SOLVED),
    _ACCELERATIONS,
    joint_space=True,
    most_components=MOST_COMPONENTS,
    implicit=BY_MATRIX,
)

# Hybrid dynamics: the masked recursion

_KNOWN = {"a": 0.0, "b": 0.0, "f_external": 0.0}
_MASKED = (HINGE, RICCATI, given(INNOVATIONS, **_KNOWN), given(at_rest(SMOOTHING), a=0.0))
_BOTH = (Output("theta_ddot", "joint"), Output("T", "joint"))
HYBRID_DYNAMICS = Program(
    "hybrid_dynamics",
    (HINGE, VELOCITY, GYROSCOPIC, EXTERNAL, RICCATI, INNOVATIONS, SMOOTHING),
    _BOTH,
    joint_space=True,
    implicit=Implicit(INVERSE_DYNAMICS, Program("at_rest", _MASKED, _BOTH, joint_space=True)),
)
