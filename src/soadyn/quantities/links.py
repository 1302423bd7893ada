"""The table's rows on single links, on the mass matrix's root, and on what frames feel."""

from __future__ import annotations

from soadyn.programs.sweep import links as sweeps
from soadyn.programs.sweep.two_sweeps import LINK_VELOCITIES
from soadyn.quantities.row import Quantity

_ARM = '>>> import soadyn as sd\n>>> arm = sd.load("ur5")\n>>> q = [0.1, -1.0, 1.2, 0.3, 0.8, 0.2]\n'

LINKS = (
    Quantity(
        "mass_matrix_root",
        sweeps.MASS_MATRIX_ROOT,
        ("q",),
        ("(nv, nv)",),
        "the square root of the mass matrix's",
        "Mass = m m*,  m = (I + H phi K) D^1/2",
        "The root m of the mass matrix, block upper triangular in storage order; where every joint has one component, "
        "Cholesky's factor in the papers' order.",
        _ARM + ">>> m = arm.mass_matrix_root(q)\n>>> bool(abs(m @ m.T - arm.mass_matrix(q)).max() < 1e-12)\nTrue",
    ),
    Quantity(
        "articulated_inertias",
        sweeps.ARTICULATED_INERTIAS,
        ("q",),
        ("(links, 6, 6)",),
        "kg m^2, kg m, kg",
        "P(k) = M(k) + sum phi(k,j) P+(j) phi*(k,j)",
        "The inertia of each link with all beyond it, joints free, at its frame and along its axes.",
        _ARM + ">>> arm.articulated_inertias(q).shape\n(6, 6, 6)",
    ),
    Quantity(
        "composite_inertias",
        sweeps.COMPOSITE_INERTIAS,
        ("q",),
        ("(links, 6, 6)",),
        "kg m^2, kg m, kg",
        "R(k) = M(k) + sum phi(k,j) R(j) phi*(k,j)",
        "The inertia of each link with all beyond it, joints locked, at its frame and along its axes.",
        _ARM + ">>> round(float(arm.composite_inertias(q)[0, 5, 5] - arm.total_mass), 12)\n0.0",
    ),
    Quantity(
        "link_mobilities",
        sweeps.LINK_MOBILITIES,
        ("q",),
        ("(links, 6, 6)",),
        "inverse of kg m^2, kg m, kg",
        "Upsilon(k) = psi*(p,k) Upsilon(p) psi(p,k) + H*(k) D^-1(k) H(k)",
        "The acceleration of each link per unit of a wrench on it, at its frame and along its axes.",
        _ARM + ">>> arm.link_mobilities(q).shape\n(6, 6, 6)",
    ),
    Quantity(
        "link_velocities",
        LINK_VELOCITIES,
        ("q", "v"),
        ("(links, 6)",),
        "rad/s; m/s",
        "V = phi* H* v",
        "The velocities [angular; linear] of all links, at their frames and along their axes.",
        _ARM + ">>> arm.link_velocities(q, [1.0] * 6).shape\n(6, 6)",
    ),
    Quantity(
        "link_accelerations",
        sweeps.LINK_ACCELERATIONS,
        ("q", "v", "a"),
        ("(links, 6)",),
        "rad/s^2; m/s^2",
        "alpha = phi* (H* a + a_c)",
        "The accelerations [angular; linear] of all links, as `frame_acceleration` has them, along the links' axes.",
        _ARM + ">>> arm.link_accelerations(q, [1.0] * 6, [0.0] * 6).shape\n(6, 6)",
    ),
    Quantity(
        "link_forces",
        sweeps.LINK_FORCES,
        ("q", "v", "a", "external"),
        ("(links, 6)",),
        "N m; N",
        "f = phi [M alpha + b - f_x]",
        "The wrench [moment; force] on each link from its parent, gravity carried, at its frame and along its axes.",
        _ARM + ">>> arm.link_forces(q, [0.0] * 6, [0.0] * 6).shape\n(6, 6)",
    ),
    Quantity(
        "operational_inertia",
        sweeps.OPERATIONAL_INERTIA,
        ("q", "frames", "axes"),
        ("(6 m, 6 m)",),
        "kg m^2, kg m, kg",
        "Lambda = [J Mass^-1 J*]^-1",
        "The inertia that wrenches on frames feel: (..., 6, 6) for a frame, (..., 6 m, 6 m) for a list of m frames. "
        "Where the joints cannot accelerate the frames in every direction there is none, and the row is NaN.",
        _ARM + '>>> arm.operational_inertia(q, "tool0").shape\n(6, 6)',
    ),
    Quantity(
        "operational_bias",
        sweeps.OPERATIONAL_BIAS,
        ("q", "v", "frames", "external", "axes"),
        ("(6 m,)",),
        "N m; N",
        "F = Lambda frame_acceleration + bias",
        "The wrench at frames that keeps them from accelerating, velocities and gravity included: with joint forces "
        "J* F, F = Lambda frame_acceleration + bias. NaN where Lambda does not exist.",
        _ARM + '>>> arm.operational_bias(q, [0.0] * 6, "tool0").shape\n(6,)',
    ),
)
