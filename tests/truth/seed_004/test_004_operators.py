"""Under-Actuated Manipulators (004), sections 3, 4 and appendix A: operators, factors and identities."""

from __future__ import annotations

import numpy as np
import pytest

import soadyn as sd
from dense_passive import six
from soadyn.algebra import (
    A_rp,
    D_p,
    E_phi,
    E_psi,
    G_p,
    H,
    H_a,
    H_p,
    I_link,
    I_passive,
    K_p,
    M,
    Omega,
    P,
    inv,
    phi,
    phi_tilde,
    psi,
    psi_tilde,
    tau_bar,
    theta_dot,
    theta_dot_a,
)
from soadyn.theory.oracle.dense_geometry import rigid
from soadyn.theory.oracle.dense_value import dense_value
from systems_004 import SYSTEMS, System, filtered, identity, link_accelerations, operator, same, system

A_p_inverse = I_passive - H_p @ psi @ K_p
held = psi - P @ Omega

# Section 3


def test_004_eq_3_1(s: System) -> None:
    d, dense = s.d, s.d.dense
    V, alpha, f = np.zeros((dense.n, 6)), np.zeros((dense.n, 6)), np.zeros((dense.n, 6))
    T = np.zeros(dense.nv)
    for k, parent in enumerate(dense.parents):
        dofs = dense.model.v_slices[k]
        H = dense.H[dofs, six(k)]
        phi = dense.E_phi[six(parent), six(k)] if parent >= 0 else np.zeros((6, 6))
        V[k] = phi.T @ V[parent] + H.T @ s.v[dofs]
        alpha[k] = phi.T @ alpha[parent] + H.T @ s.vdot[dofs] + d.a[six(k)]
    for k in reversed(range(dense.n)):
        dofs = dense.model.v_slices[k]
        f[k] += d.M[six(k), six(k)] @ alpha[k] + d.b[six(k)]
        T[dofs] = dense.H[dofs, six(k)] @ f[k] + dense.A_r[dofs, dofs] @ s.vdot[dofs]
        if dense.parents[k] >= 0:
            f[dense.parents[k]] += dense.E_phi[six(dense.parents[k]), six(k)] @ f[k]
    assert same(V.reshape(-1), dense.V)
    assert same(s.robot.inverse_dynamics(s.q, s.v, s.vdot), T)


def test_004_eq_3_2(s: System) -> None:
    d, H = s.d, s.d.dense.H
    alpha = d.phi.T @ (H.T @ s.vdot + d.a)
    f = d.phi @ (d.M @ alpha + d.b)
    assert same(d.dense.V, d.phi.T @ H.T @ s.v)
    assert same(link_accelerations(s, s.vdot), alpha)
    assert same(s.robot.inverse_dynamics(s.q, s.v, s.vdot), H @ f + d.dense.A_r @ s.vdot)


def test_004_eq_3_3(s: System) -> None:
    d, H = s.d, s.d.dense.H
    assert same(s.robot.mass_matrix(s.q), H @ d.phi @ d.M @ d.phi.T @ H.T + d.dense.A_r)
    assert same(s.robot.bias_force(s.q, s.v), H @ d.phi @ (d.M @ d.phi.T @ d.a + d.b))


def test_004_eq_3_4(shown: System) -> None:
    operator(shown, phi)
    dense = shown.d.dense
    for i in range(dense.n):
        for j in range(dense.n):
            carries = i + 1 in dense.model.ancestors(j + 1)
            expected = rigid(dense.origins[j] - dense.origins[i]) if carries else np.zeros((6, 6))
            assert same(dense.phi[six(i), six(j)], expected)


def test_004_eq_3_5(s: System) -> None:
    assert same(s.robot.frame_velocity(s.q, s.v, "tool"), s.d.B("tool").T @ s.d.dense.V)


def test_004_eq_3_6(s: System) -> None:
    assert same(s.robot.jacobian(s.q, "tool"), s.d.B("tool").T @ s.d.phi.T @ s.d.dense.H.T)


# Section 4


def test_004_eq_4_1(shown: System) -> None:
    s = shown
    operator(s, H_a)
    operator(s, H_p)
    assert same(s.d.H_a.T @ s.v[~s.p] + s.d.H_p.T @ s.v[s.p], s.d.dense.H.T @ s.v)
    rates_p = sd.vector("rates_p", "passive joint motion")
    both = sd.compile(H_a.T @ theta_dot_a + H_p.T @ rates_p, s.robot, passive=s.p)
    assert same(both(s.q, s.v[~s.p], s.v[s.p]), sd.compile(H.T @ theta_dot, s.robot)(s.q, s.v))


