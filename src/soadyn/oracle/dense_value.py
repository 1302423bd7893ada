"""The value of any formula on a dense robot: what a formula means, at any cost.

Stacks are those of the dense oracle: storage order, link vectors at O(k) along inertial axes, task vectors at the
frames' origins along inertial axes, frame after frame.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, final

import numpy as np
from numpy.typing import ArrayLike

from soadyn.algebra.defining import Numbers
from soadyn.algebra.expressions import Adjoint, Expression, Identity, Inverse, Product, Root, Sum, Symbol
from soadyn.algebra.operators import PASSIVE_NAMES, VECTORS, WHOLE_ARM_NAMES
from soadyn.algebra.spaces import NUMBER, Space
from soadyn.errors import ArgumentError, ShapeError, SingularError
from soadyn.fork_safe import cached_property
from soadyn.oracle.dense_arm import DenseArm, composite
from soadyn.oracle.dense_geometry import Matrix, rigid
from soadyn.oracle.dense_robot import DenseRobot, FrameLike

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
class DenseValues:
    """The values of formulas on one robot; all that was worked out is kept."""

    def __init__(
        self,
        robot: DenseRobot,
        passive: ArrayLike | None = None,
        frames: Sequence[FrameLike] = (),
        vectors: Mapping[str, ArrayLike] | None = None,
    ) -> None:
        self.robot, self.frames = robot, tuple(frames)
        self.passive = None if passive is None else np.asarray(passive)
        if self.passive is not None and (self.passive.dtype != bool or self.passive.shape != (robot.nv,)):
            raise ShapeError(
                f"passive is a boolean for each of the {robot.nv} components, "
                f"got shape {self.passive.shape} of {self.passive.dtype}"
            )
        self.given = {name: np.asarray(value, dtype=float) for name, value in (vectors or {}).items()}
        self.worst_condition = NEARLY_SINGULAR
        self._kept: dict[Expression, tuple[Matrix, Matrix]] = {}

    def of(self, x: Expression) -> Matrix:
        """The formula's value: a matrix, or without the axes that a number would have."""
        value, _ = self._worked_out(x)
        value = value[..., 0] if x.domain == NUMBER else value
        return value[0] if x.codomain == NUMBER else value

    def size(self, space: Space) -> int:
        """How many components a space has on this robot."""
        match space.place:
            case "joint" | "white joint":
                return self.robot.nv
            case "active joint":
                return int((~self.mask(f"the space {space}")).sum())
            case "passive joint":
                return int(self.mask(f"the space {space}").sum())
            case "link" | "white link":
                return 6 * self.robot.n
            case "task":
                return 6 * len(self.frames)
            case "number":
                return 1

    def apart(self, left: Expression, right: Expression) -> float:
        """How far two formulas are apart, relative to the largest sum of the sizes of what they add up."""
        (x, x_size), (y, y_size) = self._worked_out(left), self._worked_out(right)
        largest = max(x_size.max(initial=0.0), y_size.max(initial=0.0))
        return float(abs(x - y).max(initial=0.0) / largest) if largest else 0.0

    def _worked_out(self, x: Expression) -> tuple[Matrix, Matrix]:
        """The value with two axes, the numbers being a space of one component; and the size of what cancels in it.

        The latter is the same formula with the sizes of all entries and all signs +, which bounds the rounding.
        """
        if x not in self._kept:
            self._kept[x] = self._value_and_size(x)
        return self._kept[x]

    def _value_and_size(self, x: Expression) -> tuple[Matrix, Matrix]:
        match x:
            case Adjoint():
                value, size = self._worked_out(x.of)
                return value.T, size.T
            case Product():
                value, size = self._worked_out(x.factors[-1])
                for factor in reversed(x.factors[:-1]):
                    left, left_size = self._worked_out(factor)
                    value, size = left @ value, left_size @ size
                return value, size
            case Sum():
                value = size = np.zeros((self.size(x.codomain), self.size(x.domain)))
                for number, term in x.terms:
                    added, added_size = self._worked_out(term)
                    value, size = value + float(number) * added, size + abs(float(number)) * added_size
                return value, size
        value = self._matrix(x)
        return value, abs(value)

    def _matrix(self, x: Expression) -> Matrix:
        match x:
            case Identity():
                return np.eye(self.size(x.domain))
            case Inverse():
                return self._inverted(x)
            case Root():
                return self._root(self._worked_out(x.of)[0], x.of.domain.place == "joint")
            case Symbol():
                return self._symbol(x)
        raise TypeError(f"no formula: {type(x).__name__}")

    def _symbol(self, x: Symbol) -> Matrix:
        if x.name in self.given:
            return self._checked(x, self.given[x.name])
        if x.formula is not None:
            return self._worked_out(x.formula)[0]
        if isinstance(x.blocks, Numbers):
            return self._checked(x, self._own(x, x.blocks.array))
        if x.name in WHOLE_ARM_NAMES and self.passive is not None:
            raise ArgumentError(f"{x.name} belongs to the whole arm; with a passive set it is {x.name}_p")
        if x.name in PASSIVE_NAMES:
            self.mask(x.name)
        found = self._vector(x) if x.is_vector else _OPERATORS[x.name](self)
        return self._checked(x, np.asarray(found))

    def _checked(self, x: Symbol, value: Matrix) -> Matrix:
        shape = (self.size(x.codomain), self.size(x.domain))
        if x.is_vector and value.shape == shape[:1]:
            return value[:, None]
        if value.shape != shape:
            wanted = shape[:1] if x.is_vector else shape
            raise ShapeError(f"{x.name} has shape {wanted} on this robot, got {value.shape}")
        return value

    def _own(self, x: Symbol, blocks: Matrix) -> Matrix:
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
            at, carried = slice(6 * k - 6, 6 * k), self._from_link_frame(k - 1)
            back = np.linalg.inv(carried)
            left = carried if x.codomain.side == "force" else back.T
            right = carried.T if x.domain.side == "motion" else back
            own[at, at] = left @ block @ right
        return own

    def _from_link_frame(self, k: int) -> Matrix:
        """Forces at a link's frame along its axes, carried to O(k) along inertial axes."""
        T = self.robot.link_poses[k]
        return rigid(T[:3, 3] - self.robot.origins[k]) @ np.kron(np.eye(2), T[:3, :3])

    def _inverted(self, x: Inverse) -> Matrix:
        value, _ = self._worked_out(x.of)
        if value.size and not np.linalg.cond(value) <= self.worst_condition:
            raise SingularError(f"{x}: the matrix is singular on this robot")
        return np.linalg.inv(value)

    def _root(self, value: Matrix, of_joints: bool) -> Matrix:
        root = np.zeros_like(value)
        links = [slice(6 * k, 6 * k + 6) for k in range(self.robot.n)]
        for at in self.robot.model.v_slices if of_joints else links:
            root[at, at] = _cholesky(value[at, at])
        return root

    # What the symbols stand for

    def mask(self, what: str) -> Matrix:
        """The passive components; `what` is who asks."""
        if self.passive is None:
            raise ArgumentError(f"{what} needs a passive set: which joint components are passive")
        return self.passive

    @cached_property
    def arm(self) -> DenseArm:
        """The arm whose free hinges are the passive ones, or all."""
        robot, p = self.robot, self.passive
        if p is None:
            return robot.arm
        counts = np.concatenate([[0], np.cumsum(p)])
        rows = [slice(int(counts[s.start]), int(counts[s.stop])) for s in robot.model.v_slices]
        return DenseArm(robot.parents, robot.E_phi, robot.M, robot.H[p], robot.A_r[np.ix_(p, p)], rows)

    def task_map(self) -> Matrix:
        """B."""
        return np.hstack([np.zeros((6 * self.robot.n, 0)), *(self.robot.B(frame) for frame in self.frames)])

    def _vector(self, x: Symbol) -> Matrix:
        robot = self.robot
        match x.name:
            case "theta_dot":
                return robot.v
            case "V":
                return robot.phi.T @ robot.H.T @ self._named("theta_dot")
            case "a":
                return robot.a + robot.a_g
            case "b":
                return robot.b
            case "f_tip" if not self.frames:
                return np.zeros(0)
            case "theta_ddot" if "T" in self.given:
                alpha = robot.phi.T @ self._named("a")
                bias = robot.M @ alpha + self._named("b") + self.task_map() @ self._named("f_tip")
                return np.linalg.solve(robot.mass_matrix, self._named("T") - robot.H_phi @ bias)
            case "T" if "theta_ddot" in self.given:
                return robot.H @ self._named("f") + robot.A_r @ self._named("theta_ddot")
            case "alpha":
                return robot.phi.T @ (robot.H.T @ self._named("theta_ddot") + self._named("a"))
            case "f":
                load = self._named("b") + self.task_map() @ self._named("f_tip")
                return robot.phi @ (robot.M @ self._named("alpha") + load)
            case "theta_dot_a" | "theta_ddot_a":
                return self._named(x.name[:-2])[~self.mask(x.name)]
            case "T_p":
                return self._named("T")[self.mask(x.name)]
        raise ArgumentError(f"the vector {x.name} ({x.codomain}) has no value; give it in vectors")

    def _named(self, name: str) -> Matrix:
        return self._worked_out(VECTORS[name])[0][:, 0]


