"""Kinematics, Newton and Euler's equations, composite bodies: 001 sections II-V, 003 section 6."""

from __future__ import annotations

from soadyn.algebra.operators import (
    A_r,
    B,
    H,
    M,
    R,
    V,
    a,
    a_tip,
    alpha,
    b,
    f,
    f_tip,
    mass,
    phi,
    phi_tilde,
    theta_ddot,
    theta_dot,
)
from soadyn.theory.literature.entry import PaperFormula
from soadyn.theory.literature.parts import bias, gamma

NEWTON_EULER = (
    PaperFormula("link velocities", "001 (21)", phi.T @ H.T @ theta_dot),
    PaperFormula("tip velocity", "001 (9), (21)", B.T @ V, points=True),
    PaperFormula("Jacobian times rates", "001 (20)", B.T @ phi.T @ H.T @ theta_dot, points=True),
    PaperFormula("link accelerations", "001 (25)", phi.T @ (H.T @ theta_ddot + a)),
    PaperFormula("tip acceleration", "001 (9)", B.T @ alpha + a_tip, points=True),
    PaperFormula("rate of the Jacobian times rates", "001 section V", B.T @ phi.T @ a + a_tip, points=True),
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
