"""Arms whose numbers are random residues: what formulas are on them is exact (`residues`)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import final

import numpy as np

from soadyn.algebra.expressions import Expression, Symbol
from soadyn.algebra.velocity_operators import Along
from soadyn.model.model import Joint, Model
from soadyn.theory.oracle.dense_geometry import Matrix, joint_map, rigid, six, skew
from soadyn.theory.oracle.formula_values import FormulaValues, arbitrary_component
from soadyn.theory.oracle.residues import PRIME, RESIDUES, Modular, Residues, residues
from soadyn.theory.oracle.robot_operators import Figures, RobotOperators


@final
class ExactRobot(RobotOperators):
    """An arm with a model's tree, kinds of joints and armature or none; all its numbers are drawn."""

    def __init__(self, model: Model, rng: np.random.Generator) -> None:
        super().__init__(model, RESIDUES)
        self._v, self._g = drawn(rng, self.nv), drawn(rng, 3)
        self._origins = [drawn(rng, 3) for _ in range(self.n)]
        self._joint_maps = [_joint_map(joint, rng) for joint in model.joints]
        self._figures = [(drawn(rng), drawn(rng, 3), _symmetric(rng)) for _ in range(self.n)]
        armature = np.array([x for joint in model.joints for x in joint.armature])
        self._A_r = Residues(np.diag(np.where(armature > 0, drawn(rng, self.nv).re, 0)))

    @property
    def v(self) -> Matrix:
        return self._v

    @property
    def g(self) -> Matrix:
        return self._g

    @property
    def origins(self) -> list[Matrix]:
        return self._origins

    @property
    def joint_maps(self) -> list[Matrix]:
        return self._joint_maps

    @property
    def figures(self) -> list[Figures]:
        return self._figures

    @property
    def A_r(self) -> Matrix:
        return self._A_r


@final
class ExactValues(FormulaValues):
    """The values of formulas on an exact robot; operational points and a user's own symbols are drawn.

    `signs` says which roots are taken of residues (`Modular`).
    """

    def __init__(
        self,
        robot: ExactRobot,
        passive: np.ndarray | None,
        frames: Sequence[str],
        rng: np.random.Generator,
        signs: int = 0,
    ) -> None:
        given = {"theta_ddot": drawn(rng, robot.nv), "f_tip": drawn(rng, 6 * len(frames))}
        super().__init__(robot, passive, given)
        self._roots, self._rng = Modular(signs), rng
        self._poses = drawn(rng, 12 * len(frames))
        self._task_map = robot.numbers.zeros(6 * robot.n, 6 * len(frames))
        for i, name in enumerate(frames):
            k = robot.model.frame(name).link - 1
            self._task_map[six(k), six(i)] = robot.numbers.arranged(rigid, drawn(rng, 3))

    @property
    def task_map(self) -> Matrix:
        return self._task_map

    @property
    def poses(self) -> Matrix:
        return self._poses

    def same(self, left: Expression, right: Expression) -> bool:
        """Whether two formulas are equal; SingularError if one has no value here."""
        return not self.matrix(left) - self.matrix(right)

    def _block_root(self, block: Matrix) -> Matrix:
        return self._roots.root(block)

    def _own(self, x: Symbol) -> Matrix:
        return self.drawn_symbol(x, lambda *shape: drawn(self._rng, *shape))

    def _component(self, joint: Along) -> int:
        return arbitrary_component(self.robot.model, joint)


def drawn(rng: np.random.Generator, *shape: int) -> Residues:
    """Random residues."""
    return Residues(rng.integers(1, PRIME, shape))


def _symmetric(rng: np.random.Generator) -> Residues:
    J = drawn(rng, 3, 3)
    return J + J.T


def _joint_map(joint: Joint, rng: np.random.Generator) -> Residues:
    """H*(k) along random axes; a helical joint's pitch is drawn as well."""
    pitch = float(rng.integers(1, PRIME)) if joint.pitch else 0.0
    upright = joint_map(replace(joint, axis=(0.0, 0.0, 1.0), pitch=pitch), np.eye(3), np.eye(3))
    R = _rotation(rng)
    return RESIDUES.block_diagonal([R, R], (6, 6)) @ residues(upright.astype(np.int64))


def _rotation(rng: np.random.Generator) -> Residues:
    """R = I + 2 (w ẽ + ẽ ẽ) / (w² + e·e) of a random quaternion."""
    while True:
        w, e = drawn(rng), drawn(rng, 3)
        norm = int((w.re**2 + (e @ e).re) % PRIME)
        if norm:
            turn = RESIDUES.arranged(skew, e)
            return RESIDUES.eye(3) + (turn * int(w.re) + turn @ turn) * RESIDUES.number(Fraction(2, norm))
