"""The table's rows on derivatives of the dynamics.

Derivatives by q are along the joints' motions, in the order of v: a step d leads to integrate(q, d).
"""

from __future__ import annotations

from soadyn.programs.sweep import derivatives as sweeps
from soadyn.quantities.row import Quantity

_ARM = '>>> import soadyn as sd\n>>> arm = sd.load("planar_two_link")\n'
_SQUARE = "(nv, nv)"

DERIVATIVES = (
    Quantity(
        "inverse_dynamics_derivatives",
        sweeps.INVERSE_DYNAMICS_DERIVATIVES,
        ("q", "v", "a", "external"),
        (_SQUARE,) * 3,
        "that of inverse_dynamics per rad or m, per rad/s or m/s, per rad/s^2 or m/s^2",
        "dT/dq = H {phi~ F + phi M phi* S_2 + 2 phi N phi* S_1},  dT/dv = H phi {2 N phi* H* + M phi* S_3}",
        "The derivatives of inverse_dynamics by q, v and a, by composite bodies; the last is the mass matrix. Wrenches "
        "keep their components along the links' axes.",
        _ARM + ">>> dq, dv, da = arm.inverse_dynamics_derivatives([0.0, 0.5], [1.0, 0.0], [0.0, 0.0])\n"
        ">>> dq.shape, dv.shape, bool(abs(da - arm.mass_matrix([0.0, 0.5])).max() < 1e-12)\n((2, 2), (2, 2), True)",
    ),
    Quantity(
        "forward_dynamics_derivatives",
        sweeps.FORWARD_DYNAMICS_DERIVATIVES,
        ("q", "v", "tau", "external"),
        (_SQUARE,) * 3,
        "that of forward_dynamics per rad or m, per rad/s or m/s, per N m or N",
        "da/dq = -(I - H psi K)* D^-1 H psi {E_phi F + M phi* S_2 + 2 N phi* S_1},  da/dtau = Mass^-1",
        "The derivatives of forward_dynamics by q, v and tau, by articulated bodies; the last is the inverse of the "
        "mass matrix. Wrenches keep their components along the links' axes.",
        _ARM + ">>> dq, dv, dtau = arm.forward_dynamics_derivatives([0.0, 0.5], [1.0, 0.0], [0.0, 0.0])\n"
        ">>> dq.shape, bool(abs(dtau @ arm.mass_matrix([0.0, 0.5]) - [[1, 0], [0, 1]]).max() < 1e-12)\n((2, 2), True)",
    ),
    Quantity(
        "hybrid_dynamics_derivatives",
        sweeps.HYBRID_DYNAMICS_DERIVATIVES,
        ("q", "v", "active a", "passive tau", "passive sets", "external"),
        (_SQUARE,) * 8,
        "those of hybrid_dynamics per unit of q, v, a, tau",
        "da_p = -S_pp dT_p,  dT_a = dT_a - S_ap dT_p",
        "The derivatives of both results of hybrid_dynamics, accelerations and forces: for each a tuple of those by q, "
        "v, a and tau. Columns of entries that are not needed, a of passive and tau of active components, are zero.",
        _ARM + ">>> d_a, d_tau = arm.hybrid_dynamics_derivatives([0.0, 0.5], [0.0, 0.0], a=[1.0, 0.0], tau=[0.0, 0.0], "
        'passive=["joint2"])\n>>> [x.shape for x in d_a]\n[(2, 2), (2, 2), (2, 2), (2, 2)]\n'
        ">>> d_tau[3].tolist()[1]  # the force of a passive joint is given\n[0.0, 1.0]",
        parts=("..", "..", ".A", ".P") * 2,
        by=("q", "v", "a", "tau"),
    ),
    Quantity(
        "coriolis_matrix",
        sweeps.CORIOLIS_MATRIX,
        ("q", "v"),
        (_SQUARE,),
        "that of the mass matrix per s",
        "C = H phi {N phi* H* + M phi* S_C},  dMass/dt - 2 C skew",
        "The Coriolis matrix C: C v is the bias force without gravity, and dMass/dt - 2 C is skew, with spherical and "
        "free joints too.",
        _ARM + ">>> import numpy as np\n>>> v = np.array([1.0, 2.0])\n"
        ">>> still = arm.with_gravity([0, 0, 0]).bias_force([0.0, 0.5], v)\n"
        ">>> bool(abs(arm.coriolis_matrix([0.0, 0.5], v) @ v - still).max() < 1e-12)\nTrue",
    ),
    Quantity(
        "christoffel_symbols",
        sweeps.CHRISTOFFEL_SYMBOLS,
        ("q",),
        ("(nv, nv, nv)",),
        "that of the mass matrix per rad or m",
        "C_ij = sum_k Gamma_ijk v_k",
        "The Christoffel symbols of the first kind: coriolis_matrix(q, v) is their product with v along the last axis.",
        _ARM + ">>> gamma = arm.christoffel_symbols([0.0, 0.5])\n"
        ">>> bool(abs(gamma @ [1.0, 2.0] - arm.coriolis_matrix([0.0, 0.5], [1.0, 2.0])).max() < 1e-12)\nTrue",
    ),
    Quantity(
        "mass_matrix_sensitivities",
        sweeps.MASS_MATRIX_SENSITIVITIES,
        ("q",),
        ("(nv, nv, nv)",),
        "that of the mass matrix per rad or m",
        "dMass_ij/dq_k = Gamma_ijk + Gamma_jik",
        "The derivatives of the mass matrix by q; the last axis is that of the coordinate, in the order of v.",
        _ARM + ">>> arm.mass_matrix_sensitivities([0.0, 0.5]).shape\n(2, 2, 2)",
    ),
    Quantity(
        "mass_matrix_log_determinant",
        sweeps.MASS_MATRIX_LOG_DETERMINANT,
        ("q",),
        ("()",),
        "1, of the mass matrix in SI units",
        "ln det Mass = sum ln det D(k)",
        "The logarithm of the determinant of the mass matrix, by articulated bodies.",
        _ARM + ">>> import numpy as np\n>>> found = arm.mass_matrix_log_determinant([0.0, 0.5])\n"
        ">>> bool(abs(found - np.linalg.slogdet(arm.mass_matrix([0.0, 0.5]))[1]) < 1e-12)\nTrue",
    ),
)
