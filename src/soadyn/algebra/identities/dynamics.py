"""The identities of forward dynamics, the closed-form inverse, operational inertias and covariances."""

from __future__ import annotations

from soadyn.algebra.expressions import inv, zero
from soadyn.algebra.factors import A_inverse
from soadyn.algebra.identities.arm import NO_ARMATURE, Psi, S
from soadyn.algebra.identities.row import Need, Row
from soadyn.algebra.operators import (
    A_r,
    B,
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
    R,
    T,
    Upsilon,
    a,
    alpha,
    b,
    f_tip,
    mass,
    phi,
    phi_tilde,
    psi,
    psi_tilde,
    tau_bar,
    theta_ddot,
)

SERIAL: tuple[Need, ...] = ("serial",)
Sigma = P + psi_tilde @ P + P @ psi_tilde.T  # covariance of the filter's error
Gamma = S @ H.T @ inv(mass)  # the smoother's gain, 003 (7.2)
smoothed = S - S @ H.T @ inv(mass) @ H @ S  # covariance of the smoother's error, 003 (7.5)

_load = M @ phi.T @ a + b + B @ f_tip
_nu = inv(D) @ A_inverse @ (T - H @ phi @ _load)
_nu_biased = inv(D) @ (A_inverse @ T - H @ psi_tilde @ P @ a - H @ psi @ (b + B @ f_tip))
_nu_crossing = inv(D) @ (A_inverse @ T - H @ psi @ (tau_bar @ P @ a + b + B @ f_tip))

FORWARD_DYNAMICS = (
    Row(
        "forward dynamics, bias-free",
        theta_ddot,
        A_inverse.T @ inv(D) @ A_inverse @ (T - H @ phi @ _load),
        "001 (47)-(54); 003 section 9",
    ),
    Row("forward dynamics, link accelerations", alpha, psi.T @ H.T @ _nu + phi.T @ a, "001 (55)-(59)"),
    Row(
        "forward dynamics, biased innovations",
        A_inverse @ (T - H @ phi @ _load),
        T - H @ psi @ (K @ T + _load),
        "001 (60)-(65)",
    ),
    Row(
        "forward dynamics, articulated bodies",
        theta_ddot,
        A_inverse.T @ _nu_biased - G.T @ Psi.T @ tau_bar.T @ a - G.T @ a,
        "001 (66)-(73); armature",
    ),
    Row(
        "forward dynamics, articulated bodies, no armature",
        theta_ddot,
        A_inverse.T @ _nu_crossing - G.T @ Psi.T @ tau_bar.T @ a - G.T @ a,
        "001 (66)-(73)",
        NO_ARMATURE,
    ),
)

_U = P + P @ E_phi.T @ Omega @ E_phi @ P - P @ E_phi.T @ psi.T - psi @ E_phi @ P
_Upsilon_plus = E_phi.T @ Upsilon @ E_phi
_half_first = K.T @ psi.T @ (E_psi.T @ Upsilon @ K - H.T @ inv(D))
_half_second = K.T @ psi.T @ (Upsilon @ K - H.T @ inv(D))
_half_third = P @ E_phi.T @ psi.T @ (tau_bar.T @ _Upsilon_plus @ P - I_link)
_U_serial = P + P @ _Upsilon_plus @ P + _half_third + _half_third.T

