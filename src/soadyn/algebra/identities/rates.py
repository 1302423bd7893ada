"""The identities of the operators that are linear in the joint rates: of what rates and sensitivities are made."""

from __future__ import annotations

from soadyn.algebra.expressions import inv, sqrt, zero
from soadyn.algebra.factors import A, A_inverse
from soadyn.algebra.identities.arm import NO_ARMATURE
from soadyn.algebra.identities.row import Need, Row
from soadyn.algebra.operators import A_r, D, E_phi, E_psi, G, H, K, M, P, V, phi, psi, theta_dot
from soadyn.algebra.spaces import JOINT_MOTION, NUMBER
from soadyn.algebra.velocity_operators import (
    N_delta,
    V_tilde,
    W_delta,
    W_omega,
    W_s,
    X_delta,
    Y_delta,
    Z,
    eta_delta,
    lambda_dot,
)

SINGLE: tuple[Need, ...] = ("single joints",)
Gamma = A_r @ eta_delta + eta_delta.T @ A_r  # how the armature changes, seen from the next link inward
skew_part = E_psi @ lambda_dot - lambda_dot @ E_psi.T - X_delta @ P + P @ X_delta.T  # 000 (7.4)
coriolis = H @ phi @ (M @ phi.T @ (X_delta.T @ V - Y_delta.T @ H.T @ theta_dot) - V_tilde.T @ M @ V)
L = sqrt(D)
xi = A.T @ theta_dot

RATES = (
    Row("turning across a joint", W_delta, X_delta - N_delta, "000 (6.3), (A.2)"),
    Row("turning of the next link", W_s, W_omega - X_delta + N_delta, "000 (A.3)"),
    Row("turning of both links", W_delta, W_omega - W_s, "000 (6.3), (A.3)"),
    Row(
        "inertia rate",
        lambda_dot,
        E_psi @ lambda_dot @ E_psi.T + K @ Gamma @ K.T + X_delta @ P + P @ X_delta.T,
        "000 (6.4)-(6.5), Lemma A.5 (A.27); armature",
    ),
    Row(
        "inertia rate, no armature",
        lambda_dot - E_psi @ lambda_dot @ E_psi.T,
        X_delta @ P + P @ X_delta.T,
        "000 (A.17), (A.27)",
        NO_ARMATURE,
    ),
    Row("joint axes", H @ Y_delta, eta_delta.T @ H, "000 Table 3 for all joints"),
    Row("own motion", X_delta.T @ H.T @ theta_dot, zero(NUMBER, V.codomain), "000 (5.5)"),
    Row("own velocity", V_tilde @ phi.T @ H.T @ theta_dot, zero(NUMBER, V.codomain), "000 (5.5)"),
    Row(
        "own rate of P",
        X_delta @ P @ H.T @ theta_dot,
        (lambda_dot - E_psi @ lambda_dot @ E_psi.T - K @ Gamma @ K.T) @ H.T @ theta_dot,
        "000 (6.5)",
    ),
    Row(
        "own work of the inertia rate",
        theta_dot.T @ H @ (lambda_dot - K @ Gamma @ K.T) @ H.T @ theta_dot,
        theta_dot.T @ H @ E_psi @ lambda_dot @ E_psi.T @ H.T @ theta_dot,
        "000 (6.5)",
    ),
    Row(
        "cross product with a joint's motion",
        V_tilde @ H.T @ theta_dot,
        X_delta.T @ phi.T @ H.T @ theta_dot,
        "000 (5.5)",
    ),
    Row("cross product past a step", E_phi.T @ V_tilde, (V_tilde + X_delta.T) @ E_phi.T, "000 (B.8)-(B.9)"),
    Row(
        "cross product past the locked transition",
        V_tilde.T @ phi - phi @ V_tilde.T,
        phi @ X_delta @ phi - X_delta @ phi,
        "000 Lemma B.2 (B.10)",
    ),
    Row(
        "cross product at the joints",
        H @ (V_tilde.T @ phi - phi @ V_tilde.T),
        H @ phi @ X_delta @ phi - H @ X_delta @ phi,
        "000 Lemma B.2 (B.7)",
    ),
    Row(
        "cross product at single joints",
        H @ (V_tilde.T @ phi - phi @ V_tilde.T),
        H @ phi @ X_delta @ phi,
        "000 Lemma B.2 (B.7)",
        SINGLE,
    ),
    Row("root turning is skew", Z.T, -Z, "000 (A.29) for all joints"),
    Row("the Coriolis operator is skew", skew_part.T, -skew_part, "000 (7.4)"),
    Row("single joints do not twist", H @ X_delta, zero(H.domain, H.codomain), "000 (A.13)", SINGLE),
    Row("axes of single joints", eta_delta, zero(JOINT_MOTION, JOINT_MOTION), "000 Table 3", SINGLE),
    Row("roots of single joints", Z, zero(Z.domain, Z.codomain), "000 (A.29)", SINGLE),
    Row(
        "inertia rate at single joints",
        X_delta @ P @ H.T,
        lambda_dot @ H.T - E_psi @ lambda_dot @ E_psi.T @ H.T,
        "000 (6.5)",
        SINGLE,
    ),
    Row(
        "inertia rate between single joints",
        H @ lambda_dot @ H.T,
        H @ E_psi @ lambda_dot @ E_psi.T @ H.T,
        "000 (6.5)",
        SINGLE,
    ),
    Row("total rates", xi, G.T @ V + inv(D) @ A_r @ theta_dot, "000 (7.7); armature"),
    Row(
        "Coriolis terms, filtered",
        A_inverse @ coriolis,
        H @ psi @ (M @ phi.T @ (X_delta.T @ V - H.T @ eta_delta @ theta_dot) - V_tilde.T @ M @ V),
        "000 proof of Identity 7.1",
    ),
)
