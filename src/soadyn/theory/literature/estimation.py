"""What filter and smoother give: 003 sections 7-10."""

from __future__ import annotations

from soadyn.algebra.expressions import inv
from soadyn.algebra.operators import B, D, H, I_link, K, M, Omega, P, T, f_tip, mass, phi, psi, psi_tilde
from soadyn.theory.literature.entry import PaperFormula
from soadyn.theory.literature.parts import W, X, costate, epsilon, gamma, nu, z

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
