"""Level 4 - the diagonalized equations of motion (000): rates and forces, Coriolis terms, Algorithm 8.1.

Each normalized program has a twin with the symmetric square root of D in place of the Cholesky factor.
"""

from __future__ import annotations

from soadyn.mechanics.link import diagonalized as link
from soadyn.mechanics.link import motion, square_root
from soadyn.programs.sweep.algorithms import ACCELERATION, ARTICULATED, EVERY, EXTERNAL, HINGE, INWARD, OUTWARD, given
from soadyn.programs.sweep.program import Output, Program, Stage, Sweep
from soadyn.programs.sweep.two_sweeps import LINK_VELOCITY

FACTOR = (HINGE, ARTICULATED)
TURN = Sweep(EVERY, square_root.symmetric_turn, ("D",), ("Q",))
GROUND = (("V", motion.resting),)


def _program(name: str, result: str, *stages: Stage) -> Program:
    return Program(name, stages, (Output(result, "joint"),), joint_space=True)


def _turned_back(result: str) -> tuple[Stage, ...]:
    """From the Cholesky factor's result to the symmetric root's."""
    return TURN, Sweep(EVERY, square_root.turned_back, ("Q", result), (f"{result}_symmetric",))


def _turned(name: str) -> tuple[Stage, ...]:
    """From an input of the symmetric root to the Cholesky factor's."""
    return TURN, Sweep(EVERY, square_root.turned, ("Q", f"{name}_given"), (name,))


# Tables 1 and 2

TOTAL = Sweep(OUTWARD, link.total_rate, ("phi", "H", "G", "v", "parent.V"), ("xi", "V"), ground=GROUND)
NORMALIZED = Sweep(EVERY, link.normalized_rate, ("D", "xi"), ("nu",))
WORKING = Sweep(INWARD, link.working_force, ("phi", "H", "G", "tau", "children.phi_z"), ("kappa", "phi_z"))
NORMALIZED_FORCE = Sweep(EVERY, link.normalized_force, ("D", "kappa"), ("epsilon",))

TOTAL_RATES = _program("total_rates", "xi", *FACTOR, TOTAL)
NORMALIZED_RATES = _program("normalized_rates", "nu", *FACTOR, TOTAL, NORMALIZED)
WORKING_FORCES = _program("working_forces", "kappa", *FACTOR, WORKING)
NORMALIZED_FORCES = _program("normalized_forces", "epsilon", *FACTOR, WORKING, NORMALIZED_FORCE)


def _rates_from(xi: str) -> Sweep:
    return Sweep(OUTWARD, link.rate_from_total, ("phi", "H", "G", xi, "parent.V"), ("theta_dot", "V"), ground=GROUND)


def _forces_from(kappa: str) -> Sweep:
    return Sweep(INWARD, link.force_from_working, ("phi", "H", "G", kappa, "children.phi_z"), ("T", "phi_z"))


def _total(nu: str) -> Sweep:
    return Sweep(EVERY, link.total_from_normalized, ("D", nu), ("xi",))


def _working(epsilon: str) -> Sweep:
    return Sweep(EVERY, link.working_from_normalized, ("D", epsilon), ("kappa",))


RATES_FROM_TOTAL = _program("rates_from_total", "theta_dot", *FACTOR, _rates_from("xi_given"))
RATES_FROM_NORMALIZED = _program("rates_from_normalized", "theta_dot", *FACTOR, _total("nu_given"), _rates_from("xi"))
FORCES_FROM_WORKING = _program("forces_from_working", "T", *FACTOR, _forces_from("kappa_given"))
FORCES_FROM_NORMALIZED = _program(
    "forces_from_normalized", "T", *FACTOR, _working("epsilon_given"), _forces_from("kappa")
)

# Coriolis terms: velocities outward, then one walk inward

INERTIA_RATE = Sweep(
    INWARD,
    link.inertia_rate,
    ("phi", "H", "A_r", "P", "G", "v", "children.phi_lambda"),
    ("lambda_dot", "phi_lambda"),
)
_RATES = ("phi", "H", "M", "A_r", "P", "G", "v", "V", "lambda_dot")
INNOVATION = Sweep(INWARD, link.total_innovation, (*_RATES, "b", "tau", "children.phi_y"), ("xi", "kappa", "phi_y"))
CORIOLIS = Sweep(INWARD, link.normalized_coriolis, (*_RATES, "children.phi_y"), ("xi", "x_coriolis", "phi_y"))
BIAS = Sweep(
    EVERY,
    link.normalized_bias,
    ("H", "A_r", "D", "v", "xi", "lambda_dot", "x_coriolis"),
    ("C", "D_rate"),
)
MOVING = (HINGE, LINK_VELOCITY, ARTICULATED, INERTIA_RATE)
WEIGHT = given(ACCELERATION, vdot=0.0, a=0.0)
LOAD = Sweep(EVERY, link.load, ("M", "alpha", "f_external"), ("b",))

TOTAL_BIAS = _program(
    "total_bias",
    "C_xi",
    *MOVING,
    given(INNOVATION, tau=0.0, b=0.0),
    Sweep(EVERY, link.total_bias, ("D", "v", "xi", "kappa"), ("C_xi",)),
)
NORMALIZED_BIAS = _program("normalized_bias", "C", *MOVING, CORIOLIS, BIAS)
TOTAL_ACCELERATIONS = _program(
    "total_accelerations",
    "xi_dot",
    HINGE,
    LINK_VELOCITY,
    WEIGHT,
    EXTERNAL,
    LOAD,
    ARTICULATED,
    INERTIA_RATE,
    INNOVATION,
    Sweep(EVERY, link.total_acceleration, ("D", "v", "xi", "kappa"), ("xi_dot",)),
)

# The symmetric square root

SYMMETRIC_RATES = _program("normalized_rates", "nu_symmetric", *FACTOR, TOTAL, NORMALIZED, *_turned_back("nu"))
SYMMETRIC_FORCES = _program(
    "normalized_forces", "epsilon_symmetric", *FACTOR, WORKING, NORMALIZED_FORCE, *_turned_back("epsilon")
)
RATES_FROM_SYMMETRIC = _program(
    "rates_from_normalized", "theta_dot", *FACTOR, *_turned("nu"), _total("nu"), _rates_from("xi")
)
FORCES_FROM_SYMMETRIC = _program(
    "forces_from_normalized", "T", *FACTOR, *_turned("epsilon"), _working("epsilon"), _forces_from("kappa")
)
SYMMETRIC_BIAS = _program(
    "normalized_bias",
    "C_symmetric",
    *MOVING,
    CORIOLIS,
    BIAS,
    TURN,
    Sweep(EVERY, square_root.symmetric_bias, ("D", "Q", "xi", "D_rate", "C"), ("C_symmetric",)),
)
