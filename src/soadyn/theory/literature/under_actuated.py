"""Robots with passive joints: 004 sections 4-6."""

from __future__ import annotations

from soadyn.algebra.expressions import inv
from soadyn.algebra.factors import A_p_inverse
from soadyn.algebra.operators import (
    A_ra,
    A_rp,
    B,
    D_p,
    H_a,
    H_p,
    K_p,
    M,
    Omega,
    P,
    T_p,
    a,
    a_tip,
    b,
    phi,
    psi,
    psi_tilde,
    theta_ddot_a,
)
from soadyn.theory.literature.entry import PaperFormula
from soadyn.theory.literature.parts import J_D, T_BAR, S_pp, alpha_p, mass_ap, nu_p, z_p

UNDER_ACTUATED = (
    PaperFormula("passive mass matrix inverse", "004 Lemma 4.3, (5.1a)", S_pp @ T_p, passive=True),
    PaperFormula(
        "coupling",
        "004 (5.1b)",
        H_a @ (psi @ K_p + P @ psi.T @ H_p.T @ inv(D_p) @ A_p_inverse) @ T_p,
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
        + psi.T @ H_p.T @ inv(D_p) @ A_p_inverse @ T_p
        - Omega @ (b + P @ a)
        + psi.T @ a,
        passive=True,
    ),
    PaperFormula(
        "tip drift",
        "004 (6.10)",
        B.T @ (psi.T @ H_p.T @ inv(D_p) @ A_p_inverse @ T_p - Omega @ (b + P @ a) + psi.T @ a) + a_tip,
        passive=True,
        points=True,
    ),
    PaperFormula(
        "passive drift",
        "004 (6.12)",
        A_p_inverse.T @ inv(D_p) @ (T_p - H_p @ psi @ (K_p @ T_p + b + M @ phi.T @ a)),
        passive=True,
    ),
)
