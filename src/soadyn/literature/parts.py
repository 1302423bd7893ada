"""Parts that formulas of several papers share: factors, what filter and smoother give, the passive arm of 004."""

from __future__ import annotations

from soadyn.algebra.defining import operator, vector
from soadyn.algebra.expressions import inv, sqrt
from soadyn.algebra.operators import (
    D,
    D_p,
    E_phi,
    H,
    H_a,
    H_p,
    I_joint,
    I_link,
    I_passive,
    K,
    K_p,
    M,
    Omega,
    P,
    T,
    T_p,
    a,
    b,
    phi,
    psi,
    theta_ddot_a,
)

# The factors of 001 section VI and 000 section 5.
A = I_joint + H @ phi @ K
A_INVERSE = I_joint - H @ psi @ K
PSI = operator("Psi", psi @ E_phi)
m = A @ sqrt(D)
ell = inv(sqrt(D)) @ A_INVERSE

# What filter and smoother give.
z = psi @ K @ T
epsilon = A_INVERSE @ T
nu = inv(D) @ epsilon
costate = psi.T @ H.T @ nu

# Forces that do not come from the joints, and what they ask of them.
zeta = M @ phi.T @ a + b
bias = H @ phi @ zeta

# The passive arm of 004.
A_p = I_passive + H_p @ phi @ K_p
A_p_INVERSE = I_passive - H_p @ psi @ K_p
z_p = psi @ (K_p @ T_p + b + P @ (H_a.T @ theta_ddot_a + a))
nu_p = inv(D_p) @ (T_p - H_p @ z_p)
alpha_p = psi.T @ (H_p.T @ nu_p + H_a.T @ theta_ddot_a + a)
J_D = -A_p_INVERSE.T @ inv(D_p) @ H_p @ psi @ P @ H_a.T - K_p.T @ psi.T @ H_a.T
T_BAR = I_link.T - Omega @ M
mass_ap = H_a @ phi @ M @ phi.T @ H_p.T
S_pp = A_p_INVERSE.T @ inv(D_p) @ A_p_INVERSE

W = vector("W", "link force")
X = vector("X", "link force")
gamma = vector("gamma", "link motion")
rates = vector("rates", "white joint")
