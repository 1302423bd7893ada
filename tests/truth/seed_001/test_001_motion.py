"""001 section IX: inverse kinematics and trajectory design, which the paper names as parts of the software."""

from __future__ import annotations

import numpy as np

import soadyn as sd
from soadyn.theory.oracle.dense_robot import DenseRobot


def test_001_section_IX_kinematics(rng: np.random.Generator) -> None:
    """Frames arrive, says the dense oracle, and what is out of reach is not called solved."""
    arm = sd.load("puma560")
    frame = arm.link_names[-1]
    poses = arm.pose(arm.random_configuration(rng, 20), frame)
    found = arm.inverse_kinematics({frame: poses})
    assert found.success.all()
    for q, wanted in zip(found.q, poses, strict=True):
        assert np.abs(DenseRobot(arm.model, q).poses[-1] - wanted).max() < 1e-7
    poses[:, :3, 3] += [0.0, 0.0, 10.0]
    assert not arm.inverse_kinematics({frame: poses}, restarts=4).success.any()


def test_001_section_IX_trajectories(rng: np.random.Generator) -> None:
    """A motion through given configurations that keeps torques, rates and accelerations within limits."""
    arm = sd.load("ur5")
    points = rng.uniform(-1.0, 1.0, (4, 6))
    path = sd.paths.spline(arm, points)
    motion = sd.paths.time_optimal(path, acceleration_limit=8.0)
    np.testing.assert_allclose(path.at(path.knots)[0], points, atol=1e-12)
    assert (np.abs(motion.tau[:-1]) <= arm.effort_limit * (1 + 1e-9)).all()
    assert (np.abs(motion.v) <= arm.velocity_limit * (1 + 1e-9)).all()
    assert (np.abs(motion.a[:-1]) <= 8.0 * (1 + 1e-9)).all()
