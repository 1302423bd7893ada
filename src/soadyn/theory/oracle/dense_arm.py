"""The articulated arm as matrices: the Riccati recursion of 001 (35), 000 (4.8), over those hinges that are free.

Armature, which the papers leave out, adds to the inertia that a joint feels: D = H P H* + A_r.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import final

from soadyn.fork_safe import cached_property
from soadyn.theory.oracle.arithmetic import Arithmetic
from soadyn.theory.oracle.dense_geometry import Matrix, six


@final
class DenseArm:
    """The articulated operators of an arm whose hinges outside H's rows are locked.

    H and A_r belong to the free components only, `rows` are those of each link. With all of them free this is the arm
    of 001, with the active ones locked the passive arm of 004.
    """

    def __init__(
        self,
        numbers: Arithmetic,
        parents: Sequence[int],
        E_phi: Matrix,
        M: Matrix,
        H: Matrix,
        A_r: Matrix,
        rows: Sequence[slice],
    ) -> None:
        self.numbers, self.parents, self.rows = numbers, parents, rows
        self.E_phi, self.M, self.H, self.A_r = E_phi, M, H, A_r

    @cached_property
    def _riccati(self) -> tuple[Matrix, Matrix, Matrix]:
        P, D, G = self.M + self._zeros(self.M), self._zeros(self.A_r), self._zeros(self.H.T)
        for k in reversed(range(len(self.parents))):
            at, dofs, p = six(k), self.rows[k], self.parents[k]
            H, P_k = self.H[dofs, at], P[at, at]
            D[dofs, dofs] = H @ P_k @ H.T + self.A_r[dofs, dofs]
            G[at, dofs] = self.numbers.solve(D[dofs, dofs], H @ P_k).T
            if p >= 0:
                phi = self.E_phi[six(p), at]
                P[six(p), six(p)] += phi @ (P_k - G[at, dofs] @ D[dofs, dofs] @ G[at, dofs].T) @ phi.T
        return P, D, G

    def _zeros(self, like: Matrix) -> Matrix:
        return self.numbers.zeros(*like.shape)

    @property
    def P(self) -> Matrix:
        return self._riccati[0]

    @property
    def D(self) -> Matrix:
        return self._riccati[1]

    @property
    def G(self) -> Matrix:
        return self._riccati[2]

    @cached_property
    def K(self) -> Matrix:
        return self.E_phi @ self.G

    @cached_property
    def tau(self) -> Matrix:
        return self.G @ self.H

    @cached_property
    def tau_bar(self) -> Matrix:
        return self.numbers.eye(len(self.M)) - self.tau

    @cached_property
    def P_plus(self) -> Matrix:
        return self.P - self.G @ self.D @ self.G.T

    @cached_property
    def E_psi(self) -> Matrix:
        return self.E_phi @ self.tau_bar

    @cached_property
    def psi(self) -> Matrix:
        """(I - E_psi)⁻¹."""
        return self.numbers.inverse(self.numbers.eye(len(self.M)) - self.E_psi)

    @cached_property
    def psi_tilde(self) -> Matrix:
        return self.psi - self.numbers.eye(len(self.M))

    @cached_property
    def Upsilon(self) -> Matrix:
        """Υ(k) = ψ*(p,k) Υ(p) ψ(p,k) + H*(k) D⁻¹(k) H(k), base to tip."""
        Upsilon = self.H.T @ self.numbers.solve(self.D, self.H)
        for k, p in enumerate(self.parents):
            if p >= 0:
                psi = self.E_psi[six(p), six(k)]
                Upsilon[six(k), six(k)] += psi.T @ Upsilon[six(p), six(p)] @ psi
        return Upsilon

    @cached_property
    def R(self) -> Matrix:
        """R(k) = M(k) + Σⱼ φ(k,j) R(j) φ*(k,j), 001 (31), tip to base; whichever hinges are free."""
        R = self.M + self._zeros(self.M)
        for k, p in reversed(list(enumerate(self.parents))):
            if p >= 0:
                phi = self.E_phi[six(p), six(k)]
                R[six(p), six(p)] += phi @ R[six(k), six(k)] @ phi.T
        return R

    @cached_property
    def Omega(self) -> Matrix:
        """Ω = ψ* H* D⁻¹ H ψ."""
        H_psi = self.H @ self.psi
        return H_psi.T @ self.numbers.solve(self.D, H_psi)
