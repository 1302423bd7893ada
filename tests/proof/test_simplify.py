"""Simplified formulas are shorter and equal."""

from __future__ import annotations

import pytest

import soadyn as sd
from soadyn.algebra import (
    A_r,
    B,
    D,
    E_phi,
    Expression,
    G,
    H,
    H_a,
    H_p,
    I_joint,
    I_link,
    K,
    K_p,
    M,
    Omega,
    P,
    T,
    Upsilon,
    b,
    inv,
    mass,
    phi,
    psi,
    psi_tilde,
    sqrt,
    tau_bar,
)
from soadyn.algebra.identities import IDENTITIES
from soadyn.algebra.identities.row import Row
from soadyn.theory.oracle.specimens import family
from soadyn.theory.proof.simplifying import cost

A = I_joint + H @ phi @ K
A_inverse = I_joint - H @ psi @ K

SHORTER: dict[str, Expression] = {
    "H @ psi": A_inverse @ H @ phi,
    "I_joint - H @ psi @ K": inv(A),
    "mass": A @ D @ A.T,
    "inv(mass)": A_inverse.T @ inv(D) @ A_inverse,
    "inv(mass) @ (T - H @ phi @ b)": A_inverse.T @ inv(D) @ A_inverse @ (T - H @ phi @ b),
    "psi @ K": phi @ K @ A_inverse,
    "psi": phi - psi @ K @ H @ phi,
    "tau_bar": I_link - G @ H,
    "P_plus": tau_bar @ P,
    "E_psi": E_phi @ tau_bar,
    "T": mass @ inv(mass) @ T,
    "B.T @ Omega @ B": B.T @ phi.T @ H.T @ inv(mass) @ H @ phi @ B,
    "phi": 2 * phi - phi,
    "0": H @ phi @ K - H @ psi @ K - H @ psi @ K @ H @ phi @ K,
    "sqrt(D)": D @ inv(sqrt(D).T),
    "psi.T - Omega @ P": phi.T - Omega @ M @ phi.T,
    "H_p @ psi": H_p @ phi - H_p @ psi @ K_p @ H_p @ phi,
    "inv(M + P)": inv(M + P) @ (P + M) @ inv(P + M),
}


@pytest.mark.parametrize("name", SHORTER)
def test_a_formula_becomes_shorter(name: str) -> None:
    assert str(sd.simplify(SHORTER[name])) == name


@pytest.mark.parametrize("x", [phi, phi - psi, H @ phi @ b, inv(M + P), H_a @ psi], ids=str)
def test_what_is_short_stays(x: Expression) -> None:
    assert sd.simplify(x) == x


def test_assumptions_shorten() -> None:
    assert str(sd.simplify(H @ P @ H.T + 2 * A_r, assume=["A_r = 0"])) == "D"
    assert str(sd.simplify(H @ P @ Upsilon, assume=["A_r = 0"])) == "H"
    long = Upsilon + Upsilon @ psi_tilde + psi_tilde.T @ Upsilon
    assert cost(sd.simplify(long, assume=["serial"])) < cost(long)
    assert Omega.domain == long.domain


@pytest.mark.parametrize("row", IDENTITIES.values(), ids=lambda row: row.name)
def test_what_comes_out_is_equal_and_no_longer(row: Row) -> None:
    armature = "A_r = 0" not in row.needs
    arms = family(armature, serial="serial" in row.needs, single="single joints" in row.needs)
    values = arms[-1].values(row.arms[-1])
    for side in (row.left, row.right):
        found = sd.simplify(side)
        assert cost(found) <= cost(side)
        assert values.apart(found, side) < 1e-9
