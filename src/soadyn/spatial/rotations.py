"""Rotations as people hand them over: matrices (..., 3, 3), vectors, quaternions w, x, y, z, roll, pitch and yaw."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from soadyn.mechanics.spatial import arithmetic, rigid, rotation
from soadyn.spatial import checked


def skew(x: ArrayLike) -> np.ndarray:
    """The matrix (..., 3, 3) of the cross product with vectors (..., 3): skew(x) @ y = x × y.

    >>> skew([1.0, 2.0, 3.0]).tolist()
    [[0.0, -3.0, 2.0], [3.0, 0.0, -1.0], [-2.0, 1.0, 0.0]]
    """
    array, kind = checked.real("skew", "x", x, 3, meaning="a vector")
    return np.asarray(arithmetic.skew(array[..., None]) + 0.0).astype(kind)


def rotation_from_vector(vector: ArrayLike) -> np.ndarray:
    """The rotation matrix (..., 3, 3) of a rotation vector (..., 3): axis times angle, rad (Pinocchio's exp3).

    >>> rotation_from_vector([0.0, 0.0, np.pi / 2]).round(6).tolist()
    [[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]
    """
    r, kind = checked.real("rotation_from_vector", "vector", vector, 3, meaning="a rotation vector, rad")
    return np.asarray(rotation.from_vector(r)).astype(kind)


def rotation_vector(rotation_matrix: ArrayLike) -> np.ndarray:
    """The rotation vector (..., 3), axis times angle in rad, of a rotation matrix (..., 3, 3) (Pinocchio's log3).

    Its length is at most pi; half a turn has two such vectors, and one of them is returned.

    >>> rotation_vector([[1.0, 0.0, 0.0], [0.0, -1.0, 0.0], [0.0, 0.0, -1.0]]).tolist()
    [3.141592653589793, 0.0, 0.0]
    """
    R, kind = checked.rotations("rotation_vector", "rotation_matrix", rotation_matrix)
    return rotation.vector_of(R).astype(kind)


def rotation_from_quaternion(quaternion: ArrayLike) -> np.ndarray:
    """The rotation matrix (..., 3, 3) of a quaternion w, x, y, z (..., 4) of any length but zero.

    >>> rotation_from_quaternion([1.0, 0.0, 0.0, 1.0]).tolist()
    [[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]
    """
    Q, kind = checked.quaternions("rotation_from_quaternion", "quaternion", quaternion)
    return np.asarray(rotation.from_quaternion(Q) + 0.0).astype(kind)


def quaternion(rotation_matrix: ArrayLike) -> np.ndarray:
    """The unit quaternion w, x, y, z (..., 4) of a rotation matrix (..., 3, 3), of both the one with w at least 0.

    >>> quaternion([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]).round(6).tolist()
    [0.707107, 0.0, 0.0, 0.707107]
    """
    R, kind = checked.rotations("quaternion", "rotation_matrix", rotation_matrix)
    Q = rotation.quaternion_of(R)
    return (np.where(Q[..., :1] < 0, -Q, Q) + 0.0).astype(kind)


def rotation_from_roll_pitch_yaw(angles: ArrayLike) -> np.ndarray:
    """The rotation matrix (..., 3, 3) of roll, pitch, yaw (..., 3) in rad: Rz(yaw) Ry(pitch) Rx(roll), as in URDF.

    >>> rotation_from_roll_pitch_yaw([0.0, 0.0, np.pi / 2]).round(6).tolist()
    [[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]
    """
    given, kind = checked.real("rotation_from_roll_pitch_yaw", "angles", angles, 3, meaning="roll, pitch and yaw, rad")
    return np.asarray(rotation.from_roll_pitch_yaw(given) + 0.0).astype(kind)


def roll_pitch_yaw(rotation_matrix: ArrayLike) -> np.ndarray:
    """Roll, pitch, yaw (..., 3) in rad of a rotation matrix: Rz(yaw) Ry(pitch) Rx(roll), pitch in [-pi/2, pi/2].

    Where the pitch is a quarter turn only the sum or difference of the others is told; they are such that it is right.

    >>> roll_pitch_yaw(rotation_from_roll_pitch_yaw([0.1, 0.2, 0.3])).round(12).tolist()
    [0.1, 0.2, 0.3]
    """
    R, kind = checked.rotations("roll_pitch_yaw", "rotation_matrix", rotation_matrix)
    return np.asarray(rotation.roll_pitch_yaw_of(R)).astype(kind)


def angle_between(first: ArrayLike, second: ArrayLike) -> np.ndarray:
    """The angle (...,) in rad, from 0 to pi, of the turn from one rotation matrix (..., 3, 3) to another.

    >>> float(angle_between(np.eye(3), rotation_from_vector([0.0, 0.3, 0.4])).round(12))
    0.5
    """
    R0, kind0 = checked.rotations("angle_between", "first", first)
    R1, kind1 = checked.rotations("angle_between", "second", second)
    checked.fit(first=(R0, 2), second=(R1, 2))
    return np.asarray(rotation.angle_of(R0.mT @ R1)).astype(np.result_type(kind0, kind1))


def slerp(start: ArrayLike, end: ArrayLike, s: ArrayLike) -> np.ndarray:
    """Rotation matrices (..., 3, 3) on the shortest turn from `start` (s = 0) to `end` (s = 1), turning evenly.

    `s` (...,) has or makes the batch axes; below 0 and above 1 the turn goes on.

    >>> half = slerp(np.eye(3), rotation_from_vector([0.0, 0.0, 1.0]), [0.0, 0.5])
    >>> rotation_vector(half).round(12).tolist()
    [[0.0, 0.0, 0.0], [0.0, 0.0, 0.5]]
    """
    R0, kind0 = checked.rotations("slerp", "start", start)
    R1, kind1 = checked.rotations("slerp", "end", end)
    share, _ = checked.real("slerp", "s", s, meaning="the share of the way")
    checked.fit(start=(R0, 2), end=(R1, 2), s=(share, 0))
    return rigid.turned_evenly(R0, R1, share).astype(np.result_type(kind0, kind1))