INVERSE = (
    Row("operational inertias", Omega, psi.T @ H.T @ inv(D) @ H @ psi, "003 Lemma 9; 004 (5.2)"),
    Row("operational inertias from the mass matrix", Omega, phi.T @ H.T @ inv(mass) @ H @ phi, "003 Lemma 9"),
    Row(
        "operational inertias of a chain",
        Omega,
        Upsilon + Upsilon @ psi_tilde + psi_tilde.T @ Upsilon,
        "003 Lemma 9 (10.1)",
        SERIAL,
    ),
    Row(
        "operational recursion of a chain",
        H.T @ inv(D) @ H,
        Upsilon - E_psi.T @ Upsilon @ E_psi,
        "003 (10.3)",
        SERIAL,
    ),
    Row("articulated and operational inertias, no armature", H @ P @ Upsilon, H, "003 Lemma 9", NO_ARMATURE),
    Row(
        "articulated and operational inertias of a chain",
        H @ P @ Upsilon,
        H + A_r @ (K.T @ Upsilon @ E_phi - (inv(D) + K.T @ Upsilon @ K) @ H),
        "003 Lemma 9; armature",
        SERIAL,
    ),
    Row(
        "articulated inertias and Omega",
        H @ P @ Omega,
        H @ psi - A_r @ inv(mass) @ H @ phi,
        "004 proof of Lemma 6.1; armature",
    ),
    Row("articulated inertias and Omega, no armature", H @ P @ Omega, H @ psi, "004 proof of Lemma 6.1", NO_ARMATURE),
    Row(
        "inverse mass matrix, closed form",
        inv(mass),
        inv(D) - K.T @ psi.T @ H.T @ inv(D) - inv(D) @ H @ psi @ K + K.T @ Omega @ K,
        "003 Lemma 12",
    ),
    Row(
        "inverse mass matrix from P",
        inv(mass),
        inv(D) @ (H @ _U @ H.T + A_r) @ inv(D),
        "003 Lemma 12; armature",
    ),
    Row(
        "inverse mass matrix from P, no armature",
        inv(mass),
        inv(D) @ H @ _U @ H.T @ inv(D),
        "003 Lemma 12",
        NO_ARMATURE,
    ),
    Row(
        "inverse mass matrix of a chain",
        inv(mass),
        inv(D) + K.T @ Upsilon @ K + _half_first + _half_first.T,
        "003 Lemma 12",
        SERIAL,
    ),
    Row(
        "inverse mass matrix of a chain, second form",
        inv(mass),
        inv(D) - K.T @ Upsilon @ K + _half_second + _half_second.T,
        "003 Lemma 12",
        SERIAL,
    ),
    Row(
        "inverse mass matrix of a chain from P",
        inv(mass),
        inv(D) @ (H @ _U_serial @ H.T + A_r) @ inv(D),
        "003 Lemma 12; armature",
        SERIAL,
    ),
    Row(
        "operational inertia",
        B.T @ phi.T @ H.T @ inv(mass) @ H @ phi @ B,
        B.T @ Omega @ B,
        "003 after Lemma 9",
    ),
    Row(
        "operational inertia of one point",
        B.T @ Omega @ B,
        B.T @ Upsilon @ B,
        "003 after Lemma 9",
        ("one frame",),
    ),
)

_hold = I_link - P @ psi.T @ H.T @ inv(D) @ H
_innovate = inv(D) @ A_inverse

COVARIANCES = (
    Row(
        "filtered state",
        phi @ K @ D @ K.T @ phi.T,
        (R - P) + phi_tilde @ (R - P) + (R - P) @ phi_tilde.T,
        "003 section 10, list",
    ),
    Row("filter error", Sigma, psi @ M @ psi.T + psi @ K @ A_r @ K.T @ psi.T, "003 Lemma 8; armature"),
    Row("filter error at the joints", H @ Sigma, H @ psi @ P + A_r @ K.T @ psi.T, "003 Lemma 11; armature"),
    Row(
        "filter error at the joints twice",
        H @ Sigma @ H.T,
        D - A_r + H @ psi @ K @ A_r + A_r @ K.T @ psi.T @ H.T,
        "003 Lemma 11; armature",
    ),
    Row("smoother", Gamma, psi @ K + P @ psi.T @ H.T @ _innovate, "003 (7.2), section 9"),
    Row("smoothed state", S @ H.T @ inv(mass) @ H @ S, S - Sigma + P @ Omega @ P, "003 section 10, list"),
    Row(
        "smoothed state, no armature",
        S @ H.T @ inv(mass) @ H @ S,
        S - psi @ M @ psi.T + P @ Omega @ P,
        "003 section 10, list",
        NO_ARMATURE,
    ),
    Row("smoother error", smoothed, Sigma - P @ Omega @ P, "003 Lemma 11; armature"),
    Row(
        "smoother error, no armature",
        smoothed,
        psi @ M @ psi.T - P @ Omega @ P,
        "003 Lemma 11 (10.5)",
        NO_ARMATURE,
    ),
    Row(
        "smoother error, symmetric",
        smoothed,
        (I_link - Gamma @ H) @ S @ (I_link - Gamma @ H).T + Gamma @ A_r @ Gamma.T,
        "003 (7.5); armature",
    ),
    Row(
        "smoother error from the filter's",
        smoothed,
        _hold @ psi @ M @ psi.T @ _hold.T,
        "003 Lemma 10 (10.4)",
        NO_ARMATURE,
    ),
    Row(
        "smoother error of a chain",
        smoothed,
        (P - P @ Upsilon @ P) + (I_link - P @ Upsilon) @ psi_tilde @ P + P @ psi_tilde.T @ (I_link - Upsilon @ P),
        "003 Lemma 11 (10.5)",
        SERIAL,
    ),
    Row("smoother error at the joints", H @ smoothed, A_r @ Gamma.T, "003 (10.6); armature"),
    Row(
        "smoother error at the joints, no armature",
        H @ smoothed,
        zero(S.domain, H.codomain),
        "003 (10.6)",
        NO_ARMATURE,
    ),
    Row(
        "smoother error at the joints twice",
        H @ smoothed @ H.T,
        A_r - A_r @ inv(mass) @ A_r,
        "003 (10.6); armature",
    ),
    Row(
        "smoothed less filtered of a chain",
        P @ Omega @ P,
        P @ (Upsilon + Upsilon @ psi_tilde + psi_tilde.T @ Upsilon) @ P,
        "003 section 10, list",
        SERIAL,
    ),
    Row(
        "error of the estimated noise",
        M - M @ phi.T @ H.T @ inv(mass) @ H @ phi @ M,
        M - M @ Omega @ M,
        "003 section 7; section 10, list",
    ),
)

