"""The value of any formula on a robot's operators: what a formula means, in any arithmetic, at any cost.

Stacks are those of the operators: storage order, link vectors at O(k) along inertial axes, task vectors at the frames'
origins along inertial axes, frame after frame.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import Any
from zlib import crc32

import numpy as np

from soadyn.algebra.defining import Numbers
from soadyn.algebra.expressions import Adjoint, Expression, Identity, Inverse, Product, Root, Sum, Symbol, sqrt
from soadyn.algebra.operators import PASSIVE_NAMES, VECTORS, WHOLE_ARM_NAMES, D, belongs_to_the_whole_arm
from soadyn.algebra.spaces import NUMBER, Space
from soadyn.algebra.velocity_operators import DISPLACED, VELOCITY_OPERATORS, Along, d_theta, moving
from soadyn.errors import ArgumentError, ShapeError, SingularError
from soadyn.fork_safe import cached_property
from soadyn.model.model import Model
from soadyn.theory.oracle.dense_arm import DenseArm
from soadyn.theory.oracle.dense_geometry import Matrix, six, skew
from soadyn.theory.oracle.dense_rates import DenseRates
from soadyn.theory.oracle.robot_operators import RobotOperators


class FormulaValues(ABC):
    """The values of formulas on one robot; all that was computed is kept."""

    def __init__(self, robot: RobotOperators, passive: np.ndarray | None, given: Mapping[str, Matrix]) -> None:
        self.robot, self.passive, self.given = robot, passive, dict(given)
        self._kept: dict[Expression, Matrix] = {}
        self._rates: dict[Along | None, DenseRates] = {}

    @property
    @abstractmethod
    def task_map(self) -> Matrix:
        """B."""

    @property
    @abstractmethod
    def poses(self) -> Matrix:
        """Y."""

    @property
    def pose_map(self) -> Matrix:
        """L_Y, frame after frame."""
        numbers, blocks = self.robot.numbers, []
        for i in range(len(self.poses) // 12):
            block = numbers.zeros(12, 6)
            block[:3, 3:] = numbers.eye(3)
            for j in (3, 6, 9):
                block[j : j + 3, :3] = -numbers.arranged(skew, self.poses[12 * i + j : 12 * i + j + 3])
            blocks.append(block)
        return numbers.block_diagonal(blocks, (12 * len(blocks), 6 * len(blocks)))

    @abstractmethod
    def _own(self, x: Symbol) -> Matrix:
        """The value of a user's own symbol without a formula; ArgumentError if it has none."""

    @abstractmethod
    def _component(self, joint: Along) -> int:
        """The place among the joint rates of the component that a formula names."""

    def of(self, x: Expression) -> Matrix:
        """The formula's value: a matrix, or without the axes that a number would have."""
        value = self.matrix(x)
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
                return int(self.task_map.shape[1])
            case "pose":
                return 2 * int(self.task_map.shape[1])
            case "number":
                return 1

    def matrix(self, x: Expression) -> Matrix:
        """The value with two axes, the numbers being a space of one component."""
        if x not in self._kept:
            self._kept[x] = self._computed(x)
        return self._kept[x]

    def _computed(self, x: Expression) -> Matrix:
        numbers = self.robot.numbers
        match x:
            case Adjoint():
                return self.matrix(x.of).T
            case Product():
                value = self.matrix(x.factors[-1])
                for factor in reversed(x.factors[:-1]):
                    value = self.matrix(factor) @ value
                return value
            case Sum():
                value = numbers.zeros(self.size(x.codomain), self.size(x.domain))
                for number, term in x.terms:
                    value = value + numbers.number(number) * self.matrix(term)
                return value
            case Identity():
                return numbers.eye(self.size(x.domain))
            case Inverse():
                inner = self.matrix(x.of)
                try:
                    return self._inverse(inner)
                except SingularError:
                    raise SingularError(f"{x}: the matrix is singular on this robot") from None
            case Root():
                return self._root(self.matrix(x.of), x.of.domain.place == "joint")
            case Symbol():
                return self._symbol(x)
        raise TypeError(f"no formula: {type(x).__name__}")

    def _inverse(self, value: Matrix) -> Matrix:
        """SingularError if there is none."""
        return self.robot.numbers.inverse(value)

    def _root(self, value: Matrix, of_joints: bool) -> Matrix:
        root = self.robot.numbers.zeros(*value.shape)
        for at in self.robot.model.v_slices if of_joints else map(six, range(self.robot.n)):
            root[at, at] = self._block_root(value[at, at])
        return root

    def _block_root(self, block: Matrix) -> Matrix:
        return self.robot.numbers.root(block)

    # What the symbols stand for

    def mask(self, what: str) -> np.ndarray:
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
        return DenseArm(robot.numbers, robot.parents, robot.E_phi, robot.M, robot.H[p], robot.A_r[np.ix_(p, p)], rows)

    def _symbol(self, x: Symbol) -> Matrix:
        if x.name in self.given:
            return self._checked(x, self.given[x.name])
        if x.formula is not None:
            return self.matrix(x.formula)
        if moving(x).name in WHOLE_ARM_NAMES and self.passive is not None:
            raise ArgumentError(belongs_to_the_whole_arm(x.name))
        if moving(x).name in VELOCITY_OPERATORS:
            return self._moving(moving(x).name, x.along)
        if x.name in PASSIVE_NAMES:
            self.mask(x.name)
        if x.name in OPERATOR_VALUES:
            return self._checked(x, OPERATOR_VALUES[x.name](self))
        found = self._vector(x.name) if x.name in VECTORS else None
        return self._checked(x, self._own(x) if found is None else found)

    def _moving(self, name: str, along: Along | None) -> Matrix:
        """An operator that is linear in the joint rates, of the motion or of one joint component that alone moves."""
        if along not in self._rates:
            self._rates[along] = DenseRates(self.robot, self._joint_rates(along))
        rates = self._rates[along]
        return self._root_turning(rates) if name == "Z" else getattr(rates, name)

    def _joint_rates(self, along: Along | None) -> Matrix:
        if along is None:
            return self._named("theta_dot")
        if along == DISPLACED:
            return self.matrix(d_theta)[:, 0]
        return self.robot.numbers.eye(self.robot.nv)[self._component(along)]

    def _root_turning(self, rates: DenseRates) -> Matrix:
        """Z: half of the lower less half of the upper triangle of L⁻¹ Ḋ L⁻*, block by block, L = sqrt(D)."""
        numbers, L = self.robot.numbers, self.matrix(sqrt(D))
        turned = numbers.solve(L, numbers.solve(L, rates.D_rate).T)
        Z, half = numbers.zeros(*turned.shape), numbers.number(Fraction(1, 2))
        for dofs in self.robot.model.v_slices:
            for i in range(dofs.start, dofs.stop):
                Z[i, dofs.start : i] = half * turned[i, dofs.start : i]
                Z[dofs.start : i, i] = -half * turned[dofs.start : i, i]
        return Z

    def _checked(self, x: Symbol, value: Matrix) -> Matrix:
        shape = (self.size(x.codomain), self.size(x.domain))
        if x.is_vector and value.shape == shape[:1]:
            return value[:, None]
        if value.shape != shape:
            wanted = shape[:1] if x.is_vector else shape
            raise ShapeError(f"{x.name} has shape {wanted} on this robot, got {value.shape}")
        return value

    def _vector(self, name: str) -> Matrix | None:
        """A vector of the papers by the equations of motion; None if it has to be given."""
        robot = self.robot
        match name:
            case "theta_dot":
                return robot.v
            case "V":
                return robot.H_phi.T @ self._named("theta_dot")
            case "a":
                return robot.a + robot.a_g
            case "b":
                return robot.b
            case "Y":
                return self.poses
            case "f_tip" if not self.task_map.shape[1]:
                return robot.numbers.zeros(0)
            case "theta_ddot" if "T" in self.given:
                bias = robot.M @ (robot.phi.T @ self._named("a")) + self._load()
                driving = self._named("T") - robot.H_phi @ bias
                return robot.numbers.solve(robot.mass_matrix, driving[:, None])[:, 0]
            case "T" if "theta_ddot" in self.given:
                return robot.H @ self._named("f") + robot.A_r @ self._named("theta_ddot")
            case "alpha":
                return robot.phi.T @ (robot.H.T @ self._named("theta_ddot") + self._named("a"))
            case "f":
                return robot.phi @ (robot.M @ self._named("alpha") + self._load())
            case "theta_dot_a" | "theta_ddot_a":
                return self._named(name[:-2])[~self.mask(name)]
            case "T_p":
                return self._named("T")[self.mask(name)]
        return None

    def drawn_symbol(self, x: Symbol, draw: Callable[..., Matrix]) -> Matrix:
        """Random numbers for a user's vector or block diagonal operator; `draw` takes a shape.

        A symmetric operator of a user's is an inertia, damping or stiffness: its blocks are positive definite.
        """
        if x.is_vector:
            return draw(self.size(x.codomain))
        numbers, value = self.robot.numbers, self.robot.numbers.zeros(self.size(x.codomain), self.size(x.domain))
        for at in self._blocks(x):
            block = draw(at.stop - at.start, at.stop - at.start)
            value[at, at] = block @ block.T + numbers.eye(len(block)) if x.symmetric else block
        return value

    def _blocks(self, x: Symbol) -> Iterable[slice]:
        if x.domain.place.endswith("link"):
            return map(six, range(self.robot.n))
        if isinstance(x.blocks, Numbers) and x.blocks.array.ndim == 1:  # a number for each component
            return (slice(i, i + 1) for i in range(self.size(x.domain)))
        return self.robot.model.v_slices

    def _load(self) -> Matrix:
        return self._named("b") + self.task_map @ self._named("f_tip")

    def _named(self, name: str) -> Matrix:
        return self.matrix(VECTORS[name])[:, 0]


def arbitrary_component(model: Model, joint: Along) -> int:
    """A component for the joint that a formula names on an arm of no particular joints; always the same."""
    return crc32(repr(joint).encode()) % model.nv


OF_THE_ARM = ("R", "P", "P_plus", "D", "G", "K", "tau", "tau_bar", "E_psi", "psi", "psi_tilde", "Upsilon", "Omega")
OPERATOR_VALUES: dict[str, Callable[[FormulaValues], Any]] = {
    "H": lambda x: x.robot.H,
    "phi": lambda x: x.robot.phi,
    "E_phi": lambda x: x.robot.E_phi,
    "phi_tilde": lambda x: x.robot.phi - x.robot.numbers.eye(6 * x.robot.n),
    "B": lambda x: x.task_map,
    "L_Y": lambda x: x.pose_map,
    "M": lambda x: x.robot.M,
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
        for name in OF_THE_ARM
    },
}
