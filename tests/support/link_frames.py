"""Between vectors at the links' frames, as callers see them, and those at the joints along inertial axes."""

from __future__ import annotations

import numpy as np

from soadyn.algebra.expressions import Expression
from soadyn.algebra.spaces import Space
from soadyn.theory.oracle.dense_geometry import rigid
from soadyn.theory.oracle.dense_robot import DenseRobot


def to_joints(dense: DenseRobot, space: Space, size: int) -> np.ndarray:
    """From vectors of a space at the links' frames to those at the joints along inertial axes."""
    if space.place != "link":
        return np.eye(size)
    found = np.zeros((size, size))
    for k in range(dense.n):
        at = slice(6 * k, 6 * k + 6)
        pose = dense.link_poses[k]
        force = rigid(pose[:3, 3] - dense.origins[k]) @ np.kron(np.eye(2), pose[:3, :3])
        found[at, at] = force if space.side == "force" else np.linalg.inv(force).T
    return found


def at_links(dense: DenseRobot, X: Expression, value: np.ndarray) -> np.ndarray:
    """An operator's dense value, from and to vectors at the links' frames."""
    rows, columns = to_joints(dense, X.codomain, value.shape[0]), to_joints(dense, X.domain, value.shape[1])
    return np.asarray(np.linalg.solve(rows, value @ columns))
