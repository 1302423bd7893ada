"""Level 4 - full Jacobians of the dynamics as sweeps of their own.

Derivatives by q are along the joints' own motions, in the order of v; external wrenches keep their components along the
links' axes.
"""

from __future__ import annotations

from soadyn.link import derivatives, motion
from soadyn.sweep.algorithms import COMPOSITE, EXTERNAL, HINGE, INWARD, OUTWARD
from soadyn.sweep.program import Output, Pairs, Program, Sweep

MOTION_CHANGES = Sweep(
    OUTWARD,
    derivatives.motion_changes,
    ("phi", "H", "v", "vdot", "parent.V", "parent.alpha_L"),
    ("V", "alpha_L", "S_1", "S_2", "S_3"),
    ground=(("V", motion.resting), ("alpha_L", motion.upward)),
)
COMPOSITE_FORCE = Sweep(
    INWARD,
    derivatives.composite_force,
    ("phi", "M", "V", "alpha_L", "f_external", "children.phi_f"),
    ("f_c", "phi_f"),
)
COMPOSITE_DRIFT = Sweep(
    INWARD, derivatives.composite_drift, ("phi", "M", "V", "children.phi_N"), ("N", "phi_N")
)
FORCE_CHANGES = Pairs(
    derivatives.force_changes,
    ("H", "A_r", "R", "N", "f_c", "S_1", "S_2", "S_3"),
    derivatives.force_change_rows,
    ("H", "S_1", "S_2", "S_3"),
    ("dq", "dv", "mass"),
)
INVERSE_DYNAMICS_DERIVATIVES = Program(
    "inverse_dynamics_derivatives",
    (HINGE, EXTERNAL, MOTION_CHANGES, COMPOSITE_FORCE, COMPOSITE, COMPOSITE_DRIFT, FORCE_CHANGES),
    (Output("dq", "pairs"), Output("dv", "pairs"), Output("mass", "symmetric")),
    joint_space=True,
)
