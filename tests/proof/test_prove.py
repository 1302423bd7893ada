"""What `prove` proves, refutes and leaves open; every step of every chain is checked on arms as well."""

from __future__ import annotations

import time
from itertools import pairwise

import numpy as np
import pytest

import soadyn as sd
from soadyn.algebra import (
    A_r,
    A_ra,
    A_rp,
    B,
    D,
    D_p,
    E_phi,
    E_psi,
    Expression,
    G,
    H,
    H_a,
    H_p,
    I_joint,
    I_link,
    I_passive,
    K,
    K_p,
    M,
    Omega,
    P,
    R,
    T,
    Upsilon,
    a,
    alpha,
    b,
    f,
    f_tip,
    inv,
    mass,
    phi,
    phi_tilde,
    psi,
    psi_tilde,
    tau_bar,
    theta_ddot,
)
from soadyn.algebra.defining import operator, vector
from soadyn.algebra.identities import IDENTITIES
from soadyn.algebra.identities.row import Row
from soadyn.errors import ArgumentError, SpaceError, UnknownNameError
from soadyn.theory.oracle.specimens import Specimen, family
from soadyn.theory.proof.result import Proof

A = I_joint + H @ phi @ K
A_inverse = I_joint - H @ psi @ K
S = phi @ M @ phi.T
A_p = I_passive + H_p @ phi @ K_p
A_p_inverse = I_passive - H_p @ psi @ K_p
M_pp, M_ap, M_aa = H_p @ S @ H_p.T + A_rp, H_a @ S @ H_p.T, H_a @ S @ H_a.T + A_ra
S_ap = M_ap @ inv(M_pp)
held = psi - P @ Omega
T_bar = I_link - Omega @ M
Sigma = P + psi_tilde @ P + P @ psi_tilde.T
J_a, J_p = B.T @ phi.T @ H_a.T, B.T @ phi.T @ H_p.T

Claim = tuple[Expression, Expression]

# What the issue, 004's appendix and 003's lemmas ask for, in the form that holds with armature.
WITH_ARMATURE: dict[str, Claim] = {
    "innovations from Newton-Euler": (H @ phi @ M @ phi.T @ H.T + A_r, A @ D @ A.T),
    "inverse factor": (inv(A), A_inverse),
    "filtered joint map": (A_inverse @ H @ phi, H @ psi),
    "inverse mass matrix": (inv(mass), A_inverse.T @ inv(D) @ A_inverse),
    "004 Lemma 4.1": (M_pp, A_p @ D_p @ A_p.T),
    "004 Lemma 4.2": (inv(A_p), A_p_inverse),
    "004 Lemma 4.3": (inv(M_pp), A_p_inverse.T @ inv(D_p) @ A_p_inverse),
    "004 (5.1a)": (inv(H_p @ S @ H_p.T + A_rp), A_p_inverse.T @ inv(D_p) @ A_p_inverse),
    "004 (5.1b)": (S_ap, H_a @ (psi @ K_p + P @ psi.T @ H_p.T @ inv(D_p) @ A_p_inverse)),
    "004 (5.1b), second": (S_ap, H_a @ (held @ K_p + P @ psi.T @ H_p.T @ inv(D_p))),
    "004 (5.1c)": (M_aa - S_ap @ M_ap.T, A_ra + H_a @ (Sigma - P @ Omega @ P) @ H_a.T),
    "004 (5.1c), second": (M_aa - S_ap @ M_ap.T, A_ra + H_a @ (held @ P + P @ psi_tilde.T) @ H_a.T),
    "004 (6.6)": (T_bar @ phi.T, psi.T - Omega @ P),
    "004 (6.11) J_G": (J_a - J_p @ S_ap.T, B.T @ (psi.T - Omega @ P) @ H_a.T),
    "004 (6.13) J_D": (-S_ap.T, -A_p_inverse.T @ inv(D_p) @ H_p @ psi @ P @ H_a.T - K_p.T @ psi.T @ H_a.T),
    "004 (A.1)": (inv(psi), inv(phi) + K_p @ H_p),
    "004 (A.2)": (psi @ K_p @ H_p @ phi, phi - psi),
    "004 (A.3)": (A_p_inverse @ H_p @ phi, H_p @ psi),
    "004 (A.4)": (phi @ K_p @ A_p_inverse, psi @ K_p),
    "004 (A.5)": (psi @ M @ psi.T, psi_tilde @ P + P @ psi.T - psi @ K_p @ A_rp @ K_p.T @ psi.T),
    "004 (A.6)": (phi @ M @ psi.T, phi_tilde @ P + P @ psi.T),
    "004 (A.7)": (Omega @ M @ phi.T, phi.T - (psi.T - Omega @ P)),
    "004 (A.7), second": (
        Omega @ M @ phi.T,
        phi.T @ H_p.T @ (K_p.T @ (psi.T - Omega @ P) + inv(D_p) @ H_p @ psi @ P),
    ),
    "004 (A.8)": (held @ M @ phi.T, held @ P + P @ psi_tilde.T),
    "004 (A.8), second": (held @ M @ phi.T, Sigma - P @ Omega @ P),
    "004 (A.9)": (phi @ M @ Omega, phi - held),
    "004 (A.11)": (H_p @ psi @ M @ psi.T @ H_p.T, D_p - A_p_inverse @ A_rp @ A_p_inverse.T),
    "003 Lemma 1": (S, R + phi_tilde @ R + R @ phi_tilde.T),
    "003 Lemma 2": (mass, H @ (R + phi_tilde @ R + R @ phi_tilde.T) @ H.T + A_r),
    "003 Lemma 3": (S, P + phi_tilde @ P + P @ phi_tilde.T + phi @ K @ D @ K.T @ phi.T),
    "003 Lemma 4": (mass, (I_joint + H @ phi_tilde @ G) @ D @ (I_joint + H @ phi_tilde @ G).T),
    "003 Lemma 5": (inv(psi), inv(phi) + K @ H),
    "003 Lemma 6": (inv(I_joint + H @ phi @ K), I_joint - H @ psi @ K),
    "003 Lemma 6, factors": (H @ phi @ K, H @ psi @ K + H @ phi @ K @ H @ psi @ K),
    "forward dynamics": (
        theta_ddot,
        A_inverse.T @ inv(D) @ A_inverse @ (T - H @ phi @ (M @ phi.T @ a + b + B @ f_tip)),
    ),
}

