"""The operators of 004 for a set of passive components, as explicit matrices by numpy.linalg.

Names are the paper's; `a` contains gravity's offset at the roots.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from soadyn.theory.oracle.dense_geometry import rigid
from soadyn.theory.oracle.dense_robot import DenseRobot


def six(k: int) -> slice:
    return slice(6 * k, 6 * k + 6)


class DensePassive:
    """A robot at a state with passive components p (booleans)."""

    def __init__(self, dense: DenseRobot, p: np.ndarray) -> None:
        self.dense, self.p = dense, p
        self.N_p, self.N_a, self.links = int(p.sum()), int((~p).sum()), 6 * dense.n
        self.H_p, self.H_a = dense.H[p], dense.H[~p]
        self.A_rp, self.A_ra = dense.A_r[np.ix_(p, p)], dense.A_r[np.ix_(~p, ~p)]
        self.phi, self.E_phi, self.M = dense.phi, dense.E_phi, dense.M
        self.I = np.eye(self.links)
        self.I_p = np.eye(self.N_p)
        self.a, self.b = dense.a + dense.a_g, dense.b
        self.P, self.D, self.G = self.riccati(p)

    def riccati(self, free: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """P, D and G of (4.6) with the components `free` articulated, the others locked."""
        dense = self.dense
        P = dense.M.copy()
        D, G = np.zeros((dense.nv, dense.nv)), np.zeros((self.links, dense.nv))
        for k in reversed(range(dense.n)):
            s = dense.model.v_slices[k]
            rows = np.arange(s.start, s.stop)[free[s]]
            H, P_k, R = dense.H[rows, six(k)], P[six(k), six(k)], np.ix_(rows, rows)
            D[R] = H @ P_k @ H.T + dense.A_r[R]
            gain = np.linalg.solve(D[R], H @ P_k).T
            G[six(k), rows] = gain
            p = dense.parents[k]
            if p >= 0:
                phi = dense.E_phi[six(p), six(k)]
                P[six(p), six(p)] += phi @ (P_k - gain @ D[R] @ gain.T) @ phi.T
        return P, D[np.ix_(free, free)], G[:, free]

    @cached_property
    def K(self) -> np.ndarray:
        return self.E_phi @ self.G

    @cached_property
    def tau_bar(self) -> np.ndarray:
        return self.I - self.G @ self.H_p

    @cached_property
    def E_psi(self) -> np.ndarray:
        return self.E_phi @ self.tau_bar

    @cached_property
    def psi(self) -> np.ndarray:
        return np.linalg.inv(self.I - self.E_psi)

    @property
    def psi_tilde(self) -> np.ndarray:
        return self.psi - self.I

    @property
    def phi_tilde(self) -> np.ndarray:
        return self.phi - self.I

    @cached_property
    def D_inv(self) -> np.ndarray:
        return np.linalg.inv(self.D)

    @cached_property
    def Omega(self) -> np.ndarray:
        """(5.2): ψ* H_p* D_p⁻¹ H_p ψ."""
        return self.psi.T @ self.H_p.T @ self.D_inv @ self.H_p @ self.psi

    @cached_property
    def A(self) -> np.ndarray:
        """I + H_p φ K_p."""
        return self.I_p + self.H_p @ self.phi @ self.K

    @cached_property
    def A_inv(self) -> np.ndarray:
        """Lemma 4.2: I - H_p ψ K_p."""
        return self.I_p - self.H_p @ self.psi @ self.K

    def mass(self, i: str, j: str) -> np.ndarray:
        """A block of the mass matrix, "a" or "p" each."""
        half = {"a": ~self.p, "p": self.p}
        return self.dense.mass_matrix[np.ix_(half[i], half[j])]

    @cached_property
    def S(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """(4.5): S_aa, S_ap, S_pp by numpy.linalg."""
        S_pp = np.linalg.inv(self.mass("p", "p"))
        S_ap = self.mass("a", "p") @ S_pp
        return self.mass("a", "a") - S_ap @ self.mass("a", "p").T, S_ap, S_pp

    @property
    def Tau(self) -> np.ndarray:
        """𝒯 = Ω M."""
        return self.Omega @ self.M

    @property
    def Tau_bar(self) -> np.ndarray:
        return self.I - self.Tau

    @property
    def X(self) -> np.ndarray:
        """φ* H_p* Mass_pp⁻¹, the factor of all that armature adds."""
        return self.phi.T @ self.H_p.T @ self.S[2]

    @property
    def Sigma(self) -> np.ndarray:
        return self.P + self.psi_tilde @ self.P + self.P @ self.psi_tilde.T

    def B(self, frame: Any) -> np.ndarray:
        """The frame's columns, 6n x 6."""
        k, T = self.dense.frame(frame)
        columns = np.zeros((self.links, 6))
        if k >= 0:
            columns[six(k)] = rigid(T[:3, 3] - self.dense.origins[k])
        return columns

    def swing(self, frame: Any) -> np.ndarray:
        """a(0) = [0; ω × (ω × l)], with gravity's offset taken away again."""
        k, T = self.dense.frame(frame)
        omega, l = self.dense.V[six(k)][:3], T[:3, 3] - self.dense.origins[k]
        return np.concatenate([np.zeros(3), np.cross(omega, np.cross(omega, l)) + self.dense.g])
