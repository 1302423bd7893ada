"""The lemmas and identities of 000's sections 6 and 7 and its appendices, proved; its misprints, refuted or refused."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import soadyn as sd
from soadyn.algebra import (
    L_Y,
    A_r,
    B,
    D,
    E_phi,
    E_psi,
    Expression,
    G,
    H,
    I_joint,
    I_link,
    K,
    M,
    P,
    P_plus,
    T,
    V,
    V_tilde,
    X_delta,
    Y,
    Z,
    eta_delta,
    inv,
    lambda_dot,
    mass,
    phi,
    phi_tilde,
    psi,
    rate,
    sensitivity,
    sqrt,
    tau,
    tau_bar,
    theta_dot,
)
from soadyn.algebra.calculus import sensitivity_of_row
from soadyn.algebra.calculus_rows import CLOSED_FORMS, ELEMENTS, RateRow
from soadyn.algebra.defining import operator, vector
from soadyn.algebra.identities.rates import Gamma, coriolis, skew_part
from soadyn.algebra.velocity_operators import W_s, Y_delta, along, lambda_of
from soadyn.errors import SpaceError
from soadyn.theory.oracle.dense_value import DenseValues
from soadyn.theory.oracle.specimens import FAMILY, Specimen

A, A_inverse, L = I_joint + H @ phi @ K, I_joint - H @ psi @ K, sqrt(D)
m, ell = A @ L, inv(L) @ A_inverse
nu, xi = m.T @ theta_dot, A.T @ theta_dot
c = operator("c", np.ones(6), maps=("white joint", "white joint"))
W = operator("W", np.ones(12), maps=("pose motion", "pose force"))
Y_hat = vector("Y_hat", "pose motion")
SINGLE, PRINTED = ("single joints",), ("single joints", "A_r = 0")
Claim = tuple[Expression, Expression, tuple[str, ...]]

# The Coriolis terms of Lemmas 3.1 and 7.3 by their definitions, and in closed form for all joints with armature.
C = ell @ coriolis - rate(m).T @ theta_dot
C_xi = A_inverse @ coriolis - D @ rate(A).T @ theta_dot
closed = inv(L) @ H @ psi @ (skew_part - 2 * (V_tilde.T @ M)) @ V / 2
w = Gamma @ xi + (A_r @ eta_delta - eta_delta.T @ A_r) @ theta_dot
closed_for_all = (
    closed
    + inv(L) @ (A_inverse @ w - Gamma @ theta_dot) / 2
    + inv(L) @ (eta_delta.T @ D - D @ eta_delta) @ inv(L).T @ nu / 2
    + Z @ nu
)
w_xi = Gamma @ xi - eta_delta.T @ A_r @ theta_dot
driving = H @ psi @ (lambda_dot @ H.T @ xi - (X_delta @ P + V_tilde.T @ M) @ V)
moved_bodies = (X_delta @ P + P @ X_delta.T + E_psi @ lambda_dot - lambda_dot @ E_psi.T) @ V / 2
quadratic = H @ phi @ (X_delta @ phi + V_tilde.T) @ M @ V

PROVED: dict[str, Claim] = {
    "Identity 6.2 (6.8)": (
        rate(m) @ nu,
        H @ phi @ (X_delta @ phi @ K @ H @ P @ V + moved_bodies),
        PRINTED,
    ),
    "Identity 6.2 (6.8) with armature": (
        rate(m) @ nu,
        H @ phi @ (X_delta @ phi @ K @ D @ xi + moved_bodies),
        SINGLE,
    ),
    "Identity 6.4 (6.13)": (quadratic, H @ phi @ (X_delta @ (I_link + phi @ K @ H) @ P + V_tilde.T @ M) @ V, PRINTED),
    "Identity 7.1 (7.1)": (C, closed, SINGLE),
    "Identity 7.1 (7.1) for all joints": (C, closed_for_all, ()),
    "Lemma 7.1 (7.3)": (nu.T @ closed_for_all, 0 * (nu.T @ nu), ()),
    "Lemma 7.3 (7.9)": (C_xi, driving, SINGLE),
    "Lemma 7.3 (7.9) for all joints": (C_xi, driving + A_inverse @ w_xi - D @ eta_delta @ xi, ()),
    "(7.9), the other form": (
        C_xi,
        H @ psi @ (E_psi @ lambda_dot @ E_psi.T @ H.T @ xi - X_delta @ P_plus @ V - V_tilde.T @ M @ V),
        PRINTED,
    ),
    "Lemma A.3 (A.14a), (A.14b)": (H @ V_tilde.T @ phi @ M @ V, quadratic, SINGLE),
    "Lemma A.3 (A.14b), (A.14c) with armature": (
        quadratic,
        H @ phi @ (X_delta @ P @ V + X_delta @ phi @ K @ D @ xi + V_tilde.T @ M @ V),
        SINGLE,
    ),
    "Lemma A.3, one joint's entry": (
        theta_dot.T @ sensitivity(mass, "j") @ theta_dot,
        2 * (V.T @ along(X_delta, "j") @ phi @ M @ V) - 2 * (theta_dot.T @ H @ along(Y_delta, "j") @ phi @ M @ V),
        (),
    ),
    "Lemma A.5 (A.27)": (rate(M), rate(P - E_phi @ P_plus @ E_phi.T), ()),
    "(A.17)": (
        lambda_of("j") - E_psi @ lambda_of("j") @ E_psi.T,
        along(X_delta, "j") @ P + P @ along(X_delta, "j").T,
        ("A_r = 0",),
    ),
    "the Coriolis force and the rate of the mass matrix": (
        theta_dot.T @ coriolis,
        theta_dot.T @ rate(mass) @ theta_dot / 2,
        (),
    ),
    "the rate of the root": (rate(L @ L.T), rate(D), ()),
    "Control 8.1: the power of the law": (theta_dot.T @ (m @ c @ nu), nu.T @ c @ nu, ()),
    "Control 8.2: the power of the law": (
        theta_dot.T @ (H @ phi @ B @ L_Y.T @ W @ (Y_hat - Y) - m @ c @ nu) - rate(Y).T @ W @ (Y_hat - Y),
        -(nu.T @ c @ nu),
        (),
    ),
}


@pytest.mark.parametrize("name", PROVED)
def test_000_the_identities_of_sections_6_and_7_are_proved(name: str) -> None:
    left, right, assumed = PROVED[name]
    proof = sd.prove(left, right, assume=assumed)
    assert proof.status == "proved", proof


@pytest.mark.parametrize("row", [x for x in ELEMENTS if x.defined_by is not None], ids=lambda row: row.name)
def test_000_table_3_follows_from_the_definitions(row: RateRow) -> None:
    assert row.defined_by is not None
    assert sd.prove(rate(row.defined_by), row.rate)
    assert sd.prove(sensitivity(row.defined_by, "j"), sensitivity_of_row(row, "j"))


@pytest.mark.parametrize("row", CLOSED_FORMS, ids=lambda row: row.name)
def test_000_the_lemmas_of_appendix_a_are_proved(row: RateRow) -> None:
    """Lemmas A.1, A.2, A.4 and A.6 and Identities 6.1 and 6.3 among them."""
    assert sd.prove(rate(row.of), row.rate, assume=row.needs)
    assert sd.prove(sensitivity(row.of, "j"), sensitivity_of_row(row, "j"), assume=row.needs)


@pytest.mark.parametrize("specimen", FAMILY, ids=str)
def test_000_lemma_a_3_the_quadratic_form(specimen: Specimen) -> None:
    """col(θ̇* 𝓜_θi θ̇) = 2 H Ṽ* φ M V less what turning axes do, entry by entry."""
    values, model = DenseValues(specimen.robot()), specimen.model()
    column = values.of(2 * (H @ V_tilde.T @ phi @ M @ V))
    for joint, dofs in zip(model.joints, model.v_slices, strict=True):
        for i in range(dofs.stop - dofs.start):
            changed = values.of(theta_dot.T @ sensitivity(mass, (joint.name, i)) @ theta_dot)
            turned = values.of(theta_dot.T @ H @ along(Y_delta, (joint.name, i)) @ phi @ M @ V)
            assert abs(changed + 2 * turned - column[dofs.start + i]) < 1e-11 * max(1.0, abs(column).max())


MISPRINTS: dict[str, Claim] = {
    "(4.8): E_psi = -E_phi tau_bar": (E_psi, -(E_phi @ tau_bar), ()),
    "Table 1: minus G* V+": (nu, L.T @ (theta_dot - K.T @ V), ()),
    "(5.4): minus H z": (T, L @ ell @ T - H @ psi @ K @ T, ()),
    "(6.7): I + tau": (
        rate(m),
        H @ phi @ (X_delta @ phi_tilde @ P + (I_link + tau) @ lambda_dot / 2) @ H.T @ inv(L).T,
        PRINTED,
    ),
    "(A.30): the local rate of P for lambda_dot": (
        rate(m),
        H @ phi @ (X_delta @ phi_tilde @ P + (I_link + tau_bar) @ E_psi @ lambda_dot @ E_psi.T / 2) @ H.T @ inv(L).T,
        PRINTED,
    ),
    "(7.6): half the power": (rate(nu.T @ nu / 2), nu.T @ rate(nu) / 2, ()),
    "(7.9): plus the gyroscopic term": (
        C_xi,
        H @ psi @ (E_psi @ lambda_dot @ E_psi.T @ H.T @ xi - X_delta @ P @ V + V_tilde.T @ M @ V),
        PRINTED,
    ),
    "(A.9): minus": (rate(phi), -(phi @ rate(E_phi) @ phi), ()),
    "(A.11): minus": (E_phi @ phi, -phi_tilde, ()),
    "(A.13): subscript s": (
        sensitivity(H @ phi @ M @ phi.T @ H.T, "j"),
        H @ phi @ (along(W_s, "j") @ phi @ M + M @ phi.T @ along(W_s, "j").T) @ phi.T @ H.T,
        PRINTED,
    ),
    "(A.17): subscript s": (
        lambda_of("j") - E_psi @ lambda_of("j") @ E_psi.T,
        along(W_s, "j") @ P + P @ along(W_s, "j").T,
        PRINTED,
    ),
    "proof of A.3: the sign of cross products": (V_tilde @ H.T @ theta_dot, -(X_delta.T @ V), ()),
    "(8.6): the other sign": (
        theta_dot.T @ (H @ phi @ B @ L_Y.T @ W @ (Y - Y_hat) - m @ c @ nu) - rate(Y).T @ W @ (Y_hat - Y),
        -(nu.T @ c @ nu),
        (),
    ),
    "(B.6): tau for tau_bar": (P @ tau.T @ H.T, 0 * (G @ D), PRINTED),
}


@pytest.mark.parametrize("name", MISPRINTS)
def test_000_misprints_are_refuted(name: str) -> None:
    left, right, assumed = MISPRINTS[name]
    proof = sd.prove(left, right, assume=assumed)
    assert proof.status == "refuted"
    assert proof.counterexample is not None
    assert proof.counterexample.difference > 1e-6


REFUSED: dict[str, Callable[[], object]] = {
    "section 3: nu = m theta_dot": lambda: m @ theta_dot,
    "(4.9): I - E P E*": lambda: I_link - E_phi @ P @ E_phi.T,
    "(5.3): D^1/2 nu": lambda: L @ nu - theta_dot,
    "(6.5): psi lambda_dot psi": lambda: E_psi @ lambda_dot @ E_psi,
    "(7.2): V~* M X": lambda: V_tilde.T @ M @ X_delta,
    "(7.9): the adjoint on T": lambda: A_inverse.T @ T,
    "(8.1): T inverted": lambda: inv(T),
    "(8.5): B phi H": lambda: phi @ H @ theta_dot,
}


@pytest.mark.parametrize("name", REFUSED)
def test_000_misprints_that_are_no_formulas_are_refused(name: str) -> None:
    with pytest.raises(SpaceError):
        REFUSED[name]()
