"""Rotations: quaternions (w, x, y, z), exponential and logarithm."""

from __future__ import annotations

import numpy as np

from soadyn.spatial.arithmetic import Array, arctan, cos, cross, guarded_norm, is_positive, matrix, sin, sqrt

# A squared angle lost in the rounding of every other, single precision included.
NEXT_TO_NOTHING = 1e-37


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
