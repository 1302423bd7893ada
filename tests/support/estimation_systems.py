"""Robots whose random field is compared with explicit matrices, and the way between their frames."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

import soadyn as sd
from random_robots import random_model
from soadyn.oracle.dense_geometry import rigid, six
from soadyn.oracle.dense_robot import DenseRobot

SYSTEMS: dict[str, dict[str, Any]] = {
    "chain": {"kinds": ["revolute", "prismatic"], "shape": "serial"},
    "tree with armature": {"armature": True},
    "free tree with armature": {"root": "free", "armature": True},
}


@dataclass(frozen=True)
class System:
    """A robot at a state, and the dense oracle there."""

    robot: sd.Robot
    q: np.ndarray
    v: np.ndarray
    dense: DenseRobot

    @property
    def turned(self) -> np.ndarray:
        """Link forces at link frames in their axes to those at O(k) in world axes, (6n, 6n)."""
        X = np.zeros((6 * self.dense.n, 6 * self.dense.n))
        for k, T in enumerate(self.dense.link_poses):
            R = np.kron(np.eye(2), T[:3, :3])
            X[six(k), six(k)] = rigid(T[:3, 3] - self.dense.origins[k]) @ R
        return X


def random_system(rng: np.random.Generator, name: str, links: int = 5) -> System:
    """A random robot, computed by the reference: what is asked here is asked of formulas."""
    model = random_model(rng, links, **SYSTEMS[name])
    robot = sd.Robot(model, "numpy")
    q, v = robot.random_configuration(rng), rng.standard_normal(robot.nv)
    return System(robot, q, v, DenseRobot(model, q, v))