# The printed forms, which forget the armature.
WITHOUT_ARMATURE: dict[str, Claim] = {
    "Newton-Euler": (mass, H @ phi @ M @ phi.T @ H.T),
    "004 (5.1a)": (inv(H_p @ S @ H_p.T), A_p_inverse.T @ inv(D_p) @ A_p_inverse),
    "004 (5.1b)": (M_ap @ inv(H_p @ S @ H_p.T), H_a @ (held @ K_p + P @ psi.T @ H_p.T @ inv(D_p))),
    "004 (5.1c)": (M_aa - S_ap @ M_ap.T, H_a @ (psi @ M @ psi.T - P @ Omega @ P) @ H_a.T),
    "004 (A.5)": (psi @ M @ psi.T, psi_tilde @ P + P @ psi.T),
    "004 (A.8)": (held @ M @ phi.T, psi @ M @ psi.T - P @ Omega @ P),
    "004 (A.11)": (H_p @ psi @ M @ psi.T @ H_p.T, D_p),
    "004 (6.5)": (Omega @ M @ Omega @ M, Omega @ M),
    "004 (6.7)": (T_bar @ phi.T @ H_p.T, 0 * (phi.T @ H_p.T)),
    "004 (6.8)": (M_aa - S_ap @ M_ap.T, H_a @ phi @ T_bar.T @ M @ T_bar @ phi.T @ H_a.T),
    "003 Lemma 2": (mass, H @ (R + phi_tilde @ R + R @ phi_tilde.T) @ H.T),
    "003 Lemma 3, proof": (P, E_psi @ P @ E_psi.T + M),
    "003 Lemma 8": (psi @ M @ psi.T, P + psi_tilde @ P + P @ psi_tilde.T),
    "003 Lemma 9": (H @ P @ Upsilon, H),
    "innovations factor": (A, H @ phi @ G),
    "000 (B.4)": (H @ phi @ tau_bar, H @ phi @ E_psi),
}

