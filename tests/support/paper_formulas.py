"""Formulas that the five papers print, applied to vectors; where armature or trees change one, the changed form.

The references are the papers' numbers (NOTATION.md); misprints are corrected.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

from soadyn.algebra import (
    A_r,
    A_ra,
    A_rp,
    B,
    D,
    D_p,
    E_phi,
    Expression,
    G,
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
    R,
    T,
    T_p,
    V,
    a,
    alpha,
    b,
    f,
    f_tip,
    inv,
    mass,
    phi,
    phi_tilde,
    psi,
    psi_tilde,
    sqrt,
    tau_bar,
    theta_ddot,
    theta_ddot_a,
    theta_dot,
)
from soadyn.algebra.defining import operator, vector


@final
@dataclass(frozen=True)
class PaperFormula:
    """A formula, where it is printed, and whether it needs a passive set or operational points."""

    name: str
    reference: str
    formula: Expression
    passive: bool = False
    points: bool = False


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

NEWTON_EULER = (
    PaperFormula("link velocities", "001 (21)", phi.T @ H.T @ theta_dot),
    PaperFormula("tip velocity", "001 (9), (21)", B.T @ V, points=True),
    PaperFormula("Jacobian times rates", "001 (20)", B.T @ phi.T @ H.T @ theta_dot, points=True),
    PaperFormula("link accelerations", "001 (25)", phi.T @ (H.T @ theta_ddot + a)),
    PaperFormula("tip acceleration without a(0)", "001 (9), (57)", B.T @ alpha, points=True),
    PaperFormula("link forces", "001 (24)", phi @ (M @ alpha + b)),
    PaperFormula("link forces with a tip force", "001 (24)", phi @ (M @ alpha + b + B @ f_tip), points=True),
    PaperFormula("joint forces", "001 (24); armature", H @ f + A_r @ theta_ddot),
    PaperFormula("equations of motion", "001 (23)", mass @ theta_ddot + bias + H @ phi @ B @ f_tip, points=True),
    PaperFormula("bias force", "001 (27)", bias),
    PaperFormula("joint forces of a tip force", "001 (23)", H @ phi @ B @ f_tip, points=True),
    PaperFormula("mass matrix, Newton-Euler", "001 (22)", (H @ phi @ M @ phi.T @ H.T + A_r) @ theta_ddot),
    PaperFormula(
        "mass matrix, composite bodies",
        "001 (28) Identity 1; 003 Lemma 2",
        (H @ (R + phi_tilde @ R + R @ phi_tilde.T) @ H.T + A_r) @ theta_ddot,
    ),
    PaperFormula("covariance of the state process", "003 (6.1) Lemma 1", phi @ M @ phi.T @ gamma),
    PaperFormula("the same, composite bodies", "003 (6.1) Lemma 1", (R + phi_tilde @ R + R @ phi_tilde.T) @ gamma),
)

FACTORIZATION = (
    PaperFormula("mass matrix, innovations", "001 (43) Identity 3", A @ D @ A.T @ theta_ddot),
    PaperFormula(
        "mass matrix, articulated bodies",
        "001 (42) Identity 2",
        (H @ (P + phi_tilde @ P + P @ phi_tilde.T + phi @ K @ D @ K.T @ phi.T) @ H.T + A_r) @ theta_ddot,
    ),
    PaperFormula("inverse factor", "001 (45) Identity 5", inv(A) @ T),
    PaperFormula("inverse mass matrix", "001 (46) Identity 6", inv(mass) @ T),
    PaperFormula("inverse mass matrix, factors", "001 (46) Identity 6", A_INVERSE.T @ inv(D) @ A_INVERSE @ T),
    PaperFormula(
        "inverse mass matrix, closed form",
        "003 Lemma 12",
        (inv(D) - K.T @ psi.T @ H.T @ inv(D) - inv(D) @ H @ psi @ K + K.T @ Omega @ K) @ T,
    ),
    PaperFormula(
        "inverse mass matrix, by U",
        "003 Lemma 12; armature",
        inv(D)
        @ (H @ (P + P @ E_phi.T @ Omega @ E_phi @ P - P @ E_phi.T @ psi.T - psi @ E_phi @ P) @ H.T + A_r)
        @ inv(D)
        @ T,
    ),
    PaperFormula("free less locked", "000 (B.5); 004 (A.2)", psi @ K @ H @ phi @ W),
    PaperFormula(
        "covariance of the filter's error", "003 Lemma 8; armature", (P + psi_tilde @ P + P @ psi_tilde.T) @ gamma
    ),
)

FORWARD_DYNAMICS = (
    PaperFormula("Algorithm 1", "001 (47)-(48)", inv(mass) @ (T - bias)),
    PaperFormula(
        "Algorithm 1 with a tip force", "001 (47)-(48)", inv(mass) @ (T - H @ phi @ (zeta + B @ f_tip)), points=True
    ),
    PaperFormula(
        "Algorithm 2, link accelerations",
        "001 (55)-(57)",
        psi.T @ H.T @ inv(D) @ A_INVERSE @ (T - bias) + phi.T @ a,
    ),
    PaperFormula(
        "Algorithm 2, tip acceleration without a(0)",
        "001 (57)-(59)",
        B.T @ (psi.T @ H.T @ inv(D) @ A_INVERSE @ (T - bias) + phi.T @ a),
        points=True,
    ),
    PaperFormula("Algorithm 3, innovations", "001 (60)-(61)", T - H @ psi @ (K @ T + zeta)),
    PaperFormula("Algorithm 3, innovations by Psi", "001 (61)", T - H @ PSI @ (G @ T + tau_bar @ zeta) - H @ zeta),
    PaperFormula("Algorithm 3", "001 (62)", A_INVERSE.T @ inv(D) @ (T - H @ psi @ (K @ T + zeta))),
    PaperFormula(
        "Algorithm 4, residual accelerations",
        "001 (67); armature",
        inv(D) @ (A_INVERSE @ T - H @ psi_tilde @ P @ a - H @ psi @ b),
    ),
    PaperFormula(
        "Algorithm 4",
        "001 (68); armature",
        A_INVERSE.T @ inv(D) @ (A_INVERSE @ T - H @ psi_tilde @ P @ a - H @ psi @ b)
        - G.T @ PSI.T @ tau_bar.T @ a
        - G.T @ a,
    ),
)

ESTIMATION = (
    PaperFormula("predicted force", "003 section 9", z),
    PaperFormula("innovations", "003 section 9; 000 (7.9)", epsilon),
    PaperFormula("residual accelerations", "003 section 9", nu),
    PaperFormula("costate", "003 section 9", costate),
    PaperFormula("accelerations from the costate", "003 section 9", nu - K.T @ costate),
    PaperFormula("smoothed state", "003 section 9", z + P @ costate),
    PaperFormula("smoothed state by the gain", "003 (7.2)", phi @ M @ phi.T @ H.T @ inv(mass) @ T),
    PaperFormula("estimated process noise", "003 section 7", M @ phi.T @ H.T @ inv(mass) @ T),
    PaperFormula("covariance of the prediction", "003 section 10", phi @ K @ D @ K.T @ phi.T @ gamma),
    PaperFormula("covariance of the costate", "003 (10.1)", Omega @ W),
    PaperFormula("covariance of the correction", "003 section 10", P @ Omega @ P @ gamma),
    PaperFormula("covariance of the noise's error", "003 section 7", (M - M @ Omega @ M) @ gamma),
    PaperFormula(
        "covariance of the smoother's error",
        "003 Lemma 11; armature",
        (P + psi_tilde @ P + P @ psi_tilde.T - P @ Omega @ P) @ gamma,
    ),
    PaperFormula("smoother's error", "003 Lemma 10", (I_link - P @ psi.T @ H.T @ inv(D) @ H) @ X),
    PaperFormula("part of the log-likelihood", "003 Lemma 2", T.T @ inv(mass) @ T),
    PaperFormula("inverse operational inertia", "003 section 10", B.T @ Omega @ B @ f_tip, points=True),
    PaperFormula(
        "inverse operational inertia by the Jacobian",
        "003 section 10",
        B.T @ phi.T @ H.T @ inv(mass) @ H @ phi @ B @ f_tip,
        points=True,
    ),
)

DIAGONALIZED = (
    PaperFormula("normalized rates", "000 (1.3), (5.1)", sqrt(D).T @ A.T @ theta_dot),
    PaperFormula("normalized forces", "000 (1.4), (5.2)", ell @ T),
    PaperFormula("rates from normalized ones", "000 (5.2)", ell.T @ rates),
    PaperFormula("link velocities from normalized rates", "000 section 5", psi.T @ H.T @ inv(sqrt(D)).T @ rates),
    PaperFormula("forces from normalized ones", "000 (5.4)", m @ rates),
    PaperFormula("un-normalized rates", "000 (7.7)", A.T @ theta_dot),
    PaperFormula("un-normalized rates by velocities", "000 (7.7); armature", G.T @ V + inv(D) @ A_r @ theta_dot),
    PaperFormula("kinetic energy of the joints", "000 (1.2)", theta_dot.T @ mass @ theta_dot / 2),
    PaperFormula(
        "kinetic energy of the links", "001 (21)-(22); armature", V.T @ M @ V / 2 + theta_dot.T @ A_r @ theta_dot / 2
    ),
    PaperFormula("kinetic energy, normalized", "000 (1.2)", theta_dot.T @ m @ m.T @ theta_dot / 2),
    PaperFormula("kinetic energy, un-normalized", "000 (7.8)", theta_dot.T @ A @ D @ A.T @ theta_dot / 2),
)

UNDER_ACTUATED = (
    PaperFormula("passive mass matrix inverse", "004 Lemma 4.3, (5.1a)", S_pp @ T_p, passive=True),
    PaperFormula(
        "coupling",
        "004 (5.1b)",
        H_a @ (psi @ K_p + P @ psi.T @ H_p.T @ inv(D_p) @ A_p_INVERSE) @ T_p,
        passive=True,
    ),
    PaperFormula(
        "coupling, second form",
        "004 (5.1b)",
        H_a @ ((psi - P @ Omega) @ K_p + P @ psi.T @ H_p.T @ inv(D_p)) @ T_p,
        passive=True,
    ),
    PaperFormula("coupling by parts of the mass matrix", "004 (4.5)", mass_ap @ S_pp @ T_p, passive=True),
    PaperFormula(
        "mass matrix that the motors feel",
        "004 (5.1c); armature",
        (A_ra + H_a @ ((psi - P @ Omega) @ P + P @ psi_tilde.T) @ H_a.T) @ theta_ddot_a,
        passive=True,
    ),
    PaperFormula(
        "the same by projections",
        "004 (6.8); armature",
        (H_a @ phi @ T_BAR.T @ M @ T_BAR @ phi.T @ H_a.T + J_D.T @ A_rp @ J_D + A_ra) @ theta_ddot_a,
        passive=True,
    ),
    PaperFormula("hybrid dynamics, link accelerations", "004 (5.3a)", alpha_p, passive=True),
    PaperFormula("hybrid dynamics, passive accelerations", "004 (5.3b)", nu_p - K_p.T @ alpha_p, passive=True),
    PaperFormula(
        "hybrid dynamics, active forces",
        "004 (5.3c); armature",
        H_a @ (P @ (alpha_p - H_a.T @ theta_ddot_a - a) + z_p) + A_ra @ theta_ddot_a,
        passive=True,
    ),
    PaperFormula(
        "generalized Jacobian",
        "004 (6.11)",
        B.T @ (psi.T - Omega @ P) @ H_a.T @ theta_ddot_a,
        passive=True,
        points=True,
    ),
    PaperFormula(
        "generalized Jacobian by projections",
        "004 (6.11)",
        B.T @ T_BAR @ phi.T @ H_a.T @ theta_ddot_a,
        passive=True,
        points=True,
    ),
    PaperFormula("disturbance Jacobian", "004 (6.13)", J_D @ theta_ddot_a, passive=True),
    PaperFormula(
        "link accelerations, all terms",
        "004 (6.9)",
        (psi.T - Omega @ P) @ H_a.T @ theta_ddot_a
        + psi.T @ H_p.T @ inv(D_p) @ A_p_INVERSE @ T_p
        - Omega @ (b + P @ a)
        + psi.T @ a,
        passive=True,
    ),
    PaperFormula(
        "tip drift without a(0)",
        "004 (6.10)",
        B.T @ (psi.T @ H_p.T @ inv(D_p) @ A_p_INVERSE @ T_p - Omega @ (b + P @ a) + psi.T @ a),
        passive=True,
        points=True,
    ),
    PaperFormula(
        "passive drift",
        "004 (6.12)",
        A_p_INVERSE.T @ inv(D_p) @ (T_p - H_p @ psi @ (K_p @ T_p + b + M @ phi.T @ a)),
        passive=True,
    ),
)

PAPER_FORMULAS = (
    *NEWTON_EULER,
    *FACTORIZATION,
    *FORWARD_DYNAMICS,
    *ESTIMATION,
    *DIAGONALIZED,
    *UNDER_ACTUATED,
)
