"""Robots at a state with their dense operators, for the results of the paper on random fields (003)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import numpy as np

import soadyn as sd
from agreement import close
from random_robots import random_model
from soadyn.algebra.expressions import Expression
from soadyn.estimation import RandomField, SmootherResult
from soadyn.theory.oracle.dense_geometry import rigid, six
from soadyn.theory.oracle.dense_robot import DenseRobot

same = partial(close, tolerance=1e-9)

SYSTEMS: dict[str, dict[str, Any]] = {
    "chain": {"kinds": ["revolute", "prismatic"], "shape": "serial"},
    "tree": {"armature": True},
    "free tree": {"root": "free", "armature": True},
}


@dataclass(frozen=True)
class System:
    """A robot at a state; `d` are explicit matrices at O(k) in world axes."""

    robot: sd.Robot
    q: np.ndarray
    v: np.ndarray
    T: np.ndarray
    d: DenseRobot

    @cached_property
    def field(self) -> RandomField:
        return RandomField(self.robot, self.q)

    @cached_property
    def smoothed(self) -> SmootherResult:
        return self.field.smooth(self.T)

    @cached_property
    def X(self) -> np.ndarray:
        """Link forces at link frames in their axes to those at O(k) in world axes, (6n, 6n)."""
        X = np.zeros((6 * self.d.n, 6 * self.d.n))
        for k, T in enumerate(self.d.link_poses):
            X[six(k), six(k)] = rigid(T[:3, 3] - self.d.origins[k]) @ np.kron(np.eye(2), T[:3, :3])
        return X

    @property
    def chained(self) -> bool:
        """No branches and no armature."""
        return not self.d.A_r.any() and list(self.d.parents) == list(range(-1, self.d.n - 1))

    def forces(self, x: np.ndarray) -> np.ndarray:
        """Link forces (links, 6) of the library in the oracle's frames, (6n,)."""
        return self.X @ x.reshape(-1)

    def motions(self, x: np.ndarray) -> np.ndarray:
        """Link motions of the library in the oracle's frames."""
        return np.linalg.solve(self.X.T, x.reshape(-1))

    def dense(self, operator: Any) -> np.ndarray:
        """An operator of the library as a matrix in the oracle's frames."""
        left, right = self._turn(operator.codomain), self._turn(operator.domain, back=True)
        return left @ operator.dense() @ right

    def op(self, formula: Expression) -> np.ndarray:
        return self.dense(sd.compile(formula, self.field.robot, as_written=True)(self.q))

    def _turn(self, space: Any, back: bool = False) -> np.ndarray:
        if space.place == "joint":
            return np.eye(self.d.nv)
        turn = self.X if "force" in str(space) else np.linalg.inv(self.X).T
        return np.linalg.inv(turn) if back else turn

    # What the paper defines and the oracle does not have

    @cached_property
    def S(self) -> np.ndarray:
        return self.d.phi @ self.d.M @ self.d.phi.T

    @cached_property
    def Omega(self) -> np.ndarray:
        return self.d.phi.T @ self.d.H.T @ np.linalg.solve(self.d.mass_matrix, self.d.H @ self.d.phi)

    def blocks(self, x: np.ndarray) -> np.ndarray:
        """The block diagonal part."""
        return np.where(np.kron(np.eye(self.d.n), np.ones((6, 6))) > 0, x, 0.0)

    @cached_property
    def Upsilon(self) -> np.ndarray:
        return self.blocks(self.Omega)

    @cached_property
    def unrelated(self) -> np.ndarray:
        """Ω's blocks between links of different branches."""
        related = np.eye(self.d.n)
        for i in range(self.d.n):
            for j in self.d.model.ancestors(i + 1):
                related[i, j - 1] = related[j - 1, i] = 1
        return np.where(np.kron(related, np.ones((6, 6))) > 0, 0.0, self.Omega)


def random_system(rng: np.random.Generator, name: str) -> System:
    model = random_model(rng, 4, **SYSTEMS[name])
    robot = sd.Robot(model, "numpy")
    q, v = robot.random_configuration(rng), rng.standard_normal(robot.nv)
    return System(robot, q, v, rng.standard_normal(robot.nv), DenseRobot(model, q, v))
