"""Parts that formulas of several papers share: factors, what filter and smoother give, the passive arm of 004."""

from __future__ import annotations

from soadyn.algebra.defining import operator, vector
from soadyn.algebra.expressions import inv, sqrt
from soadyn.algebra.factors import A, A_inverse, A_p_inverse
from soadyn.algebra.operators import (
    D,
    D_p,
    E_phi,
    H,
    H_a,
    H_p,
    I_link,
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
PSI = operator("Psi", psi @ E_phi)
m = A @ sqrt(D)
ell = inv(sqrt(D)) @ A_inverse

# What filter and smoother give.
z = psi @ K @ T
epsilon = A_inverse @ T
nu = inv(D) @ epsilon
costate = psi.T @ H.T @ nu

# Forces that do not come from the joints, and what they ask of them.
zeta = M @ phi.T @ a + b
bias = H @ phi @ zeta

# The passive arm of 004.
z_p = psi @ (K_p @ T_p + b + P @ (H_a.T @ theta_ddot_a + a))
nu_p = inv(D_p) @ (T_p - H_p @ z_p)
alpha_p = psi.T @ (H_p.T @ nu_p + H_a.T @ theta_ddot_a + a)
J_D = -A_p_inverse.T @ inv(D_p) @ H_p @ psi @ P @ H_a.T - K_p.T @ psi.T @ H_a.T
T_BAR = I_link.T - Omega @ M
mass_ap = H_a @ phi @ M @ phi.T @ H_p.T
S_pp = A_p_inverse.T @ inv(D_p) @ A_p_inverse

W = vector("W", "link force")
X = vector("X", "link force")
gamma = vector("gamma", "link motion")
rates = vector("rates", "white joint")