_OPERATORS: dict[str, Callable[[DenseValues], Any]] = {
    "H": lambda x: x.robot.H,
    "phi": lambda x: x.robot.phi,
    "E_phi": lambda x: x.robot.E_phi,
    "phi_tilde": lambda x: x.robot.phi - np.eye(6 * x.robot.n),
    "B": DenseValues.task_map,
    "M": lambda x: x.robot.M,
    "R": lambda x: composite(x.robot.parents, x.robot.E_phi, x.robot.M),
    "A_r": lambda x: x.robot.A_r,
    "mass": lambda x: x.robot.mass_matrix,
    "H_a": lambda x: x.robot.H[~x.mask("H_a")],
    "H_p": lambda x: x.arm.H,
    "A_ra": lambda x: x.robot.A_r[np.ix_(~x.mask("A_ra"), ~x.mask("A_ra"))],
    "A_rp": lambda x: x.arm.A_r,
    "D_p": lambda x: x.arm.D,
    "G_p": lambda x: x.arm.G,
    "K_p": lambda x: x.arm.K,
    **{
        name: lambda x, name=name: getattr(x.arm, name)  # type: ignore[misc]
        for name in ("P", "P_plus", "D", "G", "K", "tau", "tau_bar", "E_psi", "psi", "psi_tilde", "Upsilon", "Omega")
    },
}


def _cholesky(block: Matrix) -> Matrix:
    """The lower factor of a symmetric block that may be singular; a vanishing pivot leaves its column empty."""
    L, smallest = np.zeros_like(block), 64 * np.finfo(float).eps * abs(np.diagonal(block)).max(initial=0.0)
    for j in range(len(block)):
        rest = block[j:, j] - L[j:, :j] @ L[j, :j]
        if rest[0] > smallest:
            L[j:, j] = rest / np.sqrt(rest[0])
    return L
