"""The values of formulas on a dense robot, in doubles, and how much of them is rounding."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import final

import numpy as np
from numpy.typing import ArrayLike

from soadyn.algebra.calculus import rate
from soadyn.algebra.defining import Numbers
from soadyn.algebra.expressions import Adjoint, Expression, Product, Sum, Symbol, sqrt
from soadyn.algebra.operators import D, a_tip
from soadyn.algebra.velocity_operators import Along, Y_delta, moving, of_a_joint
from soadyn.errors import ArgumentError, ShapeError, SingularError
from soadyn.fork_safe import cached_property
from soadyn.model.coordinates import Coordinates
from soadyn.theory.oracle.dense_geometry import Matrix, rigid, six
from soadyn.theory.oracle.dense_kinematics import FrameLike
from soadyn.theory.oracle.dense_robot import DenseRobot
from soadyn.theory.oracle.formula_values import FormulaValues, arbitrary_component

NEARLY_SINGULAR = 1e13


def dense_value(
    x: Expression,
    robot: DenseRobot,
    passive: ArrayLike | None = None,
    frames: Sequence[FrameLike] = (),
    vectors: Mapping[str, ArrayLike] | None = None,
) -> Matrix:
    """A formula as a matrix, a vector or a number.

    `passive` marks components (nv,) as passive; then P, psi and what is made of them are those of the passive arm.
    `frames` are the operational points of B. `vectors` are the values of vectors by name: T or theta_ddot, f_tip and a
    user's own; theta_dot, V, a and b are the state's unless they are given.

    >>> import numpy as np
    >>> from soadyn.algebra import D, H, K, I_joint, inv, mass, psi
    >>> from soadyn.model.builder import assemble, chain
    >>> robot = DenseRobot(assemble(chain(3)), [0.1, 0.2, 0.3])
    >>> A_inverse = I_joint - H @ psi @ K
    >>> bool(np.allclose(dense_value(A_inverse.T @ inv(D) @ A_inverse, robot), np.linalg.inv(robot.mass_matrix)))
    True
    """
    return DenseValues(robot, passive, frames, vectors).of(x)


@final
class DenseValues(FormulaValues):
    """Values in doubles. `draw`, which takes a shape, gives random values to a user's own symbols."""

    robot: DenseRobot

    def __init__(
        self,
        robot: DenseRobot,
        passive: ArrayLike | None = None,
        frames: Sequence[FrameLike] = (),
        vectors: Mapping[str, ArrayLike] | None = None,
        draw: Callable[..., Matrix] | None = None,
    ) -> None:
        mask = None if passive is None else np.asarray(passive)
        if mask is not None and (mask.dtype != bool or mask.shape != (robot.nv,)):
            raise ShapeError(
                f"passive is a boolean for each of the {robot.nv} components, got shape {mask.shape} of {mask.dtype}"
            )
        super().__init__(robot, mask, {name: robot.numbers.array(value) for name, value in (vectors or {}).items()})
        self.frames, self._draw = tuple(frames), draw
        self._sizes: dict[Expression, Matrix] = {}

    @cached_property
    def task_map(self) -> Matrix:
        return np.hstack([np.zeros((6 * self.robot.n, 0)), *(self.robot.B(frame) for frame in self.frames)])

    @cached_property
    def poses(self) -> Matrix:
        found = [self.robot.frame(frame)[1] for frame in self.frames]
        return np.concatenate([np.zeros(0), *(T[:3, [3, 0, 1, 2]].T.reshape(-1) for T in found)])

    def apart(self, left: Expression, right: Expression) -> float:
        """How far two formulas are apart, relative to the largest sum of the sizes of what they add up."""
        apart = abs(self.matrix(left) - self.matrix(right)).max(initial=0.0)
        largest = max(self._size(side).max(initial=0.0) for side in (left, right))
        return float(apart / largest) if largest else 0.0

    def _size(self, x: Expression) -> Matrix:
        """The same formula with the sizes of all entries and all signs +, which bounds the rounding."""
        if x not in self._sizes:
            self._sizes[x] = self._size_computed(x)
        return self._sizes[x]

    def _size_computed(self, x: Expression) -> Matrix:
        match x:
            case Adjoint():
                return self._size(x.of).T
            case Product():
                size = self._size(x.factors[-1])
                for factor in reversed(x.factors[:-1]):
                    size = self._size(factor) @ size
                return size
            case Sum():
                size = np.zeros((self.size(x.codomain), self.size(x.domain)))
                for number, term in x.terms:
                    size = size + abs(float(number)) * self._size(term)
                return size
            case Symbol() if moving(x).name == "eta_delta":
                return self._turning_size(x)
            case Symbol() if moving(x).name == "Z":
                return self._root_turning_size(x)
            case Symbol(name=name) if name in DIFFERENCES and name not in self.given:
                return DIFFERENCES[name](self)
        return abs(self.matrix(x))

    def _turning_size(self, x: Symbol) -> Matrix:
        """η is what is left of (H H*)⁻¹ H Y* H* when cross products of a joint's axes with each other cancel."""
        Y = abs(self.matrix(Y_delta if x.along is None else of_a_joint(Y_delta, x.along)))
        size = np.zeros((self.robot.nv, self.robot.nv))
        for k, dofs in enumerate(self.robot.model.v_slices):
            H = self.robot.H[dofs, six(k)]
            size[dofs, dofs] = abs(np.linalg.inv(H @ H.T)) @ abs(H) @ Y[six(k), six(k)].T @ abs(H).T
        return size

    def _root_turning_size(self, x: Symbol) -> Matrix:
        """Z is half of what is left of L⁻¹ Ḋ L⁻* when the terms of Ḋ cancel."""
        D_rate = rate(D) if x.along is None else of_a_joint(rate(D), x.along)
        inverse = abs(np.linalg.inv(self.matrix(sqrt(D))))
        return 0.5 * inverse @ self._size(D_rate) @ inverse.T

    def _root(self, value: Matrix, of_joints: bool) -> Matrix:
        """Roots of link operators are Cholesky's at the links' frames, along their axes, where white vectors are."""
        if of_joints:
            return super()._root(value, of_joints)
        forces = self.robot.from_link_frames
        return forces @ super()._root(np.linalg.solve(forces, np.linalg.solve(forces, value).T), of_joints)

    def _inverse(self, value: Matrix) -> Matrix:
        if value.size and not np.linalg.cond(value) <= NEARLY_SINGULAR:
            raise SingularError("nearly singular")
        return np.linalg.inv(value)

    def _own(self, x: Symbol) -> Matrix:
        if x == a_tip:
            return np.concatenate([np.zeros(0), *map(self.robot.swing, self.frames)])
        if self._draw is not None:
            return self.drawn_symbol(x, self._draw)
        if isinstance(x.blocks, Numbers):
            return self._from_array(x, x.blocks.array)
        raise ArgumentError(f"the vector {x.name} ({x.codomain}) has no value; give it in vectors")

    def _component(self, joint: Along) -> int:
        if self._draw is not None:
            return arbitrary_component(self.robot.model, joint)
        return Coordinates(self.robot.model).component(*joint)

    def _from_array(self, x: Symbol, blocks: Matrix) -> Matrix:
        """A user's block diagonal operator. Blocks of links are at the link frames, along the links' axes."""
        if blocks.ndim == 1:
            return np.diag(blocks)
        if blocks.ndim == 2:
            if blocks.shape != (self.robot.nv, self.robot.nv):
                return blocks
            within = np.zeros_like(blocks)
            for dofs in self.robot.model.v_slices:
                within[dofs, dofs] = 1.0
            return blocks * within
        if len(blocks) != len(self.robot.model.visible):
            raise ShapeError(f"{x.name} has {len(blocks)} blocks; the robot has {len(self.robot.model.visible)} links")
        own = np.zeros((6 * self.robot.n, 6 * self.robot.n))
        for k, block in zip(self.robot.model.visible, blocks, strict=True):
            carried = self._from_link_frame(k - 1)
            back = np.linalg.inv(carried)
            left = {"force": carried, "motion": back.T, "": np.eye(6)}[x.codomain.side]
            right = {"force": back, "motion": carried.T, "": np.eye(6)}[x.domain.side]
            own[six(k - 1), six(k - 1)] = left @ block @ right
        return own

    def _from_link_frame(self, k: int) -> Matrix:
        """Forces at a link's frame along its axes, carried to O(k) along inertial axes."""
        T = self.robot.link_poses[k]
        return rigid(T[:3, 3] - self.robot.origins[k]) @ np.kron(np.eye(2), T[:3, :3])


# Operators that are differences, of which nothing may be left but rounding: the sizes of what they are made of.
DIFFERENCES: dict[str, Callable[[DenseValues], Matrix]] = {
    "tau_bar": lambda x: np.eye(6 * x.robot.n) + abs(x.arm.G) @ abs(x.arm.H),
    "E_psi": lambda x: abs(x.arm.E_phi) @ DIFFERENCES["tau_bar"](x),
    "P_plus": lambda x: abs(x.arm.P) + abs(x.arm.G) @ abs(x.arm.D) @ abs(x.arm.G.T),
    "psi_tilde": lambda x: np.eye(6 * x.robot.n) + abs(x.arm.psi),
    "phi_tilde": lambda x: np.eye(6 * x.robot.n) + abs(x.robot.phi),
}
