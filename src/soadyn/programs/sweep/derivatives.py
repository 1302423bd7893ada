"""Level 4 - full Jacobians of inverse, forward and hybrid dynamics as sweeps of their own.

Derivatives by q are along the joints' own motions, in the order of v; external wrenches keep their components along the
links' axes. Accelerations are in the Lie form (`two_sweeps`).
"""

from __future__ import annotations

from soadyn.mechanics.link import crossing, derivatives, motion, response, response_matrices
from soadyn.programs.sweep.algorithms import (
    ACCELERATION,
    ALL_PASSIVE,
    ARTICULATED,
    COMPOSITE,
    EVERY,
    EXTERNAL,
    HINGE,
    INNOVATIONS,
    INWARD,
    OUTWARD,
    RICCATI,
    SMOOTHING,
    at_rest,
    given,
)
from soadyn.programs.sweep.combine import renamed
from soadyn.programs.sweep.program import Output, Pairs, Program, Stage, Substitution, Sweep
from soadyn.programs.sweep.two_sweeps import LINK_VELOCITY, OWN_ACCELERATION, OWN_FORCE

# Inverse dynamics: composite bodies

MOTION_CHANGES = Sweep(
    OUTWARD,
    derivatives.motion_changes,
    ("phi", "H", "v", "vdot", "V", "parent.V", "parent.alpha"),
    ("S_1", "S_2", "S_3"),
)
COMPOSITE_FORCE = Sweep(
    INWARD,
    derivatives.composite_force,
    ("phi", "M", "V", "alpha", "f_external", "children.phi_f"),
    ("f_c", "phi_f"),
)
COMPOSITE_DRIFT = Sweep(INWARD, derivatives.composite_drift, ("phi", "M", "V", "children.phi_N"), ("N", "phi_N"))
FORCE_CHANGES = Pairs(
    derivatives.force_changes,
    ("H", "A_r", "R", "N", "f_c", "S_1", "S_2", "S_3"),
    derivatives.force_change_rows,
    ("H", "S_1", "S_2", "S_3"),
    ("dq", "dv", "mass"),
)
MOVING = (HINGE, LINK_VELOCITY, OWN_ACCELERATION)
INVERSE_DYNAMICS_DERIVATIVES = Program(
    "inverse_dynamics_derivatives",
    (
        *MOVING,
        EXTERNAL,
        ACCELERATION,
        MOTION_CHANGES,
        COMPOSITE_FORCE,
        COMPOSITE,
        COMPOSITE_DRIFT,
        FORCE_CHANGES,
    ),
    (Output("dq", "pairs"), Output("dv", "pairs"), Output("mass", "symmetric")),
    joint_space=True,
)

# Forward and hybrid dynamics: the filter and the smoother, a column for each component

_UNIT = (("unit", "identity"),)


ARTICULATED_DRIFT = Sweep(
    INWARD,
    response.articulated_drift,
    ("phi", "H", "M", "V", "D", "G", "passive", "children.phi_N_hat"),
    ("N_hat", "h_N", "phi_N_hat"),
)
CHANGE_SOURCES = Sweep(
    EVERY,
    response.change_sources,
    ("H", "P", "N_hat", "z", "alpha", "S_1", "S_2", "S_3"),
    ("s_q", "s_v", "F", "dH_f"),
)
Q_INNOVATIONS = Sweep(
    INWARD,
    response.q_innovation,
    ("phi", "H", "D", "G", "s_q", "F", "dH_f", "unit", "passive", "children.phi_x_q"),
    ("x_q", "nu_q", "phi_x_q"),
    given=_UNIT,
)
V_INNOVATIONS = Sweep(
    INWARD,
    response.v_innovation,
    ("phi", "H", "D", "G", "s_v", "unit", "passive", "children.phi_x_v"),
    ("x_v", "nu_v", "phi_x_v"),
    given=_UNIT,
)
Q_RESPONSES = Sweep(
    OUTWARD,
    response.q_response,
    (
        *("phi", "H", "P", "G", "N_hat", "h_N", "S_1", "S_2", "dH_f"),
        *("x_q", "nu_q", "unit", "passive", "parent.alpha_q", "parent.w_q"),
    ),
    ("theta_ddot_q", "T_q", "alpha_q", "w_q"),
    ground=(("alpha_q", motion.resting), ("w_q", response.not_turning)),
    given=_UNIT,
)
V_RESPONSES = Sweep(
    OUTWARD,
    response.v_response,
    (
        *("phi", "H", "P", "G", "N_hat", "h_N", "S_3"),
        *("x_v", "nu_v", "unit", "passive", "parent.alpha_v", "parent.w_v"),
    ),
    ("theta_ddot_v", "T_v", "alpha_v", "w_v"),
    ground=(("alpha_v", motion.resting), ("w_v", response.not_turning)),
    given=_UNIT,
)
_UNITS = {"z": "z_u", "nu": "nu_u", "phi_z": "phi_z~2", "theta_ddot": "theta_ddot_u", "T": "T_u", "alpha": "alpha~2"}
_NOTHING = {"a": 0.0, "b": 0.0, "f_external": 0.0}
_UNIT_INPUTS = {"vdot": "identity", "tau": "identity"}


