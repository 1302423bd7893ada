"""The innovations factorization and the inverse: 001 section VI, 003 section 10."""

from __future__ import annotations

from soadyn.algebra.expressions import inv
from soadyn.algebra.factors import A, A_inverse
from soadyn.algebra.operators import A_r, D, E_phi, H, K, Omega, P, T, mass, phi, phi_tilde, psi, psi_tilde, theta_ddot
from soadyn.theory.literature.entry import PaperFormula
from soadyn.theory.literature.parts import W, gamma

FACTORIZATION = (
    PaperFormula("mass matrix, innovations", "001 (43) Identity 3", A @ D @ A.T @ theta_ddot),
    PaperFormula(
        "mass matrix, articulated bodies",
        "001 (42) Identity 2",
        (H @ (P + phi_tilde @ P + P @ phi_tilde.T + phi @ K @ D @ K.T @ phi.T) @ H.T + A_r) @ theta_ddot,
    ),
    PaperFormula("inverse factor", "001 (45) Identity 5", inv(A) @ T),
    PaperFormula("inverse mass matrix", "001 (46) Identity 6", inv(mass) @ T),
    PaperFormula("inverse mass matrix, factors", "001 (46) Identity 6", A_inverse.T @ inv(D) @ A_inverse @ T),
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
