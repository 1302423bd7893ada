"""001 sections IV-VI: composite bodies, the Riccati equation, the innovations factorization."""

from __future__ import annotations

import numpy as np
import pytest

import soadyn as sd
from agreement import error
from soadyn.algebra import A_r, D, E_phi, G, H, I_joint, I_link, K, M, P, R, inv, mass, phi, phi_tilde, psi, tau_bar
from systems_001 import TOLERANCE, System

PSI = psi @ E_phi


def same(x: object, y: object) -> bool:
    return error(x, y) <= TOLERANCE


def test_001_identity_1(s: System) -> None:
    assert sd.prove(phi @ M @ phi.T, R + phi_tilde @ R + R @ phi_tilde.T)
    composite = np.diagonal(s.operator(R).reshape(s.d.n, 6, s.d.n, 6), axis1=0, axis2=2)
    assert same(s.robot.composite_inertias(s.q), np.moveaxis(composite, -1, 0))


def test_001_eq_29(s: System) -> None:
    """r(k) = r(k-1) carried, plus M(k): what hangs on a link, seen from it."""
    R_links = s.robot.composite_inertias(s.q)
    assert same(R_links[0, 5, 5], _mass_beyond(s, 1))
    s.operator(R - E_phi @ R @ E_phi.T)


def _mass_beyond(s: System, k: int) -> float:
    model = s.robot.model
    return float(sum(link.mass for j, link in enumerate(model.links, start=1) if k in model.ancestors(j)))


def test_001_eq_30_33(s: System) -> None:
    assert same(s.robot.mass_matrix(s.q), s.d.mass_matrix)
    assert sd.prove(mass, H @ (R + phi_tilde @ R + R @ phi_tilde.T) @ H.T + A_r)


def test_001_section_V_C(s: System) -> None:
    """The composite body of the root is the whole robot, locked: ten numbers."""
    root = next(k for k in range(1, s.d.n + 1) if s.robot.model.parents[k - 1] == 0)
    inertia = s.robot.composite_inertias(s.q)[root - 1]
    joints = [name for name in s.robot.joint_names if s.robot.model.joint_indices[name][0] != root]
    locked = s.robot.lock(joints, s.q)
    name = s.robot.link_names[root - 1]
    own = locked.composite_inertias(s.q[: locked.nq] if root == 1 else locked.neutral())
    assert same(inertia, own[locked.link_names.index(name)])
    assert same(inertia[3:, 3:], inertia[5, 5] * np.eye(3))
    at = slice(6 * root - 6, 6 * root)
    assert same(inertia, s.operator(R)[at, at])


def test_001_eq_34_36(s: System) -> None:
    articulated = np.diagonal(s.operator(P).reshape(s.d.n, 6, s.d.n, 6), axis1=0, axis2=2)
    assert same(s.robot.articulated_inertias(s.q), np.moveaxis(articulated, -1, 0))
    s.operator(G)


def test_001_eq_37(s: System) -> None:
    assert same(s.robot.mass_matrix_factors(s.q)[1], s.d.D)
    assert sd.prove(D, H @ P @ H.T + A_r)


def test_001_eq_38_40(s: System) -> None:
    s.operator(psi)
    assert sd.prove(inv(psi), I_link - E_phi @ tau_bar)


def test_001_eq_41(s: System) -> None:
    s.operator(PSI)
    assert sd.prove(H @ PSI @ G, H @ psi @ K)


def test_001_identity_2(s: System) -> None:
    assert sd.prove(phi @ M @ phi.T, P + phi_tilde @ P + P @ phi_tilde.T + phi @ K @ D @ K.T @ phi.T)
    # of a tip, P is its own inertia
    assert same(s.robot.articulated_inertias(s.q)[-1], s.robot.composite_inertias(s.q)[-1])


def test_001_identity_3(s: System) -> None:
    U, D_blocks = s.robot.mass_matrix_factors(s.q)
    assert same(U, s.d.U)
    assert same(U @ D_blocks @ U.T, s.d.mass_matrix)
    assert sd.prove(mass, (I_joint + H @ phi @ K) @ D @ (I_joint + H @ phi @ K).T)


@pytest.mark.heavy(2)
def test_001_identity_4(s: System) -> None:
    s.operator((I_link - PSI @ G @ H) @ phi_tilde)
    assert sd.prove((I_link - PSI @ G @ H) @ phi_tilde, PSI)


def test_001_identity_5(s: System) -> None:
    assert sd.prove(inv(I_joint + H @ phi @ K), I_joint - H @ psi @ K)
    assert same(s.robot.mass(s.q).root.inverse.dense() @ s.robot.mass(s.q).root.dense(), np.eye(s.robot.nv))
    assert same(s.robot.mass(s.q).dense(), s.d.mass_matrix)


def test_001_identity_6(s: System) -> None:
    assert same(s.robot.mass_matrix_inverse(s.q) @ s.d.mass_matrix, np.eye(s.robot.nv))
    A_inverse = I_joint - H @ psi @ K
    assert sd.prove(inv(mass), A_inverse.T @ inv(D) @ A_inverse)


def test_001_section_X_A(s: System) -> None:
    from soadyn.algebra import sqrt

    root = sd.compile(H @ phi @ sqrt(M), s.robot)(s.q).dense()
    assert same(root @ root.T, s.d.mass_matrix - s.d.A_r)


def test_001_section_X_A_orthogonal(s: System) -> None:
    from soadyn.algebra import sqrt

    root = np.hstack([sd.compile(H @ phi @ sqrt(M), s.robot)(s.q).dense(), np.sqrt(s.d.A_r)])
    Q = np.linalg.solve(s.robot.mass_matrix_root(s.q), root)
    assert same(Q @ Q.T, np.eye(s.robot.nv))


def test_001_section_X_B(s: System) -> None:
    """The inverse leaves a residual of rounding size, and is symmetric to the last bit."""
    X = s.robot.mass_matrix_inverse(s.q)
    assert (X == X.T).all()
    scale = np.linalg.norm(s.d.mass_matrix) * np.linalg.norm(X)
    assert np.linalg.norm(s.d.mass_matrix @ X - np.eye(s.robot.nv)) <= 1e-13 * scale
    m = sd.compile(sd.papers["001 root by arrays"], s.robot)(s.q)
    assert same(m @ m.T, s.d.mass_matrix)


def test_001_section_X_B_inverse(s: System) -> None:
    assert same(s.robot.mass_matrix_inverse(s.q), np.linalg.inv(s.d.mass_matrix))


def test_001_section_X_C(rng: np.random.Generator) -> None:
    arm = sd.load("puma560")
    q = arm.random_configuration(rng)
    M_papers = arm.mass_matrix(q)[::-1, ::-1]
    assert error(arm.mass_matrix_root(q)[::-1, ::-1], np.linalg.cholesky(M_papers)) <= 1e-12
