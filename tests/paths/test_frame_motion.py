"""A frame's straight way from one pose to another."""

from __future__ import annotations

import numpy as np

import soadyn as sd
from soadyn.mechanics.spatial import rotation


def test_a_frames_motion_has_the_rates_it_says(rng: np.random.Generator) -> None:
    poses = np.tile(np.eye(4), (2, 1, 1))
    poses[:, :3, :3] = rotation.from_quaternion(rng.standard_normal((2, 4)))
    poses[:, :3, 3] = rng.standard_normal((2, 3))
    motion, h = sd.paths.FrameMotion(poses[0], poses[1], 3.0), 1e-5
    np.testing.assert_allclose(motion.pose([-1.0, 0.0, 3.0, 9.0]), poses[[0, 0, 1, 1]], atol=1e-12)
    t = np.array([0.4, 1.5, 2.9])
    slope = sd.spatial.pose_error(motion.pose(t - h), motion.pose(t + h)) / (2 * h)
    np.testing.assert_allclose(motion.twist(t), slope, atol=1e-7)
    bend = (motion.twist(t + h) - motion.twist(t - h)) / (2 * h)
    np.testing.assert_allclose(motion.acceleration(t), bend, atol=1e-7)
    np.testing.assert_array_equal(motion.twist(1.5), motion.twist([1.5])[0])


def test_its_origin_stays_on_the_line_and_it_turns_about_one_axis() -> None:
    there = sd.spatial.pose(sd.spatial.rotation_from_vector([0.0, 0.0, 1.2]), [1.0, 2.0, 3.0])
    middle = sd.paths.FrameMotion(np.eye(4), there, 2.0).pose(1.0)
    np.testing.assert_allclose(middle[:3, 3], [0.5, 1.0, 1.5], atol=1e-15)
    np.testing.assert_allclose(sd.spatial.rotation_vector(middle[:3, :3]), [0.0, 0.0, 0.6], atol=1e-15)