# True on chains only.
ON_CHAINS: dict[str, Claim] = {
    "003 (10.1)": (Omega, Upsilon + Upsilon @ psi_tilde + psi_tilde.T @ Upsilon),
    "003 (10.3)": (H.T @ inv(D) @ H, Upsilon - E_psi.T @ Upsilon @ E_psi),
    "003 (10.5)": (
        Sigma - P @ Omega @ P,
        (P - P @ Upsilon @ P) + (I_link - P @ Upsilon) @ psi_tilde @ P + P @ psi_tilde.T @ (I_link - Upsilon @ P),
    ),
    "003 Lemma 12": (
        inv(mass),
        inv(D)
        - K.T @ Upsilon @ K
        + K.T @ psi.T @ (Upsilon @ K - H.T @ inv(D))
        + (K.T @ Upsilon - inv(D) @ H) @ psi @ K,
    ),
}

FALSE: dict[str, Claim] = {
    "wrong sign in the factor": (mass, (I_joint - H @ phi @ K) @ D @ (I_joint - H @ phi @ K).T),
    "wrong sign in the inverse factor": (inv(A), I_joint + H @ psi @ K),
    "phi for psi in the inverse factor": (inv(A), I_joint - H @ phi @ K),
    "psi for phi in the factor": (mass, (I_joint + H @ psi @ K) @ D @ (I_joint + H @ psi @ K).T),
    "G for K": (mass, (I_joint + H @ phi @ G) @ D @ (I_joint + H @ phi @ G).T),
    "D not inverted, R for P": (H @ R @ H.T + A_r, D),
    "armature forgotten in D": (D, H @ P @ H.T),
    "armature forgotten in the mass matrix": (mass, H @ phi @ M @ phi.T @ H.T),
    "armature twice": (mass, A @ D @ A.T + A_r),
    "inner factors swapped": (inv(mass), A_inverse.T @ A_inverse.T @ inv(D)),
    "wrong adjoint": (inv(mass), inv(D) - inv(D) @ H @ psi @ K - inv(D) @ H @ psi @ K + K.T @ Omega @ K),
    "outer factors swapped": (psi @ phi, phi @ psi),
    "000 (4.9) as printed": (M, P - E_phi @ P @ E_phi.T),
    "000 (A.11) as printed": (E_phi @ phi, -phi_tilde),
    "sign of the difference": (psi @ K @ H @ phi, psi - phi),
    "P for R": (S, P + phi_tilde @ P + P @ phi_tilde.T),
    "half of the composite bodies": (S, R + phi_tilde @ R),
    "001 (67) as printed": (H @ psi @ tau_bar @ P, H @ psi @ P),
    "one transition too few": (phi @ M @ psi.T, phi_tilde @ P + P),
    "transitions taken for each other": (phi, psi),
    "gains of the passive arm swapped": (S_ap, H_a @ (psi @ K_p)),
    "passive Jacobian without Omega": (J_a - J_p @ S_ap.T, B.T @ psi.T @ H_a.T),
    "twice": (2 * phi, phi),
    "accelerations without bias": (alpha, phi.T @ H.T @ theta_ddot),
    "tip force with the wrong sign": (f, phi @ (M @ alpha + b - B @ f_tip)),
    "powers that vanish on short chains only": (E_phi @ E_phi @ E_phi @ E_phi @ E_phi @ E_phi, 0 * E_phi),
    "commuting": (tau_bar @ E_phi, E_phi @ tau_bar),
}


def checked(proof: Proof) -> Proof:
    """The proof, each of its steps compared on arms: the chain is one of equals from the left to the right."""
    if proof:
        formulas = [proof.left, *(step.formula for step in proof.steps)]
        assert formulas[-1] == proof.right or str(formulas[-1]) == str(proof.right) or not proof.steps
        passive = "H_p" in str(proof) or "H_a" in str(proof)
        serial, single = "serial" in proof.assumed, "single joints" in proof.assumed
        arms = family(armature=False if "A_r = 0" in proof.assumed else None, serial=serial, single=single)
        for specimen in arms[-3:]:  # some with armature among them, unless that is assumed away
            values = specimen.values(passive, one_frame="one frame" in proof.assumed)
            for one, other in pairwise(formulas):
                assert values.apart(one, other) < 1e-9, (str(one), str(other))
        for other_proof in (proof.because, proof.multiplied_out):
            if other_proof:
                checked(other_proof)
    return proof


