"""The dense oracle: operators as explicit matrices, by numpy.linalg only, all components in one inertial frame.

It shares the definition of a robot with the sweeps and nothing else: rotations, joint maps and operators are made
here from the equations of the papers, one state at a time, at any cost. O(k) is the origin of joint k's outboard
frame; all stacks are in storage order, base to tip.
"""

from __future__ import annotations

from typing import Any, Literal, final

import numpy as np
from numpy.typing import ArrayLike

from soadyn.fork_safe import cached_property
from soadyn.model.model import Model
from soadyn.oracle.dense_arm import DenseArm
from soadyn.oracle.dense_geometry import FIXED_IN_BODY, Matrix, joint_map, joint_motion, rigid, six, skew

FrameLike = str | tuple[str, ArrayLike]

# Operators whose rows or columns are joint components; those of all others are link vectors.
JOINT_SQUARE = ("D", "A_r", "U", "mass_matrix", "mass_matrix_inverse")
JOINT_ROWS = (*JOINT_SQUARE, "H", "H_phi")
JOINT_COLUMNS = (*JOINT_SQUARE, "G", "K")


@final
class DenseRobot:
    """A robot at one state, its operators as matrices.

    >>> import numpy as np
    >>> from soadyn.model.builder import assemble, chain
    >>> dense = DenseRobot(assemble(chain(2)), np.zeros(2))
    >>> dense.H.shape, dense.phi.shape
    ((2, 12), (12, 12))
    >>> bool(np.allclose(dense.mass_matrix, dense.H @ dense.phi @ dense.M @ dense.phi.T @ dense.H.T))
    True
    """

    def __init__(self, model: Model, q: ArrayLike, v: ArrayLike | None = None) -> None:
        self.model = model
        self.q = np.asarray(q, dtype=float)
        self.v = np.zeros(model.nv) if v is None else np.asarray(v, dtype=float)
        self.n, self.nv = model.n, model.nv
        self.parents = [p - 1 for p in model.parents]  # 0..n-1; the ground is -1
        self.g = np.array(model.gravity)

    # Kinematics (theory 3.1)

    @cached_property
    def hinges(self) -> list[tuple[Matrix, Matrix]]:
        """The poses of each joint's inboard and outboard frame."""
        found: list[tuple[Matrix, Matrix]] = []
        for joint, parent, place in zip(self.model.joints, self.parents, self.model.q_slices, strict=True):
            carrier = found[parent][1] @ self.model.joints[parent].offset.matrix() if parent >= 0 else np.eye(4)
            inboard = carrier @ joint.placement.matrix()
            found.append((inboard, inboard @ joint_motion(joint, self.q[place])))
        return found

    @cached_property
    def link_poses(self) -> list[Matrix]:
        """The poses of all link frames, hidden ones included."""
        return [
            outboard @ joint.offset.matrix()
            for (_, outboard), joint in zip(self.hinges, self.model.joints, strict=True)
        ]

    @cached_property
    def poses(self) -> Matrix:
        """The poses of the visible links."""
        return np.array([self.link_poses[k - 1] for k in self.model.visible]).reshape(-1, 4, 4)

    @cached_property
    def origins(self) -> list[Matrix]:
        """The points O(k)."""
        return [outboard[:3, 3] for _, outboard in self.hinges]

    def frame(self, frame: FrameLike) -> tuple[int, Matrix]:
        """The link that carries a frame (-1 for the ground), and the frame's pose in the world."""
        name, offset = (frame, np.eye(4)) if isinstance(frame, str) else frame
        known = self.model.frame(name)
        carrier = self.link_poses[known.link - 1] if known.link else np.eye(4)
        return known.link - 1, carrier @ known.placement.matrix() @ np.asarray(offset, dtype=float)

    # Stacked operators (theory 4)

    def _block_diagonal(self, blocks: list[Matrix], shape: tuple[int, int]) -> Matrix:
        matrix, i, j = np.zeros(shape), 0, 0
        for block in blocks:
            rows, columns = block.shape
            matrix[i : i + rows, j : j + columns] = block
            i, j = i + rows, j + columns
        return matrix

    @cached_property
    def H(self) -> Matrix:
        """N x 6n, link force to joint force."""
        maps = [
            joint_map(joint, inboard[:3, :3], outboard[:3, :3]).T
            for joint, (inboard, outboard) in zip(self.model.joints, self.hinges, strict=True)
        ]
        return self._block_diagonal(maps, (self.nv, 6 * self.n))

    @cached_property
    def E_phi(self) -> Matrix:
        """φ(p(k),k) at (p(k),k)."""
        E = np.zeros((6 * self.n, 6 * self.n))
        for k, p in enumerate(self.parents):
            if p >= 0:
                E[six(p), six(k)] = rigid(self.origins[k] - self.origins[p])
        return E

    @cached_property
    def phi(self) -> Matrix:
        """(I - E_phi)⁻¹."""
        return np.linalg.inv(np.eye(6 * self.n) - self.E_phi)

    @cached_property
    def H_phi(self) -> Matrix:
        """H φ, whose transpose maps joint rates to link velocities."""
        return self.H @ self.phi

    @cached_property
    def M(self) -> Matrix:
        """Block diagonal: the links' inertias about O(k)."""
        figures = self._figures()
        return self._block_diagonal([_inertia(*figures[k]) for k in range(self.n)], (6 * self.n, 6 * self.n))

    def _figures(self) -> list[tuple[float, Matrix, Matrix]]:
        """Each link's mass, first moment and moment of inertia about O(k), along inertial axes (theory 2)."""
        figures = []
        for link, T, O in zip(self.model.links, self.link_poses, self.origins, strict=True):
            R, p = T[:3, :3], T[:3, :3] @ np.array(link.com) + T[:3, 3] - O
            J_c = R @ np.array(link.inertia) @ R.T
            figures.append((link.mass, link.mass * p, J_c - link.mass * skew(p) @ skew(p)))
        return figures

    @cached_property
    def A_r(self) -> Matrix:
        """Armature, N x N."""
        return np.diag([x for joint in self.model.joints for x in joint.armature]).reshape(self.nv, self.nv)

    # Velocity-dependent terms (theory 3.3)

    @cached_property
    def V(self) -> Matrix:
        """φ* H* v."""
        return self.phi.T @ self.H.T @ self.v

    @cached_property
    def a(self) -> Matrix:
        """Coriolis and centrifugal accelerations, without gravity."""
        V, relative = self.V.reshape(-1, 6), (self.H.T @ self.v).reshape(-1, 6)
        a = np.zeros((self.n, 6))
        for k, (joint, p) in enumerate(zip(self.model.joints, self.parents, strict=True)):
            omega_p, v_p = (V[p, :3], V[p, 3:]) if p >= 0 else (np.zeros(3), np.zeros(3))
            omega_H = V[k, :3] if joint.kind in FIXED_IN_BODY else omega_p
            a[k, :3] = np.cross(omega_H, relative[k, :3])
            a[k, 3:] = np.cross(omega_H, relative[k, 3:]) + np.cross(omega_p, V[k, 3:] - v_p)
        return a.reshape(-1)

    @cached_property
    def a_g(self) -> Matrix:
        """Gravity as an acceleration of the ground: [0; -g] at every root link (theory 1.1)."""
        a = np.zeros((self.n, 6))
        a[[p < 0 for p in self.parents], 3:] = -self.g
        return a.reshape(-1)

    @cached_property
    def b(self) -> Matrix:
        """Gyroscopic forces [ω̃ J ω; m ω̃ ω̃ p]."""
        V = self.V.reshape(-1, 6)
        forces = [_gyroscopic(*figure, V[k, :3]) for k, figure in enumerate(self._figures())]
        return np.array(forces).reshape(-1)

    # Articulated bodies (theory 6, 21.2)

    @cached_property
    def arm(self) -> DenseArm:
        """The arm with all hinges free."""
        return DenseArm(self.parents, self.E_phi, self.M, self.H, self.A_r, self.model.v_slices)

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

    # Dynamics (theory 5, 7, 15)

    @cached_property
    def mass_matrix(self) -> Matrix:
        """H φ M φ* H* + A_r."""
        return self.H_phi @ self.M @ self.H_phi.T + self.A_r

    @cached_property
    def mass_matrix_inverse(self) -> Matrix:
        return np.linalg.inv(self.mass_matrix)

    @cached_property
    def U(self) -> Matrix:
        """I + H φ K."""
        return np.eye(self.nv) + self.H @ self.phi @ self.K

    def external_force(self, external: Any) -> Matrix:
        """f_x: wrenches (links, 6) at the visible links' frames and along their axes, carried to O(k)."""
        f_x = np.zeros((self.n, 6))
        if external is not None:
            for k, wrench in zip(self.model.visible, np.asarray(external, dtype=float), strict=True):
                T = self.link_poses[k - 1]
                along = np.concatenate([T[:3, :3] @ wrench[:3], T[:3, :3] @ wrench[3:]])
                f_x[k - 1] = rigid(T[:3, 3] - self.origins[k - 1]) @ along
        return f_x.reshape(-1)

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
        """Accelerations and forces of all joints by the Schur complement of the mass matrix (theory 15)."""
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
                f[k - 1] = _inertia(*figures) @ alpha[k - 1] + _gyroscopic(*figures, V[k - 1, :3])
                columns.append(self.H_phi @ f.reshape(-1))
        return np.array(columns).reshape(len(columns), self.nv).T

    def _from_parameters(self, k: int, x: Matrix) -> tuple[float, Matrix, Matrix]:
        """Mass, first moment and moment of inertia about O(k) from a link's ten parameters; linear in them."""
        R, r = self.link_poses[k][:3, :3], self.link_poses[k][:3, 3] - self.origins[k]
        m, c = float(x[0]), R @ x[1:4]
        J = R @ np.array([[x[4], x[5], x[7]], [x[5], x[6], x[8]], [x[7], x[8], x[9]]]) @ R.T
        # A point at r + s: -(r + s)~ (r + s)~ without the part quadratic in s, which J holds already.
        moved = J - skew(r) @ skew(c) - skew(c) @ skew(r) - m * skew(r) @ skew(r)
        return m, c + m * r, moved

    # Frames (theory 4)

    def B(self, frame: FrameLike) -> Matrix:
        """φ(k,frame) at the link k that carries the frame, 6n x 6; zero for a frame of the ground."""
        k, T = self.frame(frame)
        B = np.zeros((6 * self.n, 6))
        if k >= 0:
            B[six(k)] = rigid(T[:3, 3] - self.origins[k])
        return B

    def jacobian(self, frame: FrameLike, axes: str = "world") -> Matrix:
        """J = B* φ* H* at the frame's origin."""
        return self._along(axes, self.frame(frame)[1]) @ self.B(frame).T @ self.H_phi.T

    def frame_velocity(self, frame: FrameLike, axes: str = "world") -> Matrix:
        return self.jacobian(frame, axes) @ self.v

    def frame_acceleration(self, vdot: ArrayLike, frame: FrameLike, axes: str = "world") -> Matrix:
        """J v̇ + J̇ v, J̇ v = B* φ* a + [0; ω̃ ω̃ l]."""
        k, T = self.frame(frame)
        if k < 0:
            return np.zeros(6)
        alpha = (self.phi.T @ (self.H.T @ np.asarray(vdot) + self.a))[six(k)]
        omega, l = self.V[six(k)][:3], T[:3, 3] - self.origins[k]
        swing = np.concatenate([np.zeros(3), np.cross(omega, np.cross(omega, l))])
        return self._along(axes, T) @ (rigid(l).T @ alpha + swing)

    def _along(self, axes: str, T: Matrix) -> Matrix:
        R = {"world": np.eye(3), "local": T[:3, :3].T}.get(axes)
        R = self.frame(axes)[1][:3, :3].T if R is None else R
        return np.block([[R, np.zeros((3, 3))], [np.zeros((3, 3)), R]])

    # Energy and momentum (theory 5, 16, 21.1)

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


def _inertia(m: float, mp: Matrix, J: Matrix) -> Matrix:
    """M(k) = [J, m p̃; -m p̃, m I] (theory 2)."""
    return np.block([[J, skew(mp)], [-skew(mp), m * np.eye(3)]])


def _gyroscopic(m: float, mp: Matrix, J: Matrix, omega: Matrix) -> Matrix:
    """b(k) = [ω̃ J ω; m ω̃ ω̃ p] (theory 3.3)."""
    return np.concatenate([np.cross(omega, J @ omega), np.cross(omega, np.cross(omega, mp))])
