"""The identities of under-actuated arms: 004, with armature.

P, psi and Omega are those of the passive arm: the active hinges locked, the passive ones free.
"""

from __future__ import annotations

from soadyn.algebra.expressions import inv, zero
from soadyn.algebra.factors import A_p, A_p_inverse
from soadyn.algebra.identities.arm import NO_ARMATURE, S
from soadyn.algebra.identities.row import Row
from soadyn.algebra.operators import (
    A_ra,
    A_rp,
    B,
    D_p,
    E_phi,
    E_psi,
    G_p,
    H_a,
    H_p,
    I_link,
    K_p,
    M,
    Omega,
    P,
    phi,
    psi,
    psi_tilde,
)

M_pp = H_p @ S @ H_p.T + A_rp
M_ap = H_a @ S @ H_p.T
S_ap = M_ap @ inv(M_pp)
S_aa = H_a @ S @ H_a.T + A_ra - M_ap @ inv(M_pp) @ M_ap.T
T_bar = I_link - Omega @ M  # 004 (6.4)
J_D = -S_ap.T
X = phi.T @ H_p.T @ inv(M_pp)  # the factor of what the passive rotors add

_Sigma = P + psi_tilde @ P + P @ psi_tilde.T
_held = psi - P @ Omega
_rotors = X @ A_rp

