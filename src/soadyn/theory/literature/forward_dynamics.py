"""The forward dynamics of 001 section VII: as they are written, and as one formula each."""

from __future__ import annotations

from soadyn.algebra.expressions import inv
from soadyn.algebra.factors import A_inverse
from soadyn.algebra.operators import B, D, G, H, K, P, T, a, a_tip, b, f_tip, mass, phi, psi, psi_tilde, tau_bar
from soadyn.theory.literature.entry import PaperFormula
from soadyn.theory.literature.parts import PSI, bias, zeta

FORWARD_DYNAMICS = (
    PaperFormula("Algorithm 1 as one formula", "001 (47)-(48)", inv(mass) @ (T - bias)),
    PaperFormula(
        "Algorithm 1 with a tip force", "001 (47)-(48)", inv(mass) @ (T - H @ phi @ (zeta + B @ f_tip)), points=True
    ),
    PaperFormula(
        "Algorithm 2, link accelerations",
        "001 (55)-(57)",
        psi.T @ H.T @ inv(D) @ A_inverse @ (T - bias) + phi.T @ a,
    ),
    PaperFormula(
        "Algorithm 2, tip acceleration",
        "001 (57), (59)",
        B.T @ (psi.T @ H.T @ inv(D) @ A_inverse @ (T - bias) + phi.T @ a) + a_tip,
        points=True,
    ),
    PaperFormula("Algorithm 3, innovations", "001 (60)-(61)", T - H @ psi @ (K @ T + zeta)),
    PaperFormula("Algorithm 3, innovations by Psi", "001 (61)", T - H @ PSI @ (G @ T + tau_bar @ zeta) - H @ zeta),
    PaperFormula("Algorithm 3 as one formula", "001 (62)", A_inverse.T @ inv(D) @ (T - H @ psi @ (K @ T + zeta))),
    PaperFormula(
        "Algorithm 4, residual accelerations",
        "001 (67); armature",
        inv(D) @ (A_inverse @ T - H @ psi_tilde @ P @ a - H @ psi @ b),
    ),
    PaperFormula(
        "Algorithm 4 as one formula",
        "001 (68); armature",
        A_inverse.T @ inv(D) @ (A_inverse @ T - H @ psi_tilde @ P @ a - H @ psi @ b)
        - G.T @ PSI.T @ tau_bar.T @ a
        - G.T @ a,
    ),
)
