"""Rotations: quaternions (w, x, y, z), exponential and logarithm; matrices read as quaternions, vectors and angles.

What reads a matrix decides by its entries, so it takes floats alone; all else runs on every kind of number.
"""

from __future__ import annotations

import numpy as np

from soadyn.mechanics.spatial.arithmetic import Array, arctan, cos, cross, guarded_norm, is_positive, matrix, sin, sqrt

# A squared angle lost in the rounding of every other, single precision included.
NEXT_TO_NOTHING = 1e-37
# How far the columns of a rotation may be from unit lengths and right angles.
NEARLY = 1e-6


def about_z(angle: Array) -> Array:
    """The rotation by an angle about z."""
    c, s = cos(angle), sin(angle)
    return matrix([[c, -s, 0], [s, c, 0], [0, 0, 1]])


def onto(axis: Array) -> Array:
    """The rotation (3, 3) whose third column is the unit vector `axis`: the smallest turn that takes z there.

    Its first two columns are the directions in which x and y of a planar joint count. For -z it is half a turn about x.

    >>> onto([1.0, 0.0, 0.0])
    array([[ 0.,  0.,  1.],
           [ 0.,  1.,  0.],
           [-1.,  0.,  0.]])
    """
    x, y, z = (float(value) for value in axis)
    side = x * x + y * y
    if side == 0.0:
        return np.eye(3) if z > 0 else np.diag([1.0, -1.0, -1.0])
    c = 1 / (1 + z) if z > 0 else (1 - z) / side  # the same number, without cancellation
    return np.array([[1 - c * x * x, -c * x * y, x], [-c * x * y, 1 - c * y * y, y], [-x, -y, z]]) + 0.0


def from_quaternion(quaternion: Array) -> Array:
    """The rotation matrix of the normalised quaternion; no square root is needed."""
    w, x, y, z = (quaternion[..., i] for i in range(4))
    s = 2 / guarded_norm(w * w + x * x + y * y + z * z)
    return matrix(
        [
            [1 - s * (y * y + z * z), s * (x * y - w * z), s * (x * z + w * y)],
            [s * (x * y + w * z), 1 - s * (x * x + z * z), s * (y * z - w * x)],
            [s * (x * z - w * y), s * (y * z + w * x), 1 - s * (x * x + y * y)],
        ]
    )


def quaternion_of(R: np.ndarray) -> np.ndarray:
    """The unit quaternion of a rotation matrix, without cancellation; of both, that whose largest entry is positive.

    4 Q Q* is linear in R; its column with the largest diagonal entry is far from zero, and a multiple of Q.

    >>> quaternion_of(np.array([[0.0, -1, 0], [1, 0, 0], [0, 0, 1]])).round(6)
    array([0.707107, 0.      , 0.      , 0.707107])
    """
    x, y, z = (R[..., i, i] for i in range(3))
    a, b, c = (R[..., i, j] - R[..., j, i] for i, j in ((2, 1), (0, 2), (1, 0)))
    d, e, f = (R[..., i, j] + R[..., j, i] for i, j in ((1, 2), (0, 2), (0, 1)))
    rows = matrix(
        [[1 + x + y + z, a, b, c], [a, 1 + x - y - z, f, e], [b, f, 1 - x + y - z, d], [c, e, d, 1 - x - y + z]]
    )
    largest = np.argmax(np.diagonal(rows, axis1=-2, axis2=-1), axis=-1)
    return np.asarray(unit(np.take_along_axis(rows, largest[..., None, None], axis=-2)[..., 0, :]))


def vector_of(R: np.ndarray) -> np.ndarray:
    """The rotation vector (..., 3), of length at most pi, of a rotation matrix.

    >>> vector_of(np.diag([-1.0, -1.0, 1.0])).round(6).tolist()
    [0.0, 0.0, 3.141593]
    """
    return np.asarray(logarithm(quaternion_of(R)))


def angle_of(R: np.ndarray) -> np.ndarray:
    """The angle of a rotation matrix, rad:  atan2(|sin(angle) axis|, cos(angle)), right from 0 to pi.

    >>> float(angle_of(np.diag([-1.0, -1.0, 1.0])).round(6))
    3.141593
    """
    twice_sine = [R[..., i, j] - R[..., j, i] for i, j in ((2, 1), (0, 2), (1, 0))]
    return np.arctan2(np.linalg.norm(twice_sine, axis=0), np.trace(R, axis1=-2, axis2=-1) - 1)


def is_rotation(R: np.ndarray, nearly: float = NEARLY) -> np.ndarray:
    """Which matrices (..., 3, 3) are rotations but for rounding, (...,)."""
    straight = (np.abs(R @ R.mT - np.eye(3)) < nearly).all(axis=(-1, -2))
    return np.asarray(straight & (np.linalg.det(R) > 0))


