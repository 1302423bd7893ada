"""Levels 2, 3: spaces, operator formulas, the papers' operators and their identities.

>>> from soadyn.algebra import H, M, phi
>>> H @ phi @ M @ phi.T @ H.T
<H @ phi @ M @ phi.T @ H.T : joint motion -> joint force>

`from soadyn.algebra import *` leaves out names of one letter and `tau`, which programs have for variables of their own.
"""

from soadyn.algebra.calculus import diff, rate, sensitivity
from soadyn.algebra.expressions import Expression, inv, sqrt
from soadyn.algebra.operators import (
    L_Y,
    A_r,
    A_ra,
    A_rp,
    D_p,
    E_phi,
    E_psi,
    G_p,
    H_a,
    H_p,
    I_active,
    I_joint,
    I_link,
    I_passive,
    I_task,
    I_white_joint,
    I_white_link,
    K_p,
    Omega,
    P_plus,
    T_p,
    Upsilon,
    a_tip,
    alpha,
    f_tip,
    f_x,
    mass,
    phi,
    phi_tilde,
    psi,
    psi_tilde,
    tau_bar,
    theta_ddot,
    theta_ddot_a,
    theta_dot,
    theta_dot_a,
)
from soadyn.algebra.operators import B as B
from soadyn.algebra.operators import D as D
from soadyn.algebra.operators import G as G
from soadyn.algebra.operators import H as H
from soadyn.algebra.operators import K as K
from soadyn.algebra.operators import M as M
from soadyn.algebra.operators import P as P
from soadyn.algebra.operators import R as R
from soadyn.algebra.operators import T as T
from soadyn.algebra.operators import V as V
from soadyn.algebra.operators import Y as Y
from soadyn.algebra.operators import a as a
from soadyn.algebra.operators import b as b
from soadyn.algebra.operators import f as f
from soadyn.algebra.operators import tau as tau
from soadyn.algebra.reading import formula
from soadyn.algebra.velocity_operators import (
    N_delta,
    V_tilde,
    W_delta,
    W_omega,
    W_s,
    X_delta,
    Y_delta,
    d_theta,
    eta_delta,
    lambda_dot,
    lambda_of,
)
from soadyn.algebra.velocity_operators import Z as Z

__all__ = [
    "L_Y",
    "A_r",
    "A_ra",
    "A_rp",
    "D_p",
    "E_phi",
    "E_psi",
    "Expression",
    "G_p",
    "H_a",
    "H_p",
    "I_active",
    "I_joint",
    "I_link",
    "I_passive",
    "I_task",
    "I_white_joint",
    "I_white_link",
    "K_p",
    "N_delta",
    "Omega",
    "P_plus",
    "T_p",
    "Upsilon",
    "V_tilde",
    "W_delta",
    "W_omega",
    "W_s",
    "X_delta",
    "Y_delta",
    "a_tip",
    "alpha",
    "d_theta",
    "diff",
    "eta_delta",
    "f_tip",
    "f_x",
    "formula",
    "inv",
    "lambda_dot",
    "lambda_of",
    "mass",
    "phi",
    "phi_tilde",
    "psi",
    "psi_tilde",
    "rate",
    "sensitivity",
    "sqrt",
    "tau_bar",
    "theta_ddot",
    "theta_ddot_a",
    "theta_dot",
    "theta_dot_a",
]