def test_004_eq_4_2(s: System) -> None:
    d = s.d
    a, T = s.hybrid()
    C = s.robot.bias_force(s.q, s.v)
    assert same(d.mass("a", "a") @ a[~s.p] + d.mass("a", "p") @ a[s.p] + C[~s.p], T[~s.p])
    assert same(d.mass("a", "p").T @ a[~s.p] + d.mass("p", "p") @ a[s.p] + C[s.p], T[s.p])


def test_004_eq_4_3(rng: np.random.Generator) -> None:
    for options in SYSTEMS.values():
        s = system(rng, **{**options, "by_joint": True})
        d, Mass = s.d, s.robot.mass_matrix(s.q)
        passive = [name for name in s.robot.joint_names if s.p[s.robot.joint_dofs(name)[0]]]
        arms = {"p": s.robot.passive_arm(passive, s.q), "a": s.robot.active_arm(passive, s.q)}
        for i, H_i, A_ri in (("a", d.H_a, d.A_ra), ("p", d.H_p, d.A_rp)):
            own = [s.q[list(s.robot.joint_coordinates(name))] for name in arms[i].joint_names]
            block = H_i @ d.phi @ d.M @ d.phi.T @ H_i.T + A_ri
            assert same(arms[i].mass_matrix(np.concatenate(own)), block)
        assert same(Mass[np.ix_(~s.p, s.p)], d.H_a @ d.phi @ d.M @ d.phi.T @ d.H_p.T)
        assert same(s.robot.bias_force(s.q, s.v)[s.p], d.H_p @ d.phi @ (d.b + d.M @ d.phi.T @ d.a))


def test_004_eq_4_4(s: System) -> None:
    S_aa, S_ap, S_pp = s.robot.actuation_matrices(s.q, s.p)
    C = s.robot.bias_force(s.q, s.v)
    a_a, T_p = s.known
    a, T = s.hybrid()
    assert same(T[~s.p], S_aa @ a_a + S_ap @ T_p + C[~s.p] - S_ap @ C[s.p])
    assert same(a[s.p], -S_ap.T @ a_a + S_pp @ T_p - S_pp @ C[s.p])


def test_004_eq_4_5(s: System) -> None:
    for found, expected in zip(s.robot.actuation_matrices(s.q, s.p), s.d.S, strict=True):
        assert same(found, expected)


@pytest.mark.heavy(2)
def test_004_eq_4_6(shown: System) -> None:
    s, d = shown, shown.d
    for X in (P, D_p, G_p, K_p, tau_bar, E_psi, psi):
        operator(s, X)
    assert same(np.asarray(dense_value(P, d.dense, s.p)), d.P)
    _, D_found = s.robot.passive_mass_factors(s.q, s.p)
    assert same(D_found, d.D)
    # As printed, with the branches exchanged, the articulated joints would be the active ones.
    _, D_printed, _ = d.riccati(~s.p)
    assert D_printed.shape != D_found.shape or not same(D_printed, D_found)


def test_004_eq_4_7(s: System) -> None:
    d = s.d
    assert same(d.D, d.H_p @ d.P @ d.H_p.T + d.A_rp)
    assert same(d.G, d.P @ d.H_p.T @ d.D_inv)
    assert same(s.robot.passive_mass_factors(s.q, s.p)[0], d.I_p + d.H_p @ d.phi @ d.E_phi @ d.G)
    for block_diagonal in (d.P, d.tau_bar):
        for k in range(d.dense.n):
            outside = block_diagonal[six(k)].copy()
            outside[:, six(k)] = 0
            assert not outside.any()


@pytest.mark.heavy(2)
def test_004_eq_4_8(shown: System) -> None:
    d = shown.d
    identity(shown, M, P - E_psi @ P @ E_psi.T - K_p @ A_rp @ K_p.T)
    identity(shown, M, P - E_phi @ P @ E_psi.T)
    assert same(d.M, d.P - d.E_psi @ d.P @ d.E_psi.T - d.K @ d.A_rp @ d.K.T)
    assert same(d.M, d.P - d.E_phi @ d.P @ d.E_psi.T)


def test_004_eq_4_9(shown: System) -> None:
    d, dense = shown.d, shown.d.dense
    identity(shown, psi @ (I_link - E_psi), I_link)
    assert same(d.psi @ (d.I - d.E_psi), d.I)
    for j in range(dense.n):
        product, i = np.eye(6), j
        assert same(d.psi[six(j), six(j)], product)
        while (parent := dense.parents[i]) >= 0:
            product = d.E_psi[six(parent), six(i)] @ product
            assert same(d.psi[six(parent), six(j)], product)
            i = parent


