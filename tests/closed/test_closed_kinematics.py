"""Inverse kinematics of robots with closures, beside the closed forms of parallel robots."""

from __future__ import annotations

import numpy as np
import pytest

from parallel_robots import delta, delta_angles, leg_lengths, stewart
from soadyn.theory.oracle.dense_geometry import turned

X, Y, Z = np.eye(3)


@pytest.mark.parametrize("backend", ["auto", "numpy"])
def test_a_delta_robot_finds_the_angles_of_its_closed_form(backend: str) -> None:
    robot = delta().with_backend(backend)
    assert robot.mobility == 3
    rng = np.random.default_rng(2)
    points = rng.uniform([-0.15, -0.15, -0.65], [0.15, 0.15, -0.45], (20, 3))
    targets = {"platform": np.eye(4) + 0 * points[:, :1, None]}
    targets["platform"][:, :3, 3] = points
    start = robot.closed(robot.configuration({"platform_joint": [1, 0, 0, 0, 0, 0, -0.5]}))
    found = robot.inverse_kinematics(targets, start, tolerance=1e-11)
    assert found.success.all()
    assert np.abs(robot.closure_error(found.q)).max() < 1e-11
    angles = found.q[:, [robot.joint_coordinates(f"arm_{i}_joint")[0] for i in range(3)]]
    off = np.abs(np.exp(1j * angles) - np.exp(1j * delta_angles(points)))  # knees outward, and inward
    assert off.min(axis=0).max() < 1e-10
    assert off.max() > 0.1
    assert list(found.errors) == ["platform position", "platform orientation", "closures"]


def test_a_stewart_platform_finds_the_lengths_of_its_closed_form() -> None:
    robot = stewart()
    assert robot.mobility == 6
    rng = np.random.default_rng(3)
    pose = np.tile(np.eye(4), (10, 1, 1))
    for i in range(10):
        pose[i, :3, :3] = (
            turned(X, rng.uniform(-0.2, 0.2)) @ turned(Y, rng.uniform(-0.2, 0.2)) @ turned(Z, rng.uniform(-0.2, 0.2))
        )
        pose[i, :3, 3] = np.array([0, 0, 0.6]) + rng.uniform(-0.08, 0.08, 3)
    start = robot.closed(robot.configuration({"platform_joint": [1, 0, 0, 0, 0, 0, 0.6]}))
    found = robot.inverse_kinematics({"platform": pose}, start, tolerance=1e-11)
    assert found.success.all()
    lengths = found.q[:, [robot.joint_coordinates(f"leg_{i}_joint")[0] for i in range(6)]]
    np.testing.assert_allclose(lengths, leg_lengths(pose), atol=1e-10)


def test_what_cannot_be_reached_is_told() -> None:
    found = delta().inverse_kinematics({"platform": [0.0, 0.0, -3.0]}, restarts=4)
    assert not found.success
    assert found.errors["closures"] + found.errors["platform position"] > 1.0
    assert "closures by" in found.message
