"""The dense oracle: a robot at one state, its operators as explicit matrices, its dynamics by `numpy.linalg` alone."""

from __future__ import annotations

from typing import Any, Literal, final

import numpy as np
from numpy.typing import ArrayLike

from soadyn.fork_safe import cached_property
from soadyn.theory.oracle.dense_geometry import Matrix, inertia, rigid, six, skew
from soadyn.theory.oracle.dense_kinematics import DenseKinematics
from soadyn.theory.oracle.robot_operators import Figures

# Operators whose rows or columns are joint components; those of all others are link vectors.
JOINT_SQUARE = ("D", "A_r", "U", "mass_matrix", "mass_matrix_inverse")
JOINT_ROWS = (*JOINT_SQUARE, "H", "H_phi")
JOINT_COLUMNS = (*JOINT_SQUARE, "G", "K")


@final
class DenseRobot(DenseKinematics):
    """A robot at one state, its operators as matrices.

    >>> import numpy as np
    >>> from soadyn.model.builder import assemble, chain
    >>> dense = DenseRobot(assemble(chain(2)), np.zeros(2))
    >>> dense.H.shape, dense.phi.shape
    ((2, 12), (12, 12))
    >>> bool(np.allclose(dense.mass_matrix, dense.H @ dense.phi @ dense.M @ dense.phi.T @ dense.H.T))
    True
    """

    @property
    def P(self) -> Matrix:
        return self.arm.P

    @property
    def D(self) -> Matrix:
        return self.arm.D

    @property
    def G(self) -> Matrix:
        return self.arm.G

    @property
    def K(self) -> Matrix:
        return self.arm.K

    @property
    def E_psi(self) -> Matrix:
        return self.arm.E_psi

    @property
    def psi(self) -> Matrix:
        return self.arm.psi

    def operator(self, name: str, order: Literal["storage", "paper"] = "storage") -> Matrix:
        """An operator by name; in the papers' order, tip to base, on request.

        >>> import numpy as np
        >>> from soadyn.model.builder import assemble, chain
        >>> phi = DenseRobot(assemble(chain(2)), np.zeros(2)).operator("phi", order="paper")
        >>> bool(np.allclose(phi[:6, 6:], 0))
        True
        """
        matrix: Matrix = getattr(self, name)
        if order == "storage":
            return matrix
        links = np.arange(6 * self.n).reshape(-1, 6)[::-1].reshape(-1)
        joints = np.concatenate([np.zeros(0, dtype=int), *(np.r_[s] for s in reversed(self.model.v_slices))])
        if matrix.ndim == 1:  # V, a and b are stacks over the links
            return matrix[links]
        rows = joints if name in JOINT_ROWS else links
        columns = joints if name in JOINT_COLUMNS else links
        return matrix[np.ix_(rows, columns)]

    # Dynamics

    @cached_property
    def mass_matrix_inverse(self) -> Matrix:
        return np.linalg.inv(self.mass_matrix)

    @cached_property
    def U(self) -> Matrix:
        """I + H φ K."""
        return np.eye(self.nv) + self.H @ self.phi @ self.K

    def external_force(self, external: Any) -> Matrix:
        """f_x: wrenches (links, 6) at the visible links' frames and along their axes, carried to O(k)."""
        wrenches = np.zeros((self.n, 6))
        if external is not None:
            wrenches[[k - 1 for k in self.model.visible]] = external
        return self.from_link_frames @ wrenches.reshape(-1)

    def bias_force(self, external: Any = None) -> Matrix:
        """C = H φ [M φ* a + b - f_x], gravity included."""
        alpha = self.phi.T @ (self.a + self.a_g)
        return self.H_phi @ (self.M @ alpha + self.b - self.external_force(external))

    @property
    def gravity_force(self) -> Matrix:
        """- H φ M col([0; g])."""
        return -self.H_phi @ self.M @ np.tile([0, 0, 0, *self.g], self.n)

    def inverse_dynamics(self, vdot: ArrayLike, external: Any = None) -> Matrix:
        return self.mass_matrix @ np.asarray(vdot) + self.bias_force(external)

    def forward_dynamics(self, tau: ArrayLike, external: Any = None) -> Matrix:
        return np.linalg.solve(self.mass_matrix, np.asarray(tau) - self.bias_force(external))

    def hybrid_dynamics(
        self, vdot: ArrayLike, tau: ArrayLike, passive: ArrayLike, external: Any = None
    ) -> tuple[Matrix, Matrix]:
        """Accelerations and forces of all joints by the Schur complement of the mass matrix."""
        p = np.asarray(passive, dtype=bool)
        C, Mass = self.bias_force(external), self.mass_matrix
        S_pp = np.linalg.inv(Mass[np.ix_(p, p)])
        S_ap = Mass[np.ix_(~p, p)] @ S_pp
        S_aa = Mass[np.ix_(~p, ~p)] - S_ap @ Mass[np.ix_(p, ~p)]
        a, T = np.array(vdot, dtype=float), np.array(tau, dtype=float)
        known_a, known_T = a[~p], T[p]
        T[~p] = S_aa @ known_a + S_ap @ known_T + C[~p] - S_ap @ C[p]
        a[p] = -S_ap.T @ known_a + S_pp @ (known_T - C[p])
        return a, T

    def inertia_regressor(self, vdot: ArrayLike) -> Matrix:
        """N x 10 links: the force for unit parameters m, m c (3), Jxx, Jxy, Jyy, Jxz, Jyz, Jzz in link frames."""
        V = self.V.reshape(-1, 6)
        alpha = (self.phi.T @ (self.H.T @ np.asarray(vdot) + self.a + self.a_g)).reshape(-1, 6)
        columns = []
        for k in self.model.visible:
            for unit in np.eye(10):
                f = np.zeros((self.n, 6))
                figures = self._from_parameters(k - 1, unit)
                f[k - 1] = inertia(*figures) @ alpha[k - 1] + self.gyroscopic(figures, V[k - 1, :3])
                columns.append(self.H_phi @ f.reshape(-1))
        return np.array(columns).reshape(len(columns), self.nv).T

    def _from_parameters(self, k: int, x: Matrix) -> Figures:
        """Mass, first moment and moment of inertia about O(k) from a link's ten parameters; linear in them."""
        R, r = self.link_poses[k][:3, :3], self.link_poses[k][:3, 3] - self.origins[k]
        m, c = float(x[0]), R @ x[1:4]
        J = R @ np.array([[x[4], x[5], x[7]], [x[5], x[6], x[8]], [x[7], x[8], x[9]]]) @ R.T
        # A point at r + s: -(r + s)~ (r + s)~ without the part quadratic in s, which J holds already.
        moved = J - skew(r) @ skew(c) - skew(c) @ skew(r) - m * skew(r) @ skew(r)
        return m, c + m * r, moved

    # Energy and momentum

    @property
    def kinetic_energy(self) -> float:
        return float(self.V @ self.M @ self.V + self.v @ self.A_r @ self.v) / 2

    @cached_property
    def _mass_centres(self) -> tuple[Matrix, Matrix]:
        """Masses (n,) and mass centres (n, 3)."""
        links = zip(self.model.links, self.link_poses, strict=True)
        centres = [T[:3, :3] @ np.array(link.com) + T[:3, 3] for link, T in links]
        return np.array([link.mass for link in self.model.links]), np.array(centres).reshape(-1, 3)

    @property
    def potential_energy(self) -> float:
        m, c = self._mass_centres
        return float(-(m @ (c @ self.g)))

    @property
    def center_of_mass(self) -> Matrix:
        m, c = self._mass_centres
        return np.asarray(m @ c / m.sum())

    def momentum_matrix(self, about: ArrayLike = (0.0, 0.0, 0.0)) -> Matrix:
        """φ(point,·) M φ* H*: joint rates to momentum about a point."""
        carried = [rigid(O - np.asarray(about)) for O in self.origins]
        return np.hstack([np.zeros((6, 0)), *carried]) @ self.M @ self.H_phi.T

    def momentum(self, about: ArrayLike = (0.0, 0.0, 0.0)) -> Matrix:
        return self.momentum_matrix(about) @ self.v

    @property
    def centroidal_momentum_matrix(self) -> Matrix:
        return self.momentum_matrix(self.center_of_mass)

    @property
    def center_of_mass_jacobian(self) -> Matrix:
        """Σ m φ* to the mass centres, over the whole mass."""
        m, c = self._mass_centres
        J = np.zeros((3, self.nv))
        for k in range(self.n):
            J += m[k] * (rigid(c[k] - self.origins[k]).T @ self.H_phi.T[six(k)])[3:]
        return J / m.sum()
