"""Normalized and un-normalized rates and forces: 000 sections 1, 5, 7."""

from __future__ import annotations

from soadyn.algebra.expressions import inv, sqrt
from soadyn.algebra.factors import A
from soadyn.algebra.operators import A_r, D, G, H, M, T, V, mass, psi, theta_dot
from soadyn.theory.literature.entry import PaperFormula
from soadyn.theory.literature.parts import ell, m, rates

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
