"""The identities of the papers, evaluated on dense operators of one robot at one state, in plain words."""

from __future__ import annotations

import numpy as np

from soadyn.algebra.dense import DenseRobot
from soadyn.algebra.dense_geometry import Matrix


def identities(dense: DenseRobot) -> list[tuple[str, float]]:
    """Each identity's name in plain words, and how far its two sides are apart relative to the larger one.

    >>> from soadyn.model.builder import assemble, chain
    >>> found = identities(DenseRobot(assemble(chain(3)), [0.1, 0.2, 0.3]))
    >>> len(found) >= 12 and max(error for _, error in found) < 1e-12
    True
    """
    H, phi, psi, M, P, D, G, K = (dense.operator(x) for x in ("H", "phi", "psi", "M", "P", "D", "G", "K"))
    A_r, E_phi, E_psi, Mass = dense.A_r, dense.E_phi, dense.E_psi, dense.mass_matrix
    I, I_joint = np.eye(6 * dense.n), np.eye(dense.nv)
    A, A_inverse = I_joint + H @ phi @ K, I_joint - H @ psi @ K
    D_inverse = np.linalg.inv(D)
    R = _composite(dense)
    phi_tilde, psi_tilde, tau_bar = phi - I, psi - I, I - G @ H
    Omega = psi.T @ H.T @ D_inverse @ H @ psi
    Mass_inverse = A_inverse.T @ D_inverse @ A_inverse
    sides: list[tuple[str, Matrix, Matrix]] = [
        ("mass matrix from composite bodies: Mass = H (R + φ̃ R + R φ̃*) H* + A_r",
         Mass, H @ (R + phi_tilde @ R + R @ phi_tilde.T) @ H.T + A_r),
        ("composite bodies: φ M φ* = R + φ̃ R + R φ̃*", phi @ M @ phi.T, R + phi_tilde @ R + R @ phi_tilde.T),
        ("Riccati equation: M = P - Eφ P⁺ Eφ*", M, P - E_phi @ tau_bar @ P @ E_phi.T),
        ("articulated bodies: φ M φ* = P + φ̃ P + P φ̃* + φ K D K* φ*",
         phi @ M @ phi.T, P + phi_tilde @ P + P @ phi_tilde.T + phi @ K @ D @ K.T @ phi.T),
        ("innovations factorization: Mass = (I + H φ K) D (I + H φ K)*", Mass, A @ D @ A.T),
        ("inverse factor: (I + H φ K) (I - H ψ K) = I", A @ A_inverse, I_joint),
        ("inverse: Mass (I - H ψ K)* D⁻¹ (I - H ψ K) = I", Mass @ Mass_inverse, I_joint),
        ("φ and ψ: ψ⁻¹ = φ⁻¹ + K H, so ψ (I - Eφ + K H) = I", psi @ (I - E_phi + K @ H), I),
        ("φ and ψ: φ - ψ = ψ K H φ", phi - psi, psi @ K @ H @ phi),
        ("filtered joint map: (I - H ψ K) H φ = H ψ", A_inverse @ H @ phi, H @ psi),
        ("filtered gain: φ K (I - H ψ K) = ψ K", phi @ K @ A_inverse, psi @ K),
        ("mixed: φ M ψ* = φ̃ P + P ψ*", phi @ M @ psi.T, phi_tilde @ P + P @ psi.T),
        ("gain: H G = I - A_r D⁻¹", H @ G, I_joint - A_r @ D_inverse),
        ("error covariance: ψ M ψ* = P + ψ̃ P + P ψ̃* - ψ K A_r K* ψ*",
         psi @ M @ psi.T, P + psi_tilde @ P + P @ psi_tilde.T - psi @ K @ A_r @ K.T @ psi.T),
        ("operational inertias: Ω = ψ* H* D⁻¹ H ψ = φ* H* Mass⁻¹ H φ",
         Omega, phi.T @ H.T @ np.linalg.inv(Mass) @ H @ phi),
        ("nilpotent: φ = I + Eφ φ, ψ = I + Eψ ψ", np.hstack([phi, psi]), np.hstack([I + E_phi @ phi, I + E_psi @ psi])),
    ]  # fmt: skip
    return [(name, _apart(left, right)) for name, left, right in sides]


def _composite(dense: DenseRobot) -> Matrix:
    """R(k) = M(k) + Σⱼ φ(k,j) R(j) φ*(k,j) as a block diagonal matrix (theory 5)."""
    R = dense.M.copy()
    for k in reversed(range(dense.n)):
        p = dense.parents[k]
        if p >= 0:
            at, up = slice(6 * k, 6 * k + 6), slice(6 * p, 6 * p + 6)
            phi = dense.E_phi[up, at]
            R[up, up] += phi @ R[at, at] @ phi.T
    return R


def _apart(left: Matrix, right: Matrix) -> float:
    largest = max(abs(left).max(initial=0.0), abs(right).max(initial=0.0))
    return float(abs(left - right).max(initial=0.0) / largest) if largest else 0.0
