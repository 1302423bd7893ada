"""Jain and Rodriguez, Under-Actuated Manipulators (004): every numbered result, against explicit matrices.

The list of results is `results_004.RESULTS`. Where print is in error, or armature changes a formula, the formula here
is the corrected one; where armature loses a statement, only robots without it are held to it.
"""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import soadyn as sd
from agreement import largest, random_state
from dense_passive import DensePassive, six
from random_robots import random_model
from results_004 import RESULTS
from soadyn.oracle.dense_geometry import rigid
from soadyn.oracle.dense_robot import DenseRobot

DOCS = Path(__file__).resolve().parents[2] / "docs"


@dataclass(frozen=True)
class System:
    """A robot at a state, its passive components, and the dense operators."""

    robot: sd.Robot
    q: np.ndarray
    v: np.ndarray
    vdot: np.ndarray
    tau: np.ndarray
    p: np.ndarray
    d: DensePassive

    def hybrid(self) -> tuple[np.ndarray, np.ndarray]:
        return self.robot.hybrid_dynamics(self.q, self.v, self.vdot, self.tau, self.p)

    @property
    def known(self) -> tuple[np.ndarray, np.ndarray]:
        """The active accelerations and the passive forces."""
        return self.vdot[~self.p], self.tau[self.p]

    @property
    def bare(self) -> bool:
        """Is the passive arm without armature?"""
        return not self.d.A_rp.any()


