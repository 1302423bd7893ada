"""Level 4 - the Riccati recursion in array form, for comparison with the one that everything else uses."""

from __future__ import annotations

from soadyn.mechanics.link import array_form, force
from soadyn.programs.sweep.algorithms import HINGE, INWARD
from soadyn.programs.sweep.program import Climb, Output, Program, Sweep

ARRAY_RICCATI = Sweep(
    INWARD,
    array_form.array_crossing,
    ("phi", "link_frame", "H", "M", "A_r", "load", "children.phi_S"),
    ("D", "L", "GL", "phi_S"),
)
# Inertias are not regrouped: what a joint does not feel of a link may leave it an inertia without a root.
ROOT_BY_ARRAYS = Program(
    "mass_matrix_root_by_arrays",
    (HINGE, ARRAY_RICCATI, Climb(array_form.array_root_column, ("L", "GL"), force.joint_row, ("H",), ("m",))),
    (Output("m", "matrix"),),
)