def test_004_lemma_4_1(s: System) -> None:
    A_p, D_p = s.robot.passive_mass_factors(s.q, s.p)
    assert same(A_p, s.d.A)
    assert same(A_p @ D_p @ A_p.T, s.d.mass("p", "p"))


def test_004_lemma_4_2(s: System) -> None:
    assert same(np.linalg.inv(s.robot.passive_mass_factors(s.q, s.p)[0]), s.d.A_inv)


def test_004_lemma_4_3(s: System) -> None:
    d = s.d
    assert same(s.robot.actuation_matrices(s.q, s.p)[2], d.A_inv.T @ d.D_inv @ d.A_inv)
    assert same(d.A_inv.T @ d.D_inv @ d.A_inv, np.linalg.inv(d.mass("p", "p")))


# Appendix A


@pytest.mark.heavy(2)
def test_004_eq_A_1(shown: System) -> None:
    identity(shown, inv(psi), inv(phi) + K_p @ H_p)
    d = shown.d
    assert same(np.linalg.inv(d.psi), np.linalg.inv(d.phi) + d.K @ d.H_p)


def test_004_eq_A_2(shown: System) -> None:
    identity(shown, psi @ K_p @ H_p @ phi, phi - psi)
    assert same(shown.d.psi @ shown.d.K @ shown.d.H_p @ shown.d.phi, shown.d.phi - shown.d.psi)


def test_004_eq_A_3(shown: System) -> None:
    identity(shown, A_p_inverse @ H_p @ phi, H_p @ psi)
    assert same(shown.d.A_inv @ shown.d.H_p @ shown.d.phi, shown.d.H_p @ shown.d.psi)


@pytest.mark.heavy(2)
def test_004_eq_A_4(shown: System) -> None:
    identity(shown, phi @ K_p @ A_p_inverse, psi @ K_p)
    assert same(shown.d.phi @ shown.d.K @ shown.d.A_inv, shown.d.psi @ shown.d.K)


@pytest.mark.heavy(2)
def test_004_eq_A_5(shown: System) -> None:
    identity(shown, psi @ M @ psi.T, psi_tilde @ P + P @ psi.T - psi @ K_p @ A_rp @ K_p.T @ psi.T)
    d = shown.d
    rotor = d.psi @ d.K @ d.A_rp @ d.K.T @ d.psi.T
    assert same(d.psi @ d.M @ d.psi.T, d.psi_tilde @ d.P + d.P @ d.psi.T - rotor)


@pytest.mark.heavy(2)
def test_004_eq_A_6(shown: System) -> None:
    identity(shown, phi @ M @ psi.T, phi_tilde @ P + P @ psi.T)
    d = shown.d
    assert same(d.phi @ d.M @ d.psi.T, d.phi_tilde @ d.P + d.P @ d.psi.T)


@pytest.mark.heavy(2)
def test_004_eq_A_7(shown: System) -> None:
    identity(shown, Omega @ M @ phi.T, phi.T - held.T)
    d = shown.d
    left = d.Omega @ d.M @ d.phi.T
    rest = d.psi.T - d.Omega @ d.P
    assert same(left, d.phi.T - rest)
    assert same(left, d.phi.T @ d.H_p.T @ (d.K.T @ rest + d.D_inv @ d.H_p @ d.psi @ d.P))


@pytest.mark.heavy(2)
def test_004_eq_A_8(shown: System) -> None:
    identity(shown, held @ M @ phi.T, held @ P + P @ psi_tilde.T)
    d = shown.d
    gap = d.psi - d.P @ d.Omega
    assert same(gap @ d.M @ d.phi.T, gap @ d.P + d.P @ d.psi_tilde.T)
    assert same(gap @ d.M @ d.phi.T, d.Sigma - d.P @ d.Omega @ d.P)


def test_004_eq_A_9(shown: System) -> None:
    identity(shown, phi @ M @ Omega, phi - held)
    d = shown.d
    assert same(d.phi @ d.M @ d.Omega, d.phi - (d.psi - d.P @ d.Omega))


def test_004_eq_A_10(s: System) -> None:
    d = s.d
    _, nu, _ = filtered(s)
    a_a = s.known[0]
    assert same(s.hybrid()[0][s.p], d.A_inv.T @ nu - d.K.T @ d.psi.T @ (d.H_a.T @ a_a + d.a))


@pytest.mark.heavy(2)
def test_004_eq_A_11(shown: System) -> None:
    identity(shown, H_p @ psi @ M @ psi.T @ H_p.T, D_p - A_p_inverse @ A_rp @ A_p_inverse.T)
    d = shown.d
    assert same(d.H_p @ d.psi @ d.M @ d.psi.T @ d.H_p.T, d.D - d.A_inv @ d.A_rp @ d.A_inv.T)
