"""The table's rows on the diagonalized equations of motion (000).

ν̇ + C = ε,    D ξ̇ + C_ξ = κ        gravity and wrenches enter as joint forces, in ε and κ
"""

from __future__ import annotations

from soadyn.programs.sweep import diagonalized as sweeps
from soadyn.quantities.row import Quantity

_ARM = '>>> import soadyn as sd\n>>> arm = sd.load("planar_two_link")\n>>> q, v = [0.0, 0.5], [1.0, -2.0]\n'
_JOINT = ("(nv,)",)
_RATE, _FORCE = "rad/s or m/s", "N m or N"
_ROOT = "square root of J"

DIAGONALIZED = (
    Quantity(
        "normalized_rates",
        sweeps.NORMALIZED_RATES,
        ("q", "v", "square_root"),
        _JOINT,
        _ROOT,
        "nu = m* v,  m = (I + H phi K) L,  D = L L*",
        "Rates in which the mass matrix is the identity: the kinetic energy is |nu|^2 / 2.",
        _ARM
        + ">>> nu = arm.normalized_rates(q, v)\n>>> bool(abs(nu @ nu / 2 - arm.kinetic_energy(q, v)) < 1e-14)\nTrue",
        symmetric=sweeps.SYMMETRIC_RATES,
    ),
    Quantity(
        "rates_from_normalized",
        sweeps.RATES_FROM_NORMALIZED,
        ("q", "nu", "square_root"),
        _JOINT,
        _RATE,
        "v = m^-* nu",
        "The joint rates that normalized rates stand for.",
        _ARM + ">>> arm.rates_from_normalized(q, arm.normalized_rates(q, v)).round(12)\narray([ 1., -2.])",
        symmetric=sweeps.RATES_FROM_SYMMETRIC,
    ),
    Quantity(
        "normalized_forces",
        sweeps.NORMALIZED_FORCES,
        ("q", "tau", "square_root"),
        _JOINT,
        f"{_ROOT} per second",
        "epsilon = m^-1 tau",
        "Forces of which each drives its own normalized rate: nu . epsilon is the power v . tau. Gravity and wrenches "
        "are joint forces here: take tau less inverse_dynamics at rest.",
        _ARM + ">>> power = arm.normalized_rates(q, v) @ arm.normalized_forces(q, [3.0, 1.0])\n"
        ">>> round(float(power), 12)\n1.0",
        symmetric=sweeps.SYMMETRIC_FORCES,
    ),
    Quantity(
        "forces_from_normalized",
        sweeps.FORCES_FROM_NORMALIZED,
        ("q", "epsilon", "square_root"),
        _JOINT,
        _FORCE,
        "tau = m epsilon",
        "The joint forces that normalized forces stand for.",
        _ARM + ">>> arm.forces_from_normalized(q, arm.normalized_forces(q, [3.0, 1.0])).round(12)\narray([3., 1.])",
        symmetric=sweeps.FORCES_FROM_SYMMETRIC,
    ),
    Quantity(
        "normalized_bias",
        sweeps.NORMALIZED_BIAS,
        ("q", "v", "square_root"),
        _JOINT,
        f"{_ROOT} per second",
        "C of nu_dot + C = epsilon",
        "The Coriolis term of the normalized equations, without gravity, by one walk inward; it does no work.",
        _ARM + ">>> bool(abs(arm.normalized_rates(q, v) @ arm.normalized_bias(q, v)) < 1e-14)\nTrue",
        symmetric=sweeps.SYMMETRIC_BIAS,
    ),
    Quantity(
        "total_rates",
        sweeps.TOTAL_RATES,
        ("q", "v"),
        _JOINT,
        _RATE,
        "xi = (I + H phi K)* v = v + G* V+",
        "Each joint's rate, and what the moving link that carries it makes of it: the kinetic energy is xi* D xi / 2.",
        _ARM + ">>> xi, (U, D) = arm.total_rates(q, v), arm.mass_matrix_factors(q)\n"
        ">>> bool(abs(xi @ D @ xi / 2 - arm.kinetic_energy(q, v)) < 1e-14)\nTrue",
    ),
    Quantity(
        "rates_from_total",
        sweeps.RATES_FROM_TOTAL,
        ("q", "xi"),
        _JOINT,
        _RATE,
        "v = xi - G* V+",
        "The joint rates that total rates stand for.",
        _ARM + ">>> arm.rates_from_total(q, arm.total_rates(q, v)).round(12)\narray([ 1., -2.])",
    ),
    Quantity(
        "working_forces",
        sweeps.WORKING_FORCES,
        ("q", "tau"),
        _JOINT,
        _FORCE,
        "kappa = (I - H psi K) tau = tau - H z",
        "What of each joint's force is left to work after holding what the joints beyond push with.",
        _ARM
        + ">>> power = arm.total_rates(q, v) @ arm.working_forces(q, [3.0, 1.0])\n>>> round(float(power), 12)\n1.0",
    ),
    Quantity(
        "forces_from_working",
        sweeps.FORCES_FROM_WORKING,
        ("q", "kappa"),
        _JOINT,
        _FORCE,
        "tau = (I + H phi K) kappa = kappa + H z",
        "The joint forces that working forces stand for.",
        _ARM + ">>> arm.forces_from_working(q, arm.working_forces(q, [3.0, 1.0])).round(12)\narray([3., 1.])",
    ),
    Quantity(
        "total_bias",
        sweeps.TOTAL_BIAS,
        ("q", "v"),
        _JOINT,
        _FORCE,
        "C_xi of D xi_dot + C_xi = kappa",
        "The Coriolis term of the un-normalized equations, without gravity, by one walk inward.",
        _ARM + ">>> arm.total_bias(q, v).shape\n(2,)",
    ),
    Quantity(
        "total_accelerations",
        sweeps.TOTAL_ACCELERATIONS,
        ("q", "v", "tau", "external"),
        _JOINT,
        "rad/s^2 or m/s^2",
        "xi_dot = D^-1 [T - H psi zeta]",
        "How the total rates change, gravity and wrenches included: forward dynamics by a walk outward and one inward.",
        _ARM + ">>> arm.total_accelerations(q, v, [3.0, 1.0]).shape\n(2,)",
    ),
)
