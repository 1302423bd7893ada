"""The UDU* decomposition of 002 in the operators of the other papers; U is the innovations factor."""

from __future__ import annotations

from soadyn.algebra.expressions import inv
from soadyn.algebra.factors import A, A_inverse
from soadyn.algebra.operators import A_r, D, G, H, M, T, phi, phi_tilde, theta_ddot
from soadyn.theory.literature.entry import PaperFormula

SAHA = (
    PaperFormula("generalized inertia matrix", "002 (10)", (H @ phi @ M @ phi.T @ H.T + A_r) @ theta_ddot),
    PaperFormula("decomposition", "002 (21)", A @ D @ A.T @ theta_ddot),
    PaperFormula("factor U", "002 (22a), (22b)", T + H @ phi_tilde @ G @ T),
    PaperFormula("first solution", "002 (24), (36)-(37)", A_inverse @ T),
    PaperFormula("second solution", "002 (24)", inv(D) @ A_inverse @ T),
    PaperFormula("third solution", "002 (24), (38)-(39)", A_inverse.T @ inv(D) @ A_inverse @ T),
)
