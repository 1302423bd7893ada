"""The table of the calculus: how each operator changes as the joints move (000 Table 3 and appendix A, for all joints).

All derivatives are those of inertial components, resolved in the links' axes. F moves with the next link inward and
with the point that the joint has there; Γ is the armature's rate, seen from there. The same rows are sensitivities: in
the direction of one joint component, every operator that is linear in the rates is the one along that component.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

from soadyn.algebra.expressions import Expression, inv, sqrt, zero
from soadyn.algebra.factors import A, A_inverse
from soadyn.algebra.identities.arm import NO_ARMATURE, S
from soadyn.algebra.identities.rates import SINGLE, Gamma
from soadyn.algebra.identities.row import Need
from soadyn.algebra.operators import (
    A_r,
    D,
    E_phi,
    E_psi,
    G,
    H,
    I_link,
    K,
    M,
    Omega,
    P,
    P_plus,
    V,
    mass,
    phi,
    phi_tilde,
    psi,
    psi_tilde,
    tau,
    tau_bar,
    theta_ddot,
    theta_dot,
)
from soadyn.algebra.velocity_operators import W_omega, X_delta, Z, eta_delta, lambda_dot


@final
@dataclass(frozen=True, slots=True)
class RateRow:
    """The rate of a formula: where the papers have it as a rate, and where as a sensitivity.

    `defined_by` is a formula for the same operator from whose rate the row follows; elements have none.
    """

    of: Expression
    rate: Expression
    reference: str
    sensitivity_reference: str
    defined_by: Expression | None = None
    needs: tuple[Need, ...] = ()

    @property
    def name(self) -> str:
        return f"{self.of}{' where ' if self.needs else ''}{' and '.join(self.needs)}"


F = W_omega - X_delta
L = sqrt(D)
gained = (tau_bar @ lambda_dot @ H.T - G @ Gamma) @ inv(D)
gained_inward = (E_psi @ lambda_dot @ H.T - K @ Gamma) @ inv(D)
D_rate = H @ lambda_dot @ H.T + Gamma - eta_delta.T @ D - D @ eta_delta
L_rate = D_rate @ inv(L).T / 2 + L @ Z
phi_rate = phi @ X_delta @ phi - phi @ W_omega + F @ phi
psi_rate = psi @ (X_delta - gained_inward @ H) @ psi - psi @ W_omega + F @ psi
A_rate = (
    H @ phi @ ((X_delta @ phi_tilde @ P + E_psi @ lambda_dot) @ H.T - K @ Gamma) @ inv(D)
    + A @ eta_delta.T
    - eta_delta.T @ A
)
bodies_rate = H @ phi @ (X_delta @ phi @ M + M @ phi.T @ X_delta.T) @ phi.T @ H.T
mass_rate = bodies_rate - eta_delta.T @ (mass - A_r) - (mass - A_r) @ eta_delta
free_rate = psi @ (X_delta - gained_inward @ H) @ psi - psi @ W_omega

# What `rate` looks up.
ELEMENTS = (
    RateRow(H, -(H @ F) - eta_delta.T @ H, "000 Table 3", "000 (A.4), (A.7)"),
    RateRow(E_phi, W_omega @ E_phi - E_phi @ F, "000 (A.8)", "000 (A.5), (A.8)"),
    RateRow(M, W_omega @ M + M @ W_omega.T, "000 Table 3", "000 (A.6), (A.10)"),
    RateRow(A_r, zero(A_r.domain, A_r.codomain), "armature", "armature"),
    RateRow(P, lambda_dot + F @ P + P @ F.T, "000 (6.6)", "000 (A.18), (A.22)-(A.23)"),
    RateRow(phi, phi_rate, "000 (A.9)", "000 (A.9)", inv(I_link - E_phi)),
    RateRow(phi_tilde, phi_rate, "000 (A.9), (A.11)", "000 (A.9), (A.11)", phi - I_link),
    RateRow(D, D_rate, "000 Table 3", "000 (A.19)", H @ P @ H.T + A_r),
    RateRow(G, gained + F @ G + G @ eta_delta.T, "000 Table 3", "000 (A.21)", P @ H.T @ inv(D)),
    RateRow(K, gained_inward + W_omega @ K + K @ eta_delta.T, "000 (A.21), (A.25)", "000 (A.21)", E_phi @ G),
    RateRow(tau, gained @ H + F @ tau - tau @ F, "000 Table 3", "000 (A.24)", G @ H),
    RateRow(tau_bar, -(gained @ H) + F @ tau_bar - tau_bar @ F, "000 Table 3", "000 (A.24)", I_link - G @ H),
    RateRow(
        P_plus,
        tau_bar @ lambda_dot @ tau_bar.T + G @ Gamma @ G.T + F @ P_plus + P_plus @ F.T,
        "000 (6.5)-(6.6)",
        "000 (A.18)",
        P - G @ D @ G.T,
    ),
    RateRow(
        E_psi,
        W_omega @ E_psi - gained_inward @ H - E_psi @ F,
        "000 (A.25)",
        "000 (A.25)",
        E_phi @ tau_bar,
    ),
    RateRow(psi, psi_rate, "000 (A.25)", "000 (A.25)", inv(I_link - E_psi)),
    RateRow(psi_tilde, psi_rate, "000 (A.25)", "000 (A.25)", psi - I_link),
    RateRow(
        mass,
        mass_rate,
        "000 Identity 6.3 (6.12)",
        "000 Identity 6.3 (6.12), Lemma A.2 (A.13)",
        H @ phi @ M @ phi.T @ H.T + A_r,
    ),
    RateRow(L, L_rate, "000 Identity 6.1 (6.7)", "000 Lemma A.6 (A.29)"),
    RateRow(theta_dot, theta_ddot, "001 (8)", "001 (8)"),
    RateRow(
        V,
        phi.T @ (H.T @ theta_ddot + X_delta.T @ V - H.T @ eta_delta @ theta_dot) - W_omega.T @ V,
        "000 (4.4)",
        "000 (4.4)",
        phi.T @ H.T @ theta_dot,
    ),
)

# Closed forms of what else the paper differentiates; they follow from the elements by the rules of products.
CLOSED_FORMS = (
    RateRow(S, (phi @ X_delta + F) @ S + S @ (phi @ X_delta + F).T, "000 Lemma A.1 (A.12)", "000 Lemma A.1 (A.12)"),
    RateRow(
        H @ S @ H.T,
        bodies_rate - eta_delta.T @ H @ S @ H.T - H @ S @ H.T @ eta_delta,
        "000 Lemma A.2 (A.13)",
        "000 Lemma A.2 (A.13)",
    ),
    RateRow(H @ S @ H.T, bodies_rate, "000 (6.12)", "000 Lemma A.2 (A.13)", needs=SINGLE),
    RateRow(inv(D), -(inv(D) @ D_rate @ inv(D)), "000 (A.20)", "000 (A.20)"),
    RateRow(inv(phi), E_phi @ F - W_omega @ E_phi, "000 (A.8)", "000 (A.8)"),
    RateRow(inv(psi), gained_inward @ H + E_psi @ F - W_omega @ E_psi, "000 (A.25)", "000 (A.25)"),
    RateRow(
        H @ phi,
        H @ phi @ X_delta @ phi - H @ phi @ W_omega - eta_delta.T @ H @ phi,
        "000 (A.7), (A.9)",
        "000 (A.7), (A.9)",
    ),
    RateRow(H @ psi, H @ free_rate - eta_delta.T @ H @ psi, "000 (A.7), (A.25)", "000 (A.7), (A.25)"),
    RateRow(A, A_rate, "000 proof of Lemma A.6", "000 proof of Lemma A.6"),
    RateRow(
        A_inverse,
        A_inverse @ eta_delta.T
        - eta_delta.T @ A_inverse
        - H @ psi @ ((X_delta @ phi_tilde @ P + E_psi @ lambda_dot) @ H.T - K @ Gamma) @ inv(D) @ A_inverse,
        "000 proof of Lemma A.6",
        "000 proof of Lemma A.6",
    ),
    RateRow(inv(mass), -(inv(mass) @ mass_rate @ inv(mass)), "000 (6.12)", "000 (6.12)"),
    RateRow(A @ D @ A.T, mass_rate, "000 (6.12)", "000 (6.12)"),
    RateRow(A @ L, A_rate @ L + A @ L_rate, "000 Identity 6.1 (6.7)", "000 Lemma A.6 (A.29)"),
    RateRow(
        A @ L,
        H @ phi @ (X_delta @ phi_tilde @ P + (I_link + E_psi) @ lambda_dot / 2) @ H.T @ inv(L).T,
        "000 Identity 6.1 (6.7); armature",
        "000 Lemma A.6 (A.29); armature",
        needs=SINGLE,
    ),
    RateRow(
        A @ L,
        H @ phi @ (X_delta @ phi_tilde @ P + (I_link + tau_bar) @ lambda_dot / 2) @ H.T @ inv(L).T,
        "000 Identity 6.1 (6.7), (A.30)",
        "000 Lemma A.6 (A.29)",
        needs=(*SINGLE, *NO_ARMATURE),
    ),
    RateRow(
        inv(L) @ A_inverse,
        -(inv(L) @ L_rate @ inv(L) @ A_inverse) - inv(L) @ A_inverse @ A_rate @ A_inverse,
        "000 Lemma A.6 (A.29)",
        "000 Lemma A.6 (A.29)",
    ),
    RateRow(
        phi @ K,
        phi @ X_delta @ phi @ K + F @ phi @ K + phi @ gained_inward + phi @ K @ eta_delta.T,
        "000 (A.21)",
        "000 (A.21)",
    ),
    RateRow(H @ P @ H.T, H @ lambda_dot @ H.T, "000 Table 3", "000 (A.19)", needs=SINGLE),
    RateRow(
        theta_dot.T @ mass @ theta_dot,
        theta_ddot.T @ mass @ theta_dot + theta_dot.T @ mass_rate @ theta_dot + theta_dot.T @ mass @ theta_ddot,
        "000 (2.1)",
        "000 Identity 6.4 (6.13)",
    ),
    RateRow(
        psi.T @ H.T @ inv(D),
        free_rate.T @ H.T @ inv(D) - psi.T @ H.T @ (eta_delta @ inv(D) + inv(D) @ D_rate @ inv(D)),
        "000 (A.20), (A.25)",
        "000 (A.20), (A.25)",
    ),
)
ROWS = (*ELEMENTS, *CLOSED_FORMS)
RATES: dict[Expression, Expression] = {row.of: row.rate for row in ELEMENTS}
# Symbols whose rate is that of the formula they stand for.
DEFINED: dict[Expression, Expression] = {Omega: psi.T @ H.T @ inv(D) @ H @ psi}