PASSIVE = (
    Row("passive joint inertia", D_p, H_p @ P @ H_p.T + A_rp, "004 (4.6); armature"),
    Row("passive gain", G_p, P @ H_p.T @ inv(D_p), "004 (4.6)"),
    Row("passive shifted gain", K_p, E_phi @ G_p, "004 (4.8)"),
    Row(
        "passive Riccati equation",
        M,
        P - E_psi @ P @ E_psi.T - K_p @ A_rp @ K_p.T,
        "004 (4.8); armature",
    ),
    Row("passive innovations factorization", M_pp, A_p @ D_p @ A_p.T, "004 Lemma 4.1 (4.10)"),
    Row("passive inverse innovations factor", inv(A_p), A_p_inverse, "004 Lemma 4.2"),
    Row("passive inverse mass matrix", inv(M_pp), A_p_inverse.T @ inv(D_p) @ A_p_inverse, "004 Lemma 4.3, (5.1a)"),
    Row(
        "passive to active force",
        S_ap,
        H_a @ (psi @ K_p + P @ psi.T @ H_p.T @ inv(D_p) @ A_p_inverse),
        "004 Lemma 5.1 (5.1b)",
    ),
    Row(
        "passive to active force, second form",
        S_ap,
        H_a @ (_held @ K_p + P @ psi.T @ H_p.T @ inv(D_p)),
        "004 Lemma 5.1 (5.1b)",
    ),
    Row(
        "active inertia",
        S_aa,
        A_ra + H_a @ (_Sigma - P @ Omega @ P) @ H_a.T,
        "004 Lemma 5.1 (5.1c); armature",
    ),
    Row(
        "active inertia, second form",
        S_aa,
        A_ra + H_a @ (_held @ P + P @ psi_tilde.T) @ H_a.T,
        "004 Lemma 5.1 (5.1c); armature",
    ),
    Row(
        "active inertia, no armature",
        S_aa,
        H_a @ (psi @ M @ psi.T - P @ Omega @ P) @ H_a.T,
        "004 Lemma 5.1 (5.1c)",
        NO_ARMATURE,
    ),
    Row("passive and locked transitions", inv(psi), inv(phi) + K_p @ H_p, "004 (A.1)"),
    Row("locked less passive", psi @ K_p @ H_p @ phi, phi - psi, "004 (A.2)"),
    Row("passive filtered joint map", A_p_inverse @ H_p @ phi, H_p @ psi, "004 (A.3)"),
    Row("passive filtered gain", phi @ K_p @ A_p_inverse, psi @ K_p, "004 (A.4)"),
    Row(
        "passive free bodies",
        psi @ M @ psi.T,
        psi_tilde @ P + P @ psi.T - psi @ K_p @ A_rp @ K_p.T @ psi.T,
        "004 (A.5); armature",
    ),
    Row("either arm's free bodies, no armature", psi @ M @ psi.T, psi_tilde @ P + P @ psi.T, "004 (A.5)", NO_ARMATURE),
    Row("Omega after M", phi @ M @ Omega, phi - _held, "004 (A.9)"),
    Row(
        "Omega before M, at the passive joints",
        Omega @ M @ phi.T,
        phi.T @ H_p.T @ (K_p.T @ _held.T + inv(D_p) @ H_p @ psi @ P),
        "004 (A.7)",
    ),
    Row("Omega before M", Omega @ M @ phi.T, phi.T - _held.T, "004 (A.7)"),
    Row("held bodies", _held @ M @ phi.T, _held @ P + P @ psi_tilde.T, "004 (A.8)"),
    Row("held bodies from the filter error", _held @ M @ phi.T, _Sigma - P @ Omega @ P, "004 (A.8); armature"),
    Row(
        "held bodies from the free ones, no armature",
        _held @ M @ phi.T,
        psi @ M @ psi.T - P @ Omega @ P,
        "004 (A.8)",
        NO_ARMATURE,
    ),
    Row(
        "passive free bodies at the joints",
        H_p @ psi @ M @ psi.T @ H_p.T,
        D_p - A_p_inverse @ A_rp @ A_p_inverse.T,
        "004 (A.11); armature",
    ),
    Row(
        "passive free bodies at the joints, no armature", H_p @ psi @ M @ psi.T @ H_p.T, D_p, "004 (A.11)", NO_ARMATURE
    ),
    Row(
        "Omega with M between",
        Omega @ M @ Omega,
        Omega - _rotors @ X.T,
        "004 proof of Lemma 6.1; armature",
    ),
    Row("Omega with M between, no armature", Omega @ M @ Omega, Omega, "004 proof of Lemma 6.1", NO_ARMATURE),
    Row("projection", (Omega @ M) @ (Omega @ M), Omega @ M, "004 Lemma 6.1 (6.5)", NO_ARMATURE),
    Row(
        "projection with rotors",
        (Omega @ M) @ (Omega @ M),
        Omega @ M - _rotors @ X.T @ M,
        "004 Lemma 6.1 (6.5); armature",
    ),
    Row("complement of the locked transition", T_bar @ phi.T, _held.T, "004 Lemma 6.1 (6.6)"),
    Row("complement of the free transition, no armature", T_bar @ psi.T, _held.T, "004 Lemma 6.1 (6.6)", NO_ARMATURE),
    Row(
        "complement of the free transition",
        T_bar @ psi.T,
        psi.T - Omega @ P - _rotors @ K_p.T @ psi.T,
        "004 Lemma 6.1 (6.6); armature",
    ),
    Row(
        "passive complement at the passive joints",
        T_bar @ phi.T @ H_p.T,
        _rotors,
        "004 Lemma 6.1 (6.7); armature",
    ),
    Row(
        "passive complement at the passive joints, no armature",
        T_bar @ phi.T @ H_p.T,
        zero(H_p.T.domain, phi.T.codomain),
        "004 Lemma 6.1 (6.7)",
        NO_ARMATURE,
    ),
    Row("passive P and Omega", Omega @ P @ H_p.T, psi.T @ H_p.T - _rotors, "004 proof of Lemma 6.1; armature"),
    Row(
        "passive P and Omega, no armature",
        Omega @ P @ H_p.T,
        psi.T @ H_p.T,
        "004 proof of Lemma 6.1",
        NO_ARMATURE,
    ),
    Row(
        "inertia of the complement",
        T_bar.T @ M @ T_bar,
        M @ T_bar - M @ _rotors @ X.T @ M,
        "004 proof of Lemma 6.2; armature",
    ),
    Row("inertia of the complement, no armature", T_bar.T @ M @ T_bar, M @ T_bar, "004 Lemma 6.2", NO_ARMATURE),
    Row(
        "active inertia from the complement",
        S_aa,
        H_a @ phi @ T_bar.T @ M @ T_bar @ phi.T @ H_a.T + J_D.T @ A_rp @ J_D + A_ra,
        "004 Lemma 6.2 (6.8); armature",
    ),
    Row(
        "active inertia from the complement, no armature",
        S_aa,
        H_a @ phi @ T_bar.T @ M @ T_bar @ phi.T @ H_a.T,
        "004 Lemma 6.2 (6.8)",
        NO_ARMATURE,
    ),
    Row(
        "generalized Jacobian",
        B.T @ phi.T @ H_a.T + B.T @ phi.T @ H_p.T @ J_D,
        B.T @ _held.T @ H_a.T,
        "004 Lemma 6.3 (6.11)",
    ),
    Row(
        "generalized Jacobian from the complement",
        B.T @ phi.T @ H_a.T + B.T @ phi.T @ H_p.T @ J_D,
        B.T @ T_bar @ phi.T @ H_a.T,
        "004 (6.10)",
    ),
    Row(
        "disturbance Jacobian",
        J_D,
        -A_p_inverse.T @ inv(D_p) @ H_p @ psi @ P @ H_a.T - K_p.T @ psi.T @ H_a.T,
        "004 Lemma 6.4 (6.13)",
    ),
)
