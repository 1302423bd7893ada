"""Under-Actuated Manipulators (004), section 6: Jacobians that know the passive joints."""

from __future__ import annotations

import numpy as np
import pytest

import soadyn as sd
from random_robots import random_model
from soadyn.algebra import A_rp, D_p, H_p, I_link, I_passive, K_p, M, Omega, P, inv, phi, psi
from soadyn.theory.oracle.dense_robot import DenseRobot
from systems_004 import System, identity, link_accelerations, operator, same

T_bar = I_link.T - Omega @ M
A_p_inverse = I_passive - H_p @ psi @ K_p
X = psi.T @ H_p.T @ inv(D_p) @ A_p_inverse  # what the passive rotors add

# Section 6


def at_zero_momentum(rng: np.random.Generator) -> tuple[sd.Robot, np.ndarray, np.ndarray]:
    robot = sd.Robot(random_model(rng, 7, root="free"))
    q = robot.random_configuration(rng)
    h = robot.momentum(q, np.eye(robot.nv)).T  # momentum = h v
    v_a = rng.standard_normal(robot.nv - 6)
    return robot, q, np.concatenate([-np.linalg.solve(h[:, :6], h[:, 6:] @ v_a), v_a])


def test_004_eq_6_1(rng: np.random.Generator) -> None:
    robot, q, v = at_zero_momentum(rng)
    assert same(
        robot.frame_velocity(q, v, "tool"), robot.generalized_jacobian(q, "tool", ["root"]) @ v[6:], tolerance=1e-11
    )


def test_004_eq_6_2(rng: np.random.Generator) -> None:
    robot, q, v = at_zero_momentum(rng)
    assert same(v[:6], robot.disturbance_jacobian(q, ["root"]) @ v[6:], tolerance=1e-11)


def test_004_eq_6_3(s: System) -> None:
    a = s.d.dense.hybrid_dynamics(s.vdot, s.tau, s.p)[0]
    drift = s.robot.generalized_drift(s.q, s.v, "tool", s.p, s.tau)
    J = s.robot.generalized_jacobian(s.q, "tool", s.p)
    assert same(s.d.dense.frame_acceleration(a, "tool"), J @ s.known[0] + drift)


def test_004_eq_6_4(s: System) -> None:
    a = s.d.dense.hybrid_dynamics(s.vdot, s.tau, s.p)[0]
    drift = s.robot.disturbance_drift(s.q, s.v, s.p, s.tau)
    assert same(a[s.p], s.robot.disturbance_jacobian(s.q, s.p) @ s.known[0] + drift)


@pytest.mark.heavy(2)
def test_004_eq_6_5(shown: System) -> None:
    s, d = shown, shown.d
    identity(s, Omega @ M @ Omega, Omega - X @ A_rp @ X.T)
    operator(s, I_link.T - Omega @ M)
    lost = d.X @ d.A_rp @ d.X.T
    assert same(d.Omega @ d.M @ d.Omega, d.Omega - lost)
    assert same(d.Tau @ d.Tau, d.Tau - lost @ d.M)
    assert np.linalg.matrix_rank(d.Omega) == d.N_p
    if s.bare:
        assert same(d.Tau_bar @ d.Tau_bar, d.Tau_bar)
        assert np.linalg.matrix_rank(d.Tau_bar, tol=1e-9) == d.links - np.linalg.matrix_rank(d.Tau, tol=1e-9)
        moved = d.Tau_bar @ d.phi.T @ d.dense.H.T
        assert np.linalg.matrix_rank(moved, tol=1e-9) == d.N_a


@pytest.mark.heavy(2)
def test_004_eq_6_6(shown: System) -> None:
    d = shown.d
    identity(shown, T_bar @ phi.T, psi.T - Omega @ P)
    assert same(d.Tau_bar @ d.phi.T, d.psi.T - d.Omega @ d.P)
    assert same(d.Tau_bar @ d.psi.T, d.psi.T - d.Omega @ d.P - d.X @ d.A_rp @ d.K.T @ d.psi.T)


@pytest.mark.heavy(2)
def test_004_eq_6_7(shown: System) -> None:
    s, d = shown, shown.d
    identity(s, T_bar @ phi.T @ H_p.T, X @ A_rp)
    assert same(d.Tau_bar @ d.phi.T @ d.H_p.T, d.X @ d.A_rp)
    if s.bare:
        assert same(d.Tau_bar @ d.psi.T @ d.H_p.T, np.zeros((d.links, d.N_p)))


