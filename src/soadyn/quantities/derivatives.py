"""The table's rows on derivatives of the dynamics.

Derivatives by q are along the joints' motions, in the order of v: a step d leads to integrate(q, d).
"""

from __future__ import annotations

from soadyn.quantities.row import Quantity
from soadyn.sweep import derivatives as sweeps

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
        "The derivatives of forward_dynamics by q, v and tau, by articulated bodies; the last is the inverse of the mass "
        "matrix. Wrenches keep their components along the links' axes.",
        _ARM + ">>> dq, dv, dtau = arm.forward_dynamics_derivatives([0.0, 0.5], [1.0, 0.0], [0.0, 0.0])\n"
        ">>> dq.shape, bool(abs(dtau @ arm.mass_matrix([0.0, 0.5]) - [[1, 0], [0, 1]]).max() < 1e-12)\n((2, 2), True)",
    ),
)
