"""The non-square root H φ M^½ of the mass matrix (001 section X.A) by its recursion, and the orthogonal way to m."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import soadyn as sd
from agreement import error
from random_robots import random_model
from soadyn.algebra import H, M, P, V, inv, phi, sqrt

VARIANTS: dict[str, dict[str, Any]] = {
    "fixed": {},
    "free with armature": {"root": "free", "armature": True},
    "massless links": {"massless": 0.5, "armature": True},
    "hidden links": {"kinds": ["universal", "revolute"]},
}


@pytest.mark.parametrize("backend", ["numpy", "rolled"])
@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.heavy(2)
def test_its_square_is_the_mass_matrix_of_the_links(variant: str, backend: Any, rng: np.random.Generator) -> None:
    robot = sd.Robot(random_model(rng, 8, **VARIANTS[variant]), backend=backend)
    f = sd.compile(H @ phi @ sqrt(M), robot)
    q = robot.random_configuration(rng, 2)
    root = f(q).dense()
    assert root.shape == (2, robot.nv, 6 * len(robot.link_names))
    assert error(root @ root.mT, robot.mass_matrix(q) - np.diag(robot.armature)) <= 1e-13
    assert error(f.T(q).dense(), root.mT) <= 1e-14
    assert f.sweeps == 1


def test_the_root_of_a_link_is_choleskys_factor_at_its_frame() -> None:
    arm = sd.load("ur5")
    root, inertia = (sd.compile(X, arm)(arm.neutral()).dense() for X in (sqrt(M), M))
    for k in range(0, 36, 6):
        block = slice(k, k + 6)
        assert error(root[block, block], np.linalg.cholesky(inertia[block, block])) <= 1e-14


@pytest.mark.parametrize("root", ["fixed", "free"])
@pytest.mark.heavy(2)
def test_recursions_and_dense_matrices_take_the_root_along_the_same_axes(root: Any, rng: np.random.Generator) -> None:
    robot = sd.Robot(random_model(rng, 6, root=root, kinds=["revolute", "spherical", "prismatic"]))
    q, v = robot.random_configuration(rng), rng.normal(size=robot.nv)
    # no recursion is known for the inverse of M + P
    dense = sd.compile(sqrt(M).T @ inv(M + P) @ P @ V, robot, dense=True)(q, v)
    rest = sd.compile(inv(M + P) @ M @ V, robot, dense=True)(q, v)
    velocity = robot.link_velocities(q, v) - rest
    V_given = sd.vector("V_given", V.codomain)
    assert error(dense, sd.compile(sqrt(M).T @ V_given, robot)(q, V_given=velocity)) <= 1e-12


@pytest.mark.parametrize("name", ["ur5", "puma560", "tree"])
@pytest.mark.heavy(2)
def test_its_orthogonal_factors_lead_to_the_root_m(name: str, rng: np.random.Generator) -> None:
    """[H φ M^½, A_r^½] = m Q with Q Q* = I: of single joints m is the LQ factor in the papers' order."""
    tree = random_model(rng, 7, kinds=["revolute", "prismatic"], armature=True)
    robot = sd.Robot(tree) if name == "tree" else sd.load(name)
    q = robot.random_configuration(rng)
    root = np.hstack([sd.compile(H @ phi @ sqrt(M), robot)(q).dense(), np.diag(np.sqrt(robot.armature))])
    triangular = np.linalg.qr(root[::-1].T, mode="r").T
    positive = triangular * np.sign(np.diagonal(triangular))
    assert error(positive, robot.mass_matrix_root(q)[::-1, ::-1]) <= 1e-11
