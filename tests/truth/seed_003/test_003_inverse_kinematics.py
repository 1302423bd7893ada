"""Random Field Estimation (003), reference [4] of its abstract: inverse kinematics as an estimate, in O(N)."""

from __future__ import annotations

import numpy as np
import pytest

import soadyn as sd
from random_robots import random_model
from soadyn.kinematics.compiled_step import StepContent, recorded_step
from soadyn.kinematics.damped_step import damped_step


def carried(T: np.ndarray) -> np.ndarray:
    """[angular; linear] of a frame at a pose in another, along its own axes, from those of the other."""
    R, p = T[:3, :3], T[:3, 3]
    skew = np.array([[0, -p[2], p[1]], [p[2], 0, -p[0]], [-p[1], p[0], 0]])
    return np.block([[R.T, np.zeros((3, 3))], [-R.T @ skew, R.T]])


@pytest.mark.parametrize("seed", range(3))
def test_003_abstract_inverse_kinematics(seed: int) -> None:
    """A filter from base to tip, a measurement of the tip, a smoother from tip to base: the step, link by link.

    X(k) = φ* X(k-1) φ + H* H,    f = (X + λ I)⁻¹ e,    f(k-1) = φ f(k),    Δθ(k) = H(k) f(k)
    """
    rng = np.random.default_rng(seed)
    kinds = ("revolute", "prismatic", "helical", "spherical", "cylindrical")
    robot = sd.Robot(random_model(rng, 6, kinds=kinds, shape="serial", fixed_links=0.0), "numpy")
    q, e = robot.random_configuration(rng), 0.1 * rng.standard_normal(6)
    links, poses = robot.link_names, robot.poses(q)
    parents = [np.eye(4), *poses[:-1]]
    phi = [carried(np.linalg.inv(parent) @ pose) for parent, pose in zip(parents, poses, strict=True)]
    H = [robot.jacobian(q, link, axes="local")[:, list(robot.joint_dofs(joint))].T
         for link, joint in zip(links, robot.joint_names, strict=True)]  # fmt: skip
    X = np.zeros((6, 6))
    for step, rows in zip(phi, H, strict=True):
        X = step @ X @ step.T + rows.T @ rows
    f = np.linalg.solve(X + (0.5 * e @ e + 1e-10) * np.eye(6), e)
    increments = []
    for step, rows in zip(reversed(phi), reversed(H), strict=True):
        increments.insert(0, rows @ f)
        f = step.T @ f
    J = robot.jacobian(q, links[-1], axes="local")
    np.testing.assert_allclose(damped_step(J, e[:, None], None)[:, 0], np.concatenate(increments), rtol=1e-6, atol=1e-9)


def test_003_abstract_inverse_kinematics_cost() -> None:
    """The recorded step takes a number of operations that grows with the links as a straight line does."""
    counts = []
    for n in (10, 20, 40):
        arm = sd.chain(n)
        demands = StepContent((arm.model.n,), (("position", 0), ("orientation", 0)), limited=True, leaning=False)
        counts.append(recorded_step(arm.engine, demands).operations)
    assert counts[2] - counts[1] < 2.05 * (counts[1] - counts[0])