@pytest.mark.parametrize("name", WITH_ARMATURE)
def test_what_the_papers_say_is_proved(name: str) -> None:
    proof = checked(sd.prove(*WITH_ARMATURE[name]))
    assert proof.status == "proved"
    assert proof.identities
    assert set(proof.identities) <= set(IDENTITIES)


@pytest.mark.parametrize("name", WITHOUT_ARMATURE)
def test_the_printed_form_is_proved_without_armature_and_refuted_with(name: str) -> None:
    assert checked(sd.prove(*WITHOUT_ARMATURE[name], assume=["A_r = 0"]))
    refuted = sd.prove(*WITHOUT_ARMATURE[name])
    assert refuted.status == "refuted"
    assert refuted.counterexample is not None
    assert refuted.counterexample.specimen.armature


@pytest.mark.parametrize("name", ON_CHAINS)
def test_what_holds_on_chains_is_proved_there_and_refuted_on_forks(name: str) -> None:
    assert checked(sd.prove(*ON_CHAINS[name], assume=["serial"]))
    refuted = sd.prove(*ON_CHAINS[name])
    assert refuted.status == "refuted"
    assert refuted.counterexample is not None
    assert refuted.counterexample.specimen.shape == "fork"


@pytest.mark.parametrize("name", FALSE)
def test_what_is_false_is_refuted_by_an_arm(name: str) -> None:
    left, right = FALSE[name]
    proof = sd.prove(left, right)
    assert proof.status == "refuted"
    found = proof.counterexample
    assert found is not None
    assert found.difference > 1e-6
    # the words it prints rebuild it
    line = str(found).splitlines()[-1].strip()
    rebuilt = eval(line, {"Specimen": Specimen, "left": left, "right": right})
    assert np.isclose(rebuilt, found.difference)


@pytest.mark.parametrize("row", IDENTITIES.values(), ids=lambda row: row.name)
def test_every_row_of_the_table_is_proved(row: Row) -> None:
    assert checked(sd.prove(row.left, row.right, assume=row.needs))


def test_proofs_are_quick() -> None:
    sd.prove(phi, phi)
    for left, right in WITH_ARMATURE.values():
        start = time.perf_counter()
        sd.prove(left, right)
        assert time.perf_counter() - start < 5.0  # well under one second on an idle machine


def test_what_is_numerically_equal_but_beyond_the_rules_is_unknown() -> None:
    """On the test arms some power of E_phi vanishes; the rules know of none."""
    power: Expression = E_phi
    for _ in range(12):
        power = power @ E_phi
    proof = sd.prove(power, 0 * E_phi)
    assert proof.status == "unknown"
    assert not proof
    assert "no chain of identities was found" in str(proof)


def test_via_a_lemma() -> None:
    right = A_inverse.T @ inv(D) @ A_inverse
    plain = sd.prove(inv(mass), right).full
    short = checked(sd.prove(inv(mass), right, via=["innovations factorization"])).full
    assert "innovations factorization" in short.identities
    assert "innovations factorization" not in plain.identities
    assert len(short.because.steps) < len(plain.because.steps)  # type: ignore[union-attr]
    by_hand = checked(sd.prove(inv(mass), right, via=[(mass, A @ D @ A.T)]))
    assert by_hand
    assert not by_hand.given
    assert "given: mass" in str(by_hand)


def test_via_what_the_rules_do_not_know_is_a_condition() -> None:
    power: Expression = E_phi
    for _ in range(12):
        power = power @ E_phi
    proof = sd.prove(phi @ power + psi, psi, via=[(power, 0 * E_phi)])
    assert proof.status == "proved"
    assert not proof
    assert len(proof.given) == 1
    assert "given" in str(proof)


def test_one_frame() -> None:
    assert sd.prove(B.T @ Omega @ B, B.T @ Upsilon @ B).status == "refuted"
    assert checked(sd.prove(B.T @ Omega @ B, B.T @ Upsilon @ B, assume=["one frame"]))


def test_a_users_own_symbols() -> None:
    damping = operator("damping", [0.1, 0.2])
    x = vector("x", "joint motion")
    own = operator("own", I_joint + H @ phi @ K)
    assert sd.prove(own @ D @ own.T, mass)
    assert sd.prove(inv(mass + damping) @ (damping + mass) @ x, x)
    assert sd.prove(damping @ inv(mass) @ damping, damping).status == "refuted"
    bias = vector("bias", H @ phi @ (M @ phi.T @ a + b))
    assert sd.prove(T - bias - H @ phi @ B @ f_tip, mass @ theta_ddot)