_past = psi @ K @ H  # what psi adds to itself past a locked step

# R and P side by side, and Upsilon on chains, as far as rewriting needs them
COMPOSITE_AND_ARTICULATED = (
    Row(
        "composite step",
        E_phi @ R @ E_phi.T,
        E_phi @ P @ E_phi.T + R - P - K @ D @ K.T,
        "001 (29), (35); 003 (6.2), Lemma 3",
    ),
    Row(
        "composite step past the locked transition",
        phi @ R @ E_phi.T,
        phi @ (R - P) + R @ E_phi.T - P @ E_phi.T + phi @ P @ E_phi.T - phi @ K @ D @ K.T,
        "003 Lemmas 1, 3",
    ),
    Row(
        "composite step past the free transition",
        _past @ R @ E_phi.T,
        psi @ (R - P) + (I_link - psi) @ (R - P) @ E_phi.T,
        "003 Lemmas 1, 3, 5",
    ),
    Row(
        "composite bodies past both transitions",
        _past @ R @ phi.T,
        _past @ R + psi @ (R - P) + (R - P) @ phi_tilde.T,
        "003 Lemmas 1, 3, 5",
    ),
    Row(
        "composite bodies past the free transition",
        (psi + _past) @ R @ (psi + _past).T - _past @ R - R @ _past.T,
        psi @ R @ psi.T + psi @ (R - P) + (R - P) @ psi_tilde.T + psi @ K @ A_r @ K.T @ psi.T,
        "003 Lemmas 1, 5, 8",
    ),
)

_step = Upsilon @ (E_phi - K @ H)

CHAINS = (
    Row(
        "operational step past the free transition",
        psi.T @ _step,
        _step + psi.T @ Upsilon - psi.T @ H.T @ inv(D) @ H,
        "003 (10.1), (10.3)",
        SERIAL,
    ),
    Row(
        "operational step past the locked transition",
        phi.T @ H.T @ K.T @ _step,
        (phi.T - I_link) @ _step - phi.T @ Upsilon + phi.T @ H.T @ inv(D) @ H,
        "003 (10.3), Lemma 5",
        SERIAL,
    ),
    Row(
        "operational inertias past both transitions",
        (psi.T - I_link) @ Upsilon @ K @ H @ phi,
        psi.T @ H.T @ inv(D) @ H @ phi - Upsilon @ phi - psi_tilde.T @ Upsilon,
        "003 (10.1), Lemma 5",
        SERIAL,
    ),
    Row(
        "operational inertias past the locked transition",
        (phi.T - I_link - phi.T @ H.T @ K.T) @ Upsilon @ (phi - I_link - K @ H @ phi),
        phi.T @ Upsilon @ phi - phi.T @ H.T @ inv(D) @ H @ phi,
        "003 (10.1), Lemma 5",
        SERIAL,
    ),
)
