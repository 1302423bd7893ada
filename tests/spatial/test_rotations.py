"""Rotation matrices read as quaternions, vectors, angles and roll, pitch and yaw."""

from __future__ import annotations

import numpy as np
import pytest

from soadyn.mechanics.spatial import rotation


def test_quaternions_of_rotations_turn_alike(rng: np.random.Generator) -> None:
    q = np.concatenate([rng.standard_normal((200, 4)), np.eye(4), -np.eye(4)])
    R = rotation.from_quaternion(q)
    np.testing.assert_allclose(rotation.from_quaternion(rotation.quaternion_of(R)), R, atol=1e-14)


@pytest.mark.parametrize("angle", [0.0, 1e-9, 1e-3, 1.0, np.pi - 1e-7, np.pi])
def test_rotation_vectors_come_back_at_every_angle(angle: float, rng: np.random.Generator) -> None:
    axis = rng.standard_normal((50, 3))
    R = rotation.from_vector(angle * axis / np.linalg.norm(axis, axis=-1)[:, None])
    found = rotation.vector_of(R)
    assert np.abs(np.linalg.norm(found, axis=-1) - angle).max() < 1e-12
    assert np.abs(rotation.from_vector(found) - R).max() < 1e-12
    assert np.abs(rotation.angle_of(R) - angle).max() < 1e-15 + 1e-15 * angle


def test_a_pitch_of_a_quarter_turn_has_angles_that_turn_alike(rng: np.random.Generator) -> None:
    angles = rng.uniform(-3.0, 3.0, (100, 3))
    angles[:, 1] = np.where(np.arange(100) % 2, 0.5, -0.5) * np.pi
    # Through quaternions, so that the entries that vanish are rounding errors.
    R = rotation.from_quaternion(rotation.quaternion_of(rotation.from_roll_pitch_yaw(angles)))
    assert np.abs(rotation.from_roll_pitch_yaw(rotation.roll_pitch_yaw_of(R)) - R).max() < 1e-14