def test_a_proof_can_be_read() -> None:
    proof = sd.prove(H @ phi @ M @ phi.T @ H.T + A_r, A @ D @ A.T)
    said = str(proof)
    assert said.startswith("proved:")
    assert "innovations factorization [001 (43) Identity 3; " in said
    assert "Riccati equation with the gain [003 Lemma 3]" in str(proof.full)
    assert all(len(line) <= 112 for text in (said, str(proof.full)) for line in text.splitlines())
    latex = proof._repr_latex_()
    assert latex.startswith(r"$$\begin{aligned}")
    assert r"\phi" in latex
    assert sd.prove(phi, psi)._repr_latex_() == r"$\phi \neq \psi$"


def test_what_holds_factor_by_factor_is_proved_in_a_few_lines() -> None:
    proof = checked(sd.prove(inv(mass), A_inverse.T @ inv(D) @ A_inverse))
    assert [step.reason.name for step in proof.steps] == [
        "innovations factorization",
        "the inverse of a product",
        "inverse innovations factor",
    ]
    assert len(str(proof).splitlines()) == 8
    assert len(str(proof.full).splitlines()) > 50
    own = operator("own", A)
    proof = checked(sd.prove(inv(own @ D @ own.T), A_inverse.T @ inv(D) @ A_inverse))
    assert len(proof.steps) == 3
    assert str(proof.steps[0].reason) == "the inverse of a product"


def test_a_row_is_not_its_own_reason() -> None:
    """Nor is it when it is written otherwise."""
    for left, right in ((inv(A), A_inverse), (A_inverse.T, inv(A).T), (inv(A), -(H @ psi @ K) + I_joint)):
        proof = checked(sd.prove(left, right))
        assert "inverse innovations factor" not in proof.identities


def test_an_inverse_beside_what_it_inverts_is_not_written_out() -> None:
    x: Expression = inv(mass) @ T
    for _ in range(100):
        x = inv(mass) @ mass @ x
    assert sd.prove(x, inv(mass) @ T)
    assert str(sd.simplify(x)) == "inv(mass) @ T"


def test_formulas_may_be_text() -> None:
    assert checked(sd.prove("inv(𝓜)", "(I - HψK)* D⁻¹ (I - HψK)", via=[("mass", "A_r + H φ M φ* H*")]))
    assert str(sd.simplify("(I - H ψ K) H φ")) == "H @ psi"
    with pytest.raises(sd.FormulaError, match="unknown operator or vector 'pih'"):
        sd.prove("H @ pih", H @ phi)


def test_identity_and_zero_fit_either_side() -> None:
    assert sd.prove(inv(phi.T) @ phi.T, I_link)
    assert sd.prove(phi - phi, 0 * phi)


def test_what_makes_no_sense_is_refused() -> None:
    with pytest.raises(SpaceError, match="the two formulas map different spaces: phi maps link force to link force"):
        sd.prove(phi, H)
    with pytest.raises(SpaceError, match="the right one is a int"):
        sd.prove(phi, 1)  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match="assume takes 'A_r = 0', 'serial', 'one frame', 'single joints'; got 'A_r"):
        sd.prove(phi, phi, assume=["A_r"])
    with pytest.raises(ArgumentError, match=r"write \['serial'\]"):
        sd.prove(phi, phi, assume="serial")
    with pytest.raises(UnknownNameError, match="no row 'nothing'"):
        sd.prove(phi, phi, via=["nothing"])
    with pytest.raises(ArgumentError, match="needs serial, which is not assumed"):
        sd.prove(phi, phi, via=["operational inertias of a chain"])
    with pytest.raises(ArgumentError, match="given in via, is false"):
        sd.prove(phi, phi, via=[(phi, psi)])
    with pytest.raises(SpaceError, match="H_p belong to the passive arm, K to the whole one"):
        sd.prove(H_p @ K, H_p @ K)
    assert sd.prove(inv(M - P + E_phi @ P @ E_phi.T - K @ D @ K.T), inv(M)).status == "undefined"