def system(rng: np.random.Generator, by_joint: bool = False, **options: Any) -> System:
    robot = sd.Robot(random_model(rng, 7, **options))
    s = random_state(rng, robot)
    p = np.zeros(robot.nv, dtype=bool)
    if by_joint:
        for name in rng.choice(robot.joint_names, size=len(robot.joint_names) // 2, replace=False):
            p[list(robot.joint_dofs(name))] = True
    else:
        p = rng.random(robot.nv) < 0.5
        p[:2] = True, False
    d = DensePassive(DenseRobot(robot.model, s["q"], s["v"]), p)
    return System(robot, s["q"], s["v"], s["a"], s["tau"], p, d)


SYSTEMS: dict[str, dict[str, Any]] = {
    "chain": {"kinds": ["revolute", "prismatic"], "shape": "serial"},
    "tree": {"by_joint": True},
    "free tree": {"root": "free"},
    "tree with armature": {"armature": True},
    "free tree with armature": {"root": "free", "armature": True, "by_joint": True},
}


@pytest.fixture(params=SYSTEMS)
def s(request: pytest.FixtureRequest, rng: np.random.Generator) -> System:
    return system(rng, **SYSTEMS[request.param])


def same(x: Any, y: Any, tolerance: float = 1e-10) -> bool:
    x, y = np.asarray(x), np.asarray(y)
    assert x.shape == y.shape
    return largest(x - y) <= tolerance * max(1.0, largest(y))


def link_accelerations(s: System, a: np.ndarray) -> np.ndarray:
    """α of all links at O(k), from the public accelerations of frames, with gravity's offset."""
    found = []
    for k, O in enumerate(s.d.dense.origins):
        link = s.robot.model.links[k]
        T = s.d.dense.link_poses[k]
        offset = np.eye(4)
        offset[:3, 3] = T[:3, :3].T @ (O - T[:3, 3])
        if link.hidden:  # cannot be named; the dense operators have it
            found.append(s.d.phi.T[six(k)] @ (s.d.dense.H.T @ a + s.d.a))
            continue
        alpha = s.robot.frame_acceleration(s.q, s.v, a, (link.name, offset))
        found.append(alpha - np.concatenate([np.zeros(3), s.d.dense.g]))
    return np.concatenate(found)


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


def test_004_eq_3_4(s: System) -> None:
    dense = s.d.dense
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


def test_004_eq_4_1(s: System) -> None:
    assert same(s.d.H_a.T @ s.v[~s.p] + s.d.H_p.T @ s.v[s.p], s.d.dense.H.T @ s.v)


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


def test_004_eq_4_6(s: System) -> None:
    d = s.d
    _, D_p = s.robot.passive_mass_factors(s.q, s.p)
    assert same(D_p, d.D)
    # As printed, with the branches exchanged, the articulated joints would be the active ones.
    _, D_printed, _ = d.riccati(~s.p)
    assert D_printed.shape != D_p.shape or not same(D_printed, D_p)


def test_004_eq_4_7(s: System) -> None:
    d = s.d
    assert same(d.D, d.H_p @ d.P @ d.H_p.T + d.A_rp)
    assert same(d.G, d.P @ d.H_p.T @ d.D_inv)
    assert same(s.robot.passive_mass_factors(s.q, s.p)[0], d.I_p + d.H_p @ d.phi @ d.E_phi @ d.G)
    for operator in (d.P, d.tau_bar):
        for k in range(d.dense.n):
            outside = operator[six(k)].copy()
            outside[:, six(k)] = 0
            assert not outside.any()


def test_004_eq_4_8(s: System) -> None:
    d = s.d
    assert same(d.M, d.P - d.E_psi @ d.P @ d.E_psi.T - d.K @ d.A_rp @ d.K.T)
    assert same(d.M, d.P - d.E_phi @ d.P @ d.E_psi.T)


def test_004_eq_4_9(s: System) -> None:
    d, dense = s.d, s.d.dense
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


# Section 5


def test_004_eq_5_1a(s: System) -> None:
    assert same(s.robot.actuation_matrices(s.q, s.p)[2], s.d.A_inv.T @ s.d.D_inv @ s.d.A_inv)


def test_004_eq_5_1b(s: System) -> None:
    d = s.d
    S_ap = s.robot.actuation_matrices(s.q, s.p)[1]
    back = d.psi.T @ d.H_p.T @ d.D_inv
    assert same(S_ap, d.H_a @ (d.psi @ d.K + d.P @ back @ d.A_inv))
    assert same(S_ap, d.H_a @ ((d.psi - d.P @ d.Omega) @ d.K + d.P @ back))


def test_004_eq_5_1c(s: System) -> None:
    d = s.d
    S_aa = s.robot.actuation_matrices(s.q, s.p)[0]
    assert same(S_aa, d.A_ra + d.H_a @ (d.Sigma - d.P @ d.Omega @ d.P) @ d.H_a.T)
    assert same(S_aa, d.A_ra + d.H_a @ ((d.psi - d.P @ d.Omega) @ d.P + d.P @ d.psi_tilde.T) @ d.H_a.T)
    if s.bare:
        assert same(S_aa, d.A_ra + d.H_a @ (d.psi @ d.M @ d.psi.T - d.P @ d.Omega @ d.P) @ d.H_a.T)


def test_004_eq_5_2(rng: np.random.Generator) -> None:
    for options in SYSTEMS.values():
        s = system(rng, **{**options, "by_joint": True})
        d = s.d
        assert same(d.Omega, d.phi.T @ d.H_p.T @ np.linalg.inv(d.mass("p", "p")) @ d.H_p @ d.phi)
        passive = [name for name in s.robot.joint_names if s.p[s.robot.joint_dofs(name)[0]]]
        arm = s.robot.passive_arm(passive, s.q)
        own = np.concatenate([s.q[list(s.robot.joint_coordinates(name))] for name in arm.joint_names])
        assert same(arm.operational_inertia_inverse(own, "tool"), d.B("tool").T @ d.Omega @ d.B("tool"))


def filtered(s: System) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """z, ν_p and α of Lemma 5.2."""
    d = s.d
    a_a, T_p = s.known
    drive = d.H_a.T @ a_a + d.a
    z = d.psi @ (d.K @ T_p + d.b + d.P @ drive)
    nu = d.D_inv @ (T_p - d.H_p @ z)
    return z, nu, d.psi.T @ (d.H_p.T @ nu + drive)


def test_004_eq_5_3a(s: System) -> None:
    assert same(link_accelerations(s, s.hybrid()[0]), filtered(s)[2])


def test_004_eq_5_3b(s: System) -> None:
    d = s.d
    _, nu, alpha = filtered(s)
    a_p = s.hybrid()[0][s.p]
    assert same(a_p, d.A_inv.T @ nu - d.K.T @ d.psi.T @ (d.H_a.T @ s.known[0] + d.a))
    assert same(a_p, nu - d.K.T @ alpha)


def test_004_eq_5_3c(s: System) -> None:
    d, a_a = s.d, s.known[0]
    z, nu, alpha = filtered(s)
    T_a = s.hybrid()[1][~s.p]
    drive = d.H_a.T @ a_a + d.a
    assert same(T_a, d.H_a @ (z + d.P @ (d.psi.T @ d.H_p.T @ nu + d.psi_tilde.T @ drive)) + d.A_ra @ a_a)
    assert same(T_a, d.H_a @ (d.P @ (alpha - drive) + z) + d.A_ra @ a_a)


def test_004_eq_5_4(s: System) -> None:
    d, dense, p = s.d, s.d.dense, s.p
    place = np.cumsum(p) - 1  # of a passive component among the passive ones
    z, carried, nu = np.zeros((dense.n, 6)), np.zeros((dense.n, 6)), np.zeros(dense.nv)
    split = []
    for k in range(dense.n):
        dofs = np.arange(dense.nv)[dense.model.v_slices[k]]
        split.append((dofs[p[dofs]], dofs[~p[dofs]]))
    for k in reversed(range(dense.n)):
        passive, active = split[k]
        own = place[passive]
        P = d.P[six(k), six(k)]
        z[k] = carried[k] + d.b[six(k)] + P @ (dense.H[active, six(k)].T @ s.vdot[active] + d.a[six(k)])
        epsilon = s.tau[passive] - dense.H[passive, six(k)] @ z[k]
        nu[passive] = np.linalg.solve(d.D[np.ix_(own, own)], epsilon)
        if dense.parents[k] >= 0:
            z_plus = z[k] + d.G[six(k), own] @ epsilon
            carried[dense.parents[k]] += dense.E_phi[six(dense.parents[k]), six(k)] @ z_plus
    alpha, a, T = np.zeros((dense.n, 6)), s.vdot.copy(), s.tau.copy()
    for k, parent in enumerate(dense.parents):
        passive, active = split[k]
        alpha_plus = dense.E_phi[six(parent), six(k)].T @ alpha[parent] if parent >= 0 else np.zeros(6)
        # A joint that is mixed is an active one followed by a passive one, as section 4 says.
        moved = alpha_plus + dense.H[active, six(k)].T @ s.vdot[active] + d.a[six(k)]
        a[passive] = nu[passive] - d.G[six(k), place[passive]].T @ alpha_plus
        alpha[k] = moved + dense.H[passive, six(k)].T @ a[passive]
        f = d.P[six(k), six(k)] @ (alpha_plus + dense.H[passive, six(k)].T @ a[passive]) + z[k]
        T[active] = dense.H[active, six(k)] @ f + dense.A_r[np.ix_(active, active)] @ s.vdot[active]
    found = s.hybrid()
    assert same(found[0], a)
    assert same(found[1], T)


# Section 6


def at_zero_momentum(rng: np.random.Generator) -> tuple[sd.Robot, np.ndarray, np.ndarray]:
    robot = sd.Robot(random_model(rng, 7, root="free"))
    q = robot.random_configuration(rng)
    h = robot.momentum(q, np.eye(robot.nv)).T  # momentum = h v
    v_a = rng.standard_normal(robot.nv - 6)
    return robot, q, np.concatenate([-np.linalg.solve(h[:, :6], h[:, 6:] @ v_a), v_a])


def test_004_eq_6_1(rng: np.random.Generator) -> None:
    robot, q, v = at_zero_momentum(rng)
    assert same(robot.frame_velocity(q, v, "tool"), robot.generalized_jacobian(q, "tool", ["root"]) @ v[6:], 1e-11)


def test_004_eq_6_2(rng: np.random.Generator) -> None:
    robot, q, v = at_zero_momentum(rng)
    assert same(v[:6], robot.disturbance_jacobian(q, ["root"]) @ v[6:], 1e-11)


def test_004_eq_6_3(s: System) -> None:
    a = s.d.dense.hybrid_dynamics(s.vdot, s.tau, s.p)[0]
    drift = s.robot.generalized_drift(s.q, s.v, "tool", s.p, s.tau)
    J = s.robot.generalized_jacobian(s.q, "tool", s.p)
    assert same(s.d.dense.frame_acceleration(a, "tool"), J @ s.known[0] + drift)


def test_004_eq_6_4(s: System) -> None:
    a = s.d.dense.hybrid_dynamics(s.vdot, s.tau, s.p)[0]
    drift = s.robot.disturbance_drift(s.q, s.v, s.p, s.tau)
    assert same(a[s.p], s.robot.disturbance_jacobian(s.q, s.p) @ s.known[0] + drift)


def test_004_eq_6_5(s: System) -> None:
    d = s.d
    lost = d.X @ d.A_rp @ d.X.T
    assert same(d.Omega @ d.M @ d.Omega, d.Omega - lost)
    assert same(d.Tau @ d.Tau, d.Tau - lost @ d.M)
    assert np.linalg.matrix_rank(d.Omega) == d.N_p
    if s.bare:
        assert same(d.Tau_bar @ d.Tau_bar, d.Tau_bar)
        assert np.linalg.matrix_rank(d.Tau_bar, tol=1e-9) == d.links - np.linalg.matrix_rank(d.Tau, tol=1e-9)
        moved = d.Tau_bar @ d.phi.T @ d.dense.H.T
        assert np.linalg.matrix_rank(moved, tol=1e-9) == d.N_a


def test_004_eq_6_6(s: System) -> None:
    d = s.d
    assert same(d.Tau_bar @ d.phi.T, d.psi.T - d.Omega @ d.P)
    assert same(d.Tau_bar @ d.psi.T, d.psi.T - d.Omega @ d.P - d.X @ d.A_rp @ d.K.T @ d.psi.T)


def test_004_eq_6_7(s: System) -> None:
    d = s.d
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


def test_004_eq_6_9(s: System) -> None:
    assert same(link_accelerations(s, s.hybrid()[0]), accelerations_6_9(s))


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
    assert same(dense.frame_acceleration(dense.forward_dynamics(tau), "link_ee"), wanted, 1e-9)
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


# Section 7


def test_004_eq_7_1(rng: np.random.Generator) -> None:
    """Fourteen motors: one hand follows its path and the base does not accelerate."""
    robot = sd.load("dual_arm_flyer")
    q, v = robot.random_configuration(rng), 0.1 * rng.standard_normal(robot.nv)
    J = np.concatenate([robot.generalized_jacobian(q, "left_tool", ["root"]), robot.disturbance_jacobian(q, ["root"])])
    wanted = rng.standard_normal(6)
    right = np.concatenate(
        [wanted - robot.generalized_drift(q, v, "left_tool", ["root"]), -robot.disturbance_drift(q, v, ["root"])]
    )
    a_a = np.linalg.lstsq(J, right)[0]
    given = np.concatenate([np.zeros(6), a_a])
    _, tau = robot.hybrid_dynamics(q, v, given, np.zeros(robot.nv), ["root"])
    dense = DenseRobot(robot.model, q, v)
    a = dense.forward_dynamics(tau)
    assert same(tau[:6], np.zeros(6))
    assert same(a[:6], np.zeros(6), 1e-8)
    assert same(dense.frame_acceleration(a, "left_tool"), wanted, 1e-8)


def base_wrench(robot: sd.Robot, q: np.ndarray, T_p: np.ndarray) -> np.ndarray:
    """The passive forces of a free base as a wrench about the world's origin."""
    R, r = robot.pose(q, robot.link_names[0])[:3, :3], robot.pose(q, robot.link_names[0])[:3, 3]
    moment, force = R @ T_p[:3], R @ T_p[3:6]
    return np.concatenate([moment + np.cross(r, force), force])


def test_004_eq_7_2(rng: np.random.Generator) -> None:
    """d/dt of the momentum about a fixed point is the wrench of T_p; by eighth-order differences in time."""
    robot = sd.load("ets_vii")
    q, v, a_a = robot.random_configuration(rng), rng.standard_normal(robot.nv), rng.standard_normal(robot.nv)
    T_p = 50 * rng.standard_normal(robot.nv)
    a, _ = robot.hybrid_dynamics(q, v, a_a, T_p, ["root"])
    weights = {1: 4 / 5, 2: -1 / 5, 3: 4 / 105, 4: -1 / 280}
    h = 1e-2
    along = sum(
        w * (robot.momentum(robot.integrate(q, i * h * v), v) - robot.momentum(robot.integrate(q, -i * h * v), v)) / h
        for i, w in weights.items()
    )
    assert same(along + robot.momentum(q, a), base_wrench(robot, q, T_p), 1e-8)


def test_004_eq_7_3(rng: np.random.Generator) -> None:
    """[M_pa, M_pp] β is the momentum about the base's origin, along its axes; about a fixed point it is conserved."""
    for armature in (False, True):
        s = system(rng, root="free", armature=armature)
        pi = (s.d.dense.mass_matrix @ s.v)[:6] - s.d.dense.A_r[:6, :6] @ s.v[:6]
        R, origin = s.d.dense.hinges[0][1][:3, :3], s.d.dense.origins[0]
        momentum = s.robot.momentum(s.q, s.v, about=origin)
        assert same(np.concatenate([R.T @ momentum[:3], R.T @ momentum[3:]]), pi)
    robot = sd.load("ets_vii").with_backend("auto")
    motors = np.concatenate([np.zeros(6), 5 * rng.standard_normal(6)])
    v = 0.05 * rng.standard_normal(robot.nv)
    trajectory = sd.simulate(robot, robot.neutral(), v, torque=motors, duration=0.5, step=0.005)
    h = robot.momentum(trajectory.q, trajectory.v)
    assert largest(h - h[0]) <= 1e-9 * largest(h[0])


# Appendix A


def test_004_eq_A_1(s: System) -> None:
    d = s.d
    assert same(np.linalg.inv(d.psi), np.linalg.inv(d.phi) + d.K @ d.H_p)


def test_004_eq_A_2(s: System) -> None:
    assert same(s.d.psi @ s.d.K @ s.d.H_p @ s.d.phi, s.d.phi - s.d.psi)


def test_004_eq_A_3(s: System) -> None:
    assert same(s.d.A_inv @ s.d.H_p @ s.d.phi, s.d.H_p @ s.d.psi)


def test_004_eq_A_4(s: System) -> None:
    assert same(s.d.phi @ s.d.K @ s.d.A_inv, s.d.psi @ s.d.K)


def test_004_eq_A_5(s: System) -> None:
    d = s.d
    rotor = d.psi @ d.K @ d.A_rp @ d.K.T @ d.psi.T
    assert same(d.psi @ d.M @ d.psi.T, d.psi_tilde @ d.P + d.P @ d.psi.T - rotor)


def test_004_eq_A_6(s: System) -> None:
    d = s.d
    assert same(d.phi @ d.M @ d.psi.T, d.phi_tilde @ d.P + d.P @ d.psi.T)


def test_004_eq_A_7(s: System) -> None:
    d = s.d
    left = d.Omega @ d.M @ d.phi.T
    rest = d.psi.T - d.Omega @ d.P
    assert same(left, d.phi.T - rest)
    assert same(left, d.phi.T @ d.H_p.T @ (d.K.T @ rest + d.D_inv @ d.H_p @ d.psi @ d.P))


def test_004_eq_A_8(s: System) -> None:
    d = s.d
    gap = d.psi - d.P @ d.Omega
    assert same(gap @ d.M @ d.phi.T, gap @ d.P + d.P @ d.psi_tilde.T)
    assert same(gap @ d.M @ d.phi.T, d.Sigma - d.P @ d.Omega @ d.P)


def test_004_eq_A_9(s: System) -> None:
    d = s.d
    assert same(d.phi @ d.M @ d.Omega, d.phi - (d.psi - d.P @ d.Omega))


def test_004_eq_A_10(s: System) -> None:
    d = s.d
    _, nu, _ = filtered(s)
    a_a = s.known[0]
    assert same(s.hybrid()[0][s.p], d.A_inv.T @ nu - d.K.T @ d.psi.T @ (d.H_a.T @ a_a + d.a))


def test_004_eq_A_11(s: System) -> None:
    d = s.d
    assert same(d.H_p @ d.psi @ d.M @ d.psi.T @ d.H_p.T, d.D - d.A_inv @ d.A_rp @ d.A_inv.T)


# The list itself


def test_every_result_of_the_list_has_its_test() -> None:
    here = {name for name in vars(sys.modules[__name__]) if name.startswith("test_004_")}
    listed = [result.test for result in RESULTS]
    assert set(listed) == here
    assert len(listed) == len(here)


def test_every_call_of_the_list_exists() -> None:
    for result in RESULTS:
        for name in re.findall(r"\b([a-z_]+)(?=\(q)|\b([a-z]+_arm)(?=\()", result.call):
            assert hasattr(sd.Robot, name[0] or name[1]), result


def test_the_page_of_results_is_what_the_script_writes() -> None:
    if not DOCS.is_dir():
        pytest.skip("the docs are not part of this copy")
    sys.path.insert(0, str(DOCS))
    try:
        from make_coverage_004 import PAGE, page
    finally:
        sys.path.remove(str(DOCS))
    assert PAGE.read_text(encoding="utf-8") == page()