def test_004_lemma_6_2(s: System) -> None:
    d = s.d
    S_aa = s.robot.actuation_matrices(s.q, s.p)[0]
    J_D = s.robot.disturbance_jacobian(s.q, s.p)
    links = d.phi @ d.Tau_bar.T @ d.M @ d.Tau_bar @ d.phi.T
    assert same(S_aa, d.H_a @ links @ d.H_a.T + J_D.T @ d.A_rp @ J_D + d.A_ra)
    if s.bare:
        assert same(d.Tau_bar.T @ d.M @ d.Tau_bar, d.M @ d.Tau_bar)
        bordered = np.zeros((s.robot.nv, s.robot.nv))
        bordered[np.ix_(~s.p, ~s.p)] = S_aa - d.A_ra
        assert same(d.dense.H @ links @ d.dense.H.T, bordered)


def accelerations_6_9(s: System) -> np.ndarray:
    d = s.d
    a_a, T_p = s.known
    return np.asarray(
        (d.psi.T - d.Omega @ d.P) @ d.H_a.T @ a_a
        + d.psi.T @ d.H_p.T @ d.D_inv @ d.A_inv @ T_p
        - d.Omega @ (d.b + d.P @ d.a)
        + d.psi.T @ d.a
    )


def test_004_eq_6_9(shown: System) -> None:
    assert same(link_accelerations(shown, shown.hybrid()[0]), accelerations_6_9(shown))


def test_004_eq_6_10(s: System) -> None:
    d = s.d
    B = d.B("tool")
    J = s.robot.generalized_jacobian(s.q, "tool", s.p)
    drift = B.T @ accelerations_6_9(s) + d.swing("tool") - J @ s.known[0]
    assert same(s.robot.generalized_drift(s.q, s.v, "tool", s.p, s.tau), drift)


def test_004_lemma_6_3(s: System) -> None:
    d = s.d
    B = d.B("tool")
    J = s.robot.generalized_jacobian(s.q, "tool", s.p)
    assert same(J, B.T @ (d.psi.T - d.Omega @ d.P) @ d.H_a.T)
    assert same(J, B.T @ d.Tau_bar @ d.phi.T @ d.H_a.T)


@pytest.mark.heavy(2)
def test_004_section_6_1(s: System) -> None:
    """Columns by the hybrid algorithm with unit accelerations, at rest, without gravity and passive forces."""
    J_G = s.robot.generalized_jacobian(s.q, "tool", s.p)
    J_D = s.robot.disturbance_jacobian(s.q, s.p)
    floating = s.robot.with_gravity([0.0, 0.0, 0.0])
    still = np.zeros(s.robot.nv)
    for column, i in enumerate(np.flatnonzero(~s.p)):
        unit = np.eye(s.robot.nv)[i]
        a, _ = floating.hybrid_dynamics(s.q, still, unit, still, s.p)
        assert same(J_G[:, column], floating.frame_acceleration(s.q, still, a, "tool"))
        assert same(J_D[:, column], a[s.p])
    x = np.eye(s.d.N_a)
    assert same(s.robot.generalized_jacobian_times(s.q, x, "tool", s.p), J_G.T)
    assert same(s.robot.disturbance_jacobian_times(s.q, x, s.p), J_D.T)


def test_004_section_6_2(rng: np.random.Generator) -> None:
    robot = sd.load("ets_vii")
    q, v = robot.random_configuration(rng), 0.1 * rng.standard_normal(robot.nv)
    wanted = rng.standard_normal(6)
    drift = robot.generalized_drift(q, v, "link_ee", ["root"])
    a_a = np.linalg.solve(robot.generalized_jacobian(q, "link_ee", ["root"]), wanted - drift)
    given = np.concatenate([np.zeros(6), a_a])
    a, tau = robot.hybrid_dynamics(q, v, given, np.zeros(robot.nv), ["root"])
    dense = DenseRobot(robot.model, q, v)
    assert same(dense.frame_acceleration(dense.forward_dynamics(tau), "link_ee"), wanted, tolerance=1e-9)
    assert same(a[6:], a_a)


def test_004_eq_6_12(s: System) -> None:
    d = s.d
    T_p = s.known[1]
    free = T_p - d.H_p @ d.psi @ (d.K @ T_p + d.b + d.M @ d.phi.T @ d.a)
    assert same(s.robot.disturbance_drift(s.q, s.v, s.p, s.tau), d.A_inv.T @ d.D_inv @ free)


def test_004_lemma_6_4(s: System) -> None:
    d = s.d
    J_D = s.robot.disturbance_jacobian(s.q, s.p)
    assert same(J_D, -d.A_inv.T @ d.D_inv @ d.H_p @ d.psi @ d.P @ d.H_a.T - d.K.T @ d.psi.T @ d.H_a.T)
    assert same(J_D, -d.S[1].T)
