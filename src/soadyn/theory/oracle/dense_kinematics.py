"""A robot at one state: where its frames are, how its joints move and how heavy its links are, in doubles.

The oracle shares the definition of a robot with the sweeps and nothing else: rotations, joint maps and operators are
made here from the equations of the papers, one state at a time, at any cost.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from soadyn.fork_safe import cached_property
from soadyn.model.model import Model
from soadyn.theory.oracle.arithmetic import COMPLEX, DOUBLES, Doubles
from soadyn.theory.oracle.dense_geometry import Matrix, joint_map, joint_motion, rigid, six, skew
from soadyn.theory.oracle.robot_operators import Figures, RobotOperators

FrameLike = str | tuple[str, ArrayLike]


class DenseKinematics(RobotOperators):
    """Poses, frames and Jacobians of a model at one state, and what its operators are made of.

    A complex state gives complex matrices, whose imaginary parts are derivatives along a small imaginary step.
    """

    numbers: Doubles

    def __init__(self, model: Model, q: ArrayLike, v: ArrayLike | None = None) -> None:
        is_complex = np.iscomplexobj(q) or (v is not None and np.iscomplexobj(v))
        super().__init__(model, COMPLEX if is_complex else DOUBLES)
        self.q = self.numbers.array(q)
        self._v = self.numbers.zeros(model.nv) if v is None else self.numbers.array(v)

    @property
    def v(self) -> Matrix:
        return self._v

    @property
    def g(self) -> Matrix:
        return np.array(self.model.gravity)

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

    @cached_property
    def from_link_frames(self) -> Matrix:
        """Forces at the links' frames and along their axes, carried to O(k) and inertial axes: block diagonal."""
        numbers, blocks = self.numbers, []
        for T, O in zip(self.link_poses, self.origins, strict=True):
            blocks.append(rigid(T[:3, 3] - O) @ self._along("local", T).T)
        return numbers.block_diagonal(blocks, (6 * self.n, 6 * self.n))

    def frame(self, frame: FrameLike) -> tuple[int, Matrix]:
        """The link that carries a frame (-1 for the ground), and the frame's pose in the world."""
        name, offset = (frame, np.eye(4)) if isinstance(frame, str) else frame
        known = self.model.frame(name)
        carrier = self.link_poses[known.link - 1] if known.link else np.eye(4)
        return known.link - 1, carrier @ known.placement.matrix() @ np.asarray(offset, dtype=float)

    # What the operators are made of

    @cached_property
    def joint_maps(self) -> list[Matrix]:
        return [
            joint_map(joint, inboard[:3, :3], outboard[:3, :3])
            for joint, (inboard, outboard) in zip(self.model.joints, self.hinges, strict=True)
        ]

    @cached_property
    def figures(self) -> list[Figures]:
        figures = []
        for link, T, O in zip(self.model.links, self.link_poses, self.origins, strict=True):
            R, p = T[:3, :3], T[:3, :3] @ np.array(link.com) + T[:3, 3] - O
            J_c = R @ np.array(link.inertia) @ R.T
            figures.append((link.mass, link.mass * p, J_c - link.mass * skew(p) @ skew(p)))
        return figures

    @cached_property
    def A_r(self) -> Matrix:
        return np.diag([x for joint in self.model.joints for x in joint.armature]).reshape(self.nv, self.nv)

    # Frames

    def B(self, frame: FrameLike) -> Matrix:
        """φ(k,frame) at the link k that carries the frame, 6n x 6; zero for a frame of the ground."""
        k, T = self.frame(frame)
        B = self.numbers.zeros(6 * self.n, 6)
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
        return self._along(axes, T) @ (rigid(T[:3, 3] - self.origins[k]).T @ alpha + self.swing(frame))

    def swing(self, frame: FrameLike) -> Matrix:
        """a(0) = [0; ω̃ ω̃ l] of a frame's origin."""
        k, T = self.frame(frame)
        if k < 0:
            return np.zeros(6)
        omega, l = self.V[six(k)][:3], T[:3, 3] - self.origins[k]
        return np.concatenate([np.zeros(3), np.cross(omega, np.cross(omega, l))])

    def _along(self, axes: str, T: Matrix) -> Matrix:
        R = {"world": np.eye(3), "local": T[:3, :3].T}.get(axes)
        R = self.frame(axes)[1][:3, :3].T if R is None else R
        return np.block([[R, np.zeros((3, 3))], [np.zeros((3, 3)), R]])