def from_roll_pitch_yaw(angles: Array) -> Array:
    """Rz(yaw) Ry(pitch) Rx(roll) of angles (..., 3)."""
    c, s = cos(angles), sin(angles)
    (cr, cp, cy), (sr, sp, sy) = ((x[..., 0], x[..., 1], x[..., 2]) for x in (c, s))
    return matrix(
        [
            [cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr],
            [sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr],
            [-sp, cp * sr, cp * cr],
        ]
    )


def roll_pitch_yaw_of(R: np.ndarray) -> np.ndarray:
    """The angles (..., 3) with R = Rz(yaw) Ry(pitch) Rx(roll), pitch in [-pi/2, pi/2].

    Yaw is read from what remains when the roll is taken back, so that both fit where the pitch is a quarter turn and
    only their sum or difference is told by R.

    >>> roll_pitch_yaw_of(np.eye(3))
    array([0., 0., 0.])
    """
    roll = np.arctan2(R[..., 2, 1], R[..., 2, 2])
    pitch = np.arctan2(-R[..., 2, 0], np.hypot(R[..., 0, 0], R[..., 1, 0]))
    c, s = np.cos(roll), np.sin(roll)
    yaw = np.arctan2(s * R[..., 0, 2] - c * R[..., 0, 1], c * R[..., 1, 1] - s * R[..., 1, 2])
    return np.stack([roll, pitch, yaw], axis=-1) + 0.0


def unit(quaternion: Array) -> Array:
    return quaternion / sqrt(_dot(quaternion, quaternion))


def _dot(x: Array, y: Array) -> Array:
    """x · y, (..., 1)."""
    return (x * y).sum(axis=-1, keepdims=True)


def product(a: Array, b: Array) -> Array:
    """The quaternion of the rotation b followed by a, on the left."""
    aw, av = a[..., :1], a[..., 1:]
    bw, bv = b[..., :1], b[..., 1:]
    scalar = aw * bw - _dot(av, bv)
    vector = aw * bv + bw * av + _cross(av, bv)
    return np.concatenate([scalar, vector], axis=-1)


def quaternion_rate(quaternion: Array, omega: Array) -> Array:
    """How a quaternion changes with the angular velocity along the turned axes: ½ quaternion [0; ω]."""
    return product(quaternion, np.concatenate([np.zeros_like(omega[..., :1]), 0.5 * omega], axis=-1))


def _cross(x: Array, y: Array) -> Array:
    return cross(x[..., None], y[..., None])[..., 0]


def conjugate(quaternion: Array) -> Array:
    return np.concatenate([quaternion[..., :1], -quaternion[..., 1:]], axis=-1)


def exponential(r: Array) -> Array:
    """The quaternion of the rotation vector r (..., 3)."""
    half = 0.5 * _length(r)
    return np.concatenate([cos(half), 0.5 * r * (sin(half) / half)], axis=-1)


def from_vector(r: Array) -> Array:
    """The rotation matrix of the rotation vector r (..., 3)."""
    return from_quaternion(exponential(r))


def _length(r: Array) -> Array:
    """|r|, (..., 1), or a length so small that only its not being zero matters: nothing need be decided."""
    return sqrt(_dot(r, r) + NEXT_TO_NOTHING)


def logarithm(quaternion: Array) -> Array:
    """The rotation vector, of length at most pi, of a unit quaternion."""
    side = 1 - 2 * is_positive(-quaternion[..., :1])  # of both quaternions of a rotation, that with w at least 0
    w, v = side * quaternion[..., :1], side * quaternion[..., 1:]
    s = _length(v)
    # A quarter of the angle: its tangent is finite for every w from 0 to 1.
    return 4 * v * (arctan(s / (1 + w)) / s)


def left_jacobian_times(r: Array, x: Array) -> Array:
    """∫₀¹ exp(s r̃) ds x: the displacement of a body moving with body rates (r, x) for one unit of time."""
    angle = _length(r)
    axis, half = r / angle, 0.5 * angle
    ratio = sin(half) / half
    across = _cross(axis, x)
    # (1 - cos)/angle² = ½ (sin ½ / ½)², and 1 - sin/angle multiplies vectors no longer than x: nothing cancels
    return x + 0.5 * ratio * ratio * angle * across + (1 - sin(angle) / angle) * _cross(axis, across)


def left_jacobian_solve(r: Array, d: Array) -> Array:
    """The x with left_jacobian_times(r, x) = d, for |r| at most pi."""
    angle = _length(r)
    axis, half = r / angle, 0.5 * angle
    across = _cross(axis, d)
    # 1 - ½ cot ½ multiplies vectors no longer than d: nothing cancels
    return d - half * across + (1 - half * cos(half) / sin(half)) * _cross(axis, across)