def _masked(stage: Stage, passive: float | None) -> Stage:
    """The same stage with a constant mask of passive components."""
    return stage if passive is None or "passive" not in stage.reads else given(stage, passive=passive)


def _responses(passive: float | None) -> tuple[Stage, ...]:
    """Accelerations and forces, and their derivatives by q and v: all stages but the unit columns."""
    stages = (
        *MOVING,
        OWN_FORCE,
        EXTERNAL,
        RICCATI,
        INNOVATIONS,
        SMOOTHING,
        renamed(MOTION_CHANGES, {"vdot": "theta_ddot"}),
        ARTICULATED_DRIFT,
        CHANGE_SOURCES,
        Q_INNOVATIONS,
        V_INNOVATIONS,
        Q_RESPONSES,
        V_RESPONSES,
    )
    known = {INNOVATIONS, SMOOTHING} if passive == 1.0 else set()
    return tuple(_masked(given(s, vdot=0.0) if s in known else s, passive) for s in stages)


RESPONSE_MATRICES = Pairs(
    response_matrices.response_columns,
    ("H", "D", "G", "h_N", "s_q", "s_v", "F", "dH_f"),
    response_matrices.response_rows,
    ("H", "D", "G", "S_1", "S_2", "S_3"),
    ("Y_q", "Y_v", "U", "D_inverse"),
)
FORWARD_DERIVATIVES_BY_SWEEPS = Program(
    "forward_dynamics_derivatives",
    (
        *_responses(1.0),
        renamed(given(INNOVATIONS, **ALL_PASSIVE, **_NOTHING, tau="identity"), _UNITS),
        renamed(given(at_rest(SMOOTHING), **ALL_PASSIVE, a=0.0, tau="identity"), _UNITS),
    ),
    (
        Output("theta_ddot_q", "joint columns"),
        Output("theta_ddot_v", "joint columns"),
        Output("theta_ddot_u", "joint matrix"),
    ),
    joint_space=True,
)
FORWARD_DYNAMICS_DERIVATIVES = Program(
    "forward_dynamics_derivatives",
    (
        *_responses(1.0)[:-4],
        RESPONSE_MATRICES,
        Substitution(
            response_matrices.responses,
            ("all.U", "all.Y_q", "all.Y_v", "all.D_inverse"),
            ("theta_ddot_q", "theta_ddot_v", "theta_ddot_u"),
        ),
    ),
    tuple(Output(f"theta_ddot_{by}", "solved") for by in ("q", "v", "u")),
    joint_space=True,
    alternatives=(FORWARD_DERIVATIVES_BY_SWEEPS,),
)
# The last of each three has columns by a where a component is active, by tau where it is passive.
HYBRID_DYNAMICS_DERIVATIVES = Program(
    "hybrid_dynamics_derivatives",
    (
        *_responses(None),
        renamed(given(INNOVATIONS, **_NOTHING, **_UNIT_INPUTS), _UNITS),
        renamed(given(at_rest(SMOOTHING), a=0.0, **_UNIT_INPUTS), _UNITS),
    ),
    tuple(Output(f"{value}_{by}", "joint columns") for value in ("theta_ddot", "T") for by in ("q", "v", "u")),
    joint_space=True,
)

# Rates of the mass matrix

_CHANGING = (HINGE, LINK_VELOCITY, Sweep(EVERY, derivatives.map_rates, ("H", "v", "V"), ("S_C",)))
_RATE_READS = ("H", "R", "N", "S_C"), ("H", "S_C")
CORIOLIS_COLUMNS = Pairs(
    derivatives.coriolis_columns, _RATE_READS[0], derivatives.coriolis_rows, _RATE_READS[1], ("C",)
)
MASS_RATE_COLUMNS = Pairs(
    derivatives.mass_rate_columns, _RATE_READS[0], derivatives.mass_rate_rows, _RATE_READS[1], ("mass_rate",)
)
CORIOLIS_MATRIX = Program(
    "coriolis_matrix",
    (*_CHANGING, COMPOSITE, COMPOSITE_DRIFT, CORIOLIS_COLUMNS),
    (Output("C", "pairs"),),
    joint_space=True,
)
CHRISTOFFEL_SYMBOLS = Program(
    "christoffel_symbols",
    CORIOLIS_MATRIX.stages,
    (Output("C", "pairs", ("nv", "nv", "nv")),),
    joint_space=True,
    units="v",
)
MASS_MATRIX_SENSITIVITIES = Program(
    "mass_matrix_sensitivities",
    (*_CHANGING, COMPOSITE, COMPOSITE_DRIFT, MASS_RATE_COLUMNS),
    (Output("mass_rate", "symmetric", ("nv", "nv", "nv")),),
    joint_space=True,
    units="v",
)
MASS_MATRIX_LOG_DETERMINANT = Program(
    "mass_matrix_log_determinant",
    (HINGE, ARTICULATED, Sweep(EVERY, crossing.log_pivots, ("D",), ("log_det",))),
    (Output("log_det", "sum"),),
    joint_space=True,
)
