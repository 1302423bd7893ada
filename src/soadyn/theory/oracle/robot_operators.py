"""The operators of a robot at one state, from where its joints are, how they move and how heavy its links are.

All components are along inertial axes. O(k) is the origin of joint k's outboard frame; all stacks are in storage order,
base to tip.
"""

from __future__ import annotations

from abc import ABC, abstractmethod

from soadyn.fork_safe import cached_property
from soadyn.model.model import Model
from soadyn.theory.oracle.arithmetic import Arithmetic
from soadyn.theory.oracle.dense_arm import DenseArm
from soadyn.theory.oracle.dense_geometry import FIXED_IN_BODY, Matrix, inertia, rigid, six, skew

Figures = tuple[Matrix, Matrix, Matrix]  # of a link: mass, first moment and moment of inertia about O(k)


class RobotOperators(ABC):
    """Stacked operators in any arithmetic."""

    def __init__(self, model: Model, numbers: Arithmetic) -> None:
        self.model, self.numbers = model, numbers
        self.n, self.nv = model.n, model.nv
        self.parents = [p - 1 for p in model.parents]  # 0..n-1; the ground is -1

    # What a robot is made of

    @property
    @abstractmethod
    def v(self) -> Matrix:
        """The joint rates."""

    @property
    @abstractmethod
    def g(self) -> Matrix:
        """The acceleration of a falling body."""

    @property
    @abstractmethod
    def origins(self) -> list[Matrix]:
        """The points O(k)."""

    @property
    @abstractmethod
    def joint_maps(self) -> list[Matrix]:
        """H*(k)."""

    @property
    @abstractmethod
    def figures(self) -> list[Figures]:
        """Each link's mass, first moment and moment of inertia about O(k)."""

    @property
    @abstractmethod
    def A_r(self) -> Matrix:
        """Armature, N x N."""

    # Operators

    @cached_property
    def H(self) -> Matrix:
        """N x 6n, link force to joint force."""
        return self.numbers.block_diagonal([H.T for H in self.joint_maps], (self.nv, 6 * self.n))

    @cached_property
    def E_phi(self) -> Matrix:
        """φ(p(k),k) at (p(k),k)."""
        E = self.numbers.zeros(6 * self.n, 6 * self.n)
        for k, p in enumerate(self.parents):
            if p >= 0:
                E[six(p), six(k)] = self.numbers.arranged(rigid, self.origins[k] - self.origins[p])
        return E

    @cached_property
    def phi(self) -> Matrix:
        """(I - E_phi)⁻¹."""
        return self.numbers.inverse(self.numbers.eye(6 * self.n) - self.E_phi)

    @cached_property
    def H_phi(self) -> Matrix:
        """H φ, whose transpose maps joint rates to link velocities."""
        return self.H @ self.phi

    @cached_property
    def M(self) -> Matrix:
        """Block diagonal: the links' inertias about O(k)."""
        blocks = [self.numbers.arranged(inertia, *figures) for figures in self.figures]
        return self.numbers.block_diagonal(blocks, (6 * self.n, 6 * self.n))

    @cached_property
    def mass_matrix(self) -> Matrix:
        """H φ M φ* H* + A_r."""
        return self.H_phi @ self.M @ self.H_phi.T + self.A_r

    @cached_property
    def arm(self) -> DenseArm:
        """The articulated arm with all hinges free."""
        return DenseArm(self.numbers, self.parents, self.E_phi, self.M, self.H, self.A_r, self.model.v_slices)

    # Velocity-dependent terms

    @cached_property
    def V(self) -> Matrix:
        """φ* H* v, 001 (7)."""
        return self.H_phi.T @ self.v

    @cached_property
    def a(self) -> Matrix:
        """Coriolis and centrifugal accelerations, without gravity, 001 (8)."""
        V, relative = self.V, self.H.T @ self.v
        a, still = self.numbers.zeros(6 * self.n), self.numbers.zeros(6)
        for k, (joint, p) in enumerate(zip(self.model.joints, self.parents, strict=True)):
            V_k, V_p, step = V[six(k)], V[six(p)] if p >= 0 else still, relative[six(k)]
            # how the axes of H*(k) turn
            turning = self._cross(V_k[:3] if joint.kind in FIXED_IN_BODY else V_p[:3])
            moved = turning @ step[3:] + self._cross(V_p[:3]) @ (V_k[3:] - V_p[3:])
            a[6 * k : 6 * k + 3], a[6 * k + 3 : 6 * k + 6] = turning @ step[:3], moved
        return a

    @cached_property
    def a_g(self) -> Matrix:
        """Gravity as an acceleration of the ground: [0; -g] at every root link."""
        a = self.numbers.zeros(6 * self.n)
        for k, p in enumerate(self.parents):
            if p < 0:
                a[6 * k + 3 : 6 * k + 6] = -self.g
        return a

    @cached_property
    def b(self) -> Matrix:
        """Gyroscopic forces, 001 (11)."""
        b = self.numbers.zeros(6 * self.n)
        for k, figures in enumerate(self.figures):
            b[six(k)] = self.gyroscopic(figures, self.V[six(k)][:3])
        return b

    def gyroscopic(self, figures: Figures, omega: Matrix) -> Matrix:
        """b(k) = [ω̃ J ω; m ω̃ ω̃ p]."""
        _, mp, J = figures
        turning, b = self._cross(omega), self.numbers.zeros(6)
        b[:3], b[3:] = turning @ (J @ omega), turning @ (turning @ mp)
        return b

    def _cross(self, x: Matrix) -> Matrix:
        return self.numbers.arranged(skew, x)
