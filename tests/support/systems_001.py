"""Robots at random states, and formulas of the papers on them: as the library computes them, and by dense matrices."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

import soadyn as sd
from agreement import error, random_state
from link_frames import at_links, to_joints
from random_robots import random_model
from soadyn.algebra.expressions import Expression
from soadyn.algebra.spaces import Space
from soadyn.theory.oracle.dense_robot import DenseRobot
from soadyn.theory.oracle.dense_value import dense_value

# Universal joints hide a link, which vectors of links do not show.
KINDS = ("revolute", "continuous", "prismatic", "helical", "cylindrical", "planar", "spherical")
TOLERANCE = 1e-9
SYSTEMS: dict[str, dict[str, Any]] = {
    "chain": {"kinds": ["revolute", "prismatic"], "shape": "serial"},
    "tree": {"kinds": KINDS},
    "free tree with armature": {"kinds": KINDS, "root": "free", "armature": True},
}


@dataclass(frozen=True)
class System:
    """A robot at a state, and its dense operators."""

    robot: sd.Robot
    q: np.ndarray
    v: np.ndarray
    a: np.ndarray
    tau: np.ndarray
    external: np.ndarray
    d: DenseRobot
    rng: np.random.Generator

    @property
    def bare(self) -> bool:
        return not self.robot.armature.any()

    def agrees(self, x: Expression, points: bool = False, **options: Any) -> sd.Compiled:
        """A formula that is a vector or a number, compiled, equals its dense value; link vectors at links' frames."""
        frames = ["tool"] if points else []
        f = sd.compile(x, self.robot, frames=frames, **options)
        given: dict[str, Any] = {"q": self.q, "v": self.v}
        for argument in f.arguments:
            if argument.name not in given and argument.space is not None:
                given[argument.name] = self.rng.standard_normal(f.setting.shape(argument.space))
        spaces = {argument.name: argument.space for argument in f.arguments if argument.name not in ("q", "v")}
        vectors = {name: self._carried(given[name], space, inward=True) for name, space in spaces.items()}
        expected = self._carried(np.asarray(dense_value(x, self.d, None, frames, vectors)), x.codomain, inward=False)
        found = f(**{argument.name: given[argument.name] for argument in f.arguments})
        assert error(found, expected) <= TOLERANCE
        return f

    def operator(self, X: Expression) -> np.ndarray:
        """An operator compiled and written out; it equals its dense value, link frames taken into account."""
        found = sd.compile(X, self.robot)(self.q).dense()
        assert error(found, at_links(self.d, X, np.asarray(dense_value(X, self.d)))) <= TOLERANCE
        return found

    def _carried(self, x: np.ndarray, space: Space | None, inward: bool) -> np.ndarray:
        if space is None or space.place != "link":
            return x
        frames = to_joints(self.d, space, 6 * self.d.n)
        if inward:
            return frames @ x.reshape(-1)
        return np.linalg.solve(frames, x.reshape(-1)).reshape(-1, 6)


def system(rng: np.random.Generator, robot: sd.Robot | None = None, **options: Any) -> System:
    found = robot or sd.Robot(random_model(rng, 7, fixed_links=0.0, **options), backend="numpy")
    s = random_state(rng, found)
    return System(found, s["q"], s["v"], s["a"], s["tau"], s["external"], DenseRobot(found.model, s["q"], s["v"]), rng)
