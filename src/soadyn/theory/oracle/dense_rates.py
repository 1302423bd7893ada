"""How a robot's operators move with its joints, as matrices: what rates and sensitivities are made of (000 section 6).

All of them are linear in the joint rates, which may be those of the motion, or one at a single joint component.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, final

from soadyn.fork_safe import cached_property
from soadyn.theory.oracle.dense_geometry import FIXED_IN_BODY, Matrix, six, skew

if TYPE_CHECKING:
    from soadyn.theory.oracle.robot_operators import RobotOperators


@final
class DenseRates:
    """The operators of a robot whose joints move with the rates v; the articulated ones are those of all joints."""

    def __init__(self, robot: RobotOperators, v: Matrix) -> None:
        self.robot, self.v, self.numbers = robot, v, robot.numbers

    @cached_property
    def _link_velocities(self) -> Matrix:
        return self.robot.H_phi.T @ self.v

    @cached_property
    def _across(self) -> Matrix:
        """Δ = H* v, each link's velocity relative to the next one inward."""
        return self.robot.H.T @ self.v

    @cached_property
    def V_tilde(self) -> Matrix:
        """[ω̃, 0; ṽ, ω̃] at each link, 000 (5.6)."""
        return self._diagonal([self._crossed(self._link_velocities[six(k)]) for k in range(self.robot.n)])

    @cached_property
    def W_omega(self) -> Matrix:
        """diag(ω̃, ω̃) at each link."""
        return self._diagonal([self._turning(self._link_velocities[six(k)]) for k in range(self.robot.n)])

    @cached_property
    def W_s(self) -> Matrix:
        """W of the next link inward; the ground does not turn."""
        W, still = self.W_omega, self.numbers.zeros(6, 6)
        return self._diagonal([W[six(p), six(p)] if p >= 0 else still for p in self.robot.parents])

    @cached_property
    def W_delta(self) -> Matrix:
        return self._diagonal([self._turning(self._across[six(k)]) for k in range(self.robot.n)])

    @cached_property
    def N_delta(self) -> Matrix:
        """[0, g̃; 0, 0] with the linear half g of Δ."""
        blocks = []
        for k in range(self.robot.n):
            block = self.numbers.zeros(6, 6)
            block[:3, 3:] = self._skew(self._across[six(k)][3:])
            blocks.append(block)
        return self._diagonal(blocks)

    @cached_property
    def X_delta(self) -> Matrix:
        """-Δ̃*."""
        return self._diagonal([-self._crossed(self._across[six(k)]).T for k in range(self.robot.n)])

    @cached_property
    def Y_delta(self) -> Matrix:
        """X where the axes of H are fixed in the link, N where they are fixed in the next one inward."""
        fixed = [joint.kind in FIXED_IN_BODY for joint in self.robot.model.joints]
        sources = [self.X_delta if in_body else self.N_delta for in_body in fixed]
        return self._diagonal([source[six(k), six(k)] for k, source in enumerate(sources)])

    @cached_property
    def eta_delta(self) -> Matrix:
        """η with H* η = Y* H*, joint by joint: η = (H H*)⁻¹ H Y* H*."""
        eta = self.numbers.zeros(self.robot.nv, self.robot.nv)
        for k, dofs in enumerate(self.robot.model.v_slices):
            H = self.robot.H[dofs, six(k)]
            eta[dofs, dofs] = self.numbers.solve(H @ H.T, H @ self.Y_delta[six(k), six(k)].T @ H.T)
        return eta

    @cached_property
    def lambda_dot(self) -> Matrix:
        """λ̇(k) = Σⱼ [ψ(k,j) λ̇(j) ψ*(k,j) + K(k,j) Γ(j) K*(k,j)] + X(k) P(k) + P(k) X*(k), tip to base."""
        arm, robot = self.robot.arm, self.robot
        Gamma = robot.A_r @ self.eta_delta + self.eta_delta.T @ robot.A_r
        rate = self.X_delta @ arm.P
        rate = rate + rate.T
        for k, p in reversed(list(enumerate(robot.parents))):
            if p >= 0:
                psi, K, dofs = arm.E_psi[six(p), six(k)], arm.K, robot.model.v_slices[k]
                gained = K[six(p), dofs] @ Gamma[dofs, dofs] @ K[six(p), dofs].T
                rate[six(p), six(p)] += psi @ rate[six(k), six(k)] @ psi.T + gained
        return rate

    @cached_property
    def D_rate(self) -> Matrix:
        """Ḋ = H [λ̇ - Y P - P Y*] H*, 000 Table 3 for all joints."""
        YP = self.Y_delta @ self.robot.arm.P
        return self.robot.H @ (self.lambda_dot - YP - YP.T) @ self.robot.H.T

    def _diagonal(self, blocks: list[Matrix]) -> Matrix:
        return self.numbers.block_diagonal(blocks, (6 * self.robot.n, 6 * self.robot.n))

    def _skew(self, x: Matrix) -> Matrix:
        return self.numbers.arranged(skew, x)

    def _turning(self, x: Matrix) -> Matrix:
        turn = self._skew(x[:3])
        return self.numbers.block_diagonal([turn, turn], (6, 6))

    def _crossed(self, x: Matrix) -> Matrix:
        """X̃ = [ã, 0; b̃, ã] of X = [a; b]."""
        crossed = self._turning(x)
        crossed[3:, :3] = self._skew(x[3:])
        return crossed
