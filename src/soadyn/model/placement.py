"""A constant pose of one frame in another, hashable."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, final

import numpy as np

from soadyn.errors import ModelError
from soadyn.mechanics.spatial.reading import NotNumbersError, real_array
from soadyn.mechanics.spatial.rotation import from_roll_pitch_yaw
from soadyn.mechanics.spatial.transform import Transform

Vector3 = tuple[float, float, float]
Matrix3 = tuple[Vector3, Vector3, Vector3]

# Entries of a rotation this close to 0 or ±1 are what is left of cos(pi/2): exactly 0 or ±1 was meant.
ROUNDING = 4 * np.finfo(float).eps
# The rotation that turns nothing: most placements share this one.
UNTURNED: Matrix3 = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


def vector3(x: Any) -> Vector3:
    a, b, c = np.asarray(x, dtype=float).reshape(3).tolist()
    return (a, b, c)


def matrix3(x: Any) -> Matrix3:
    (a, b, c), (d, e, f), (g, h, i) = np.asarray(x, dtype=float).reshape(3, 3).tolist()
    return ((a, b, c), (d, e, f), (g, h, i))


@final
@dataclass(frozen=True, slots=True)
class Placement:
    """The pose of a frame in another: columns of `rotation` are its axes, `position` its origin."""

    rotation: Matrix3 = UNTURNED
    position: Vector3 = (0.0, 0.0, 0.0)

    @staticmethod
    def of(rotation: Any = None, position: Any = (0.0, 0.0, 0.0)) -> Placement:
        """From a 3x3 rotation (identity if omitted) and a position; rounding left in the rotation is removed."""
        R = np.eye(3) if rotation is None else np.array(rotation, dtype=float)
        for exact in (-1.0, 0.0, 1.0):
            R[abs(R - exact) <= ROUNDING] = exact
        turned = matrix3(R)
        return Placement(UNTURNED if turned == UNTURNED else turned, vector3(position))

    @staticmethod
    def from_rpy(xyz: Any = (0.0, 0.0, 0.0), rpy: Any = (0.0, 0.0, 0.0)) -> Placement:
        """URDF's origin: roll, pitch, yaw about fixed x, y, z axes."""
        return Placement.of(from_roll_pitch_yaw(np.asarray(rpy)), xyz)

    @staticmethod
    def from_matrix(pose: Any, what: str = "pose") -> Placement:
        """From a 4x4 homogeneous matrix, which is checked."""
        try:
            T = real_array(pose)
        except NotNumbersError as error:
            raise ModelError(f"{what} must be a 4x4 homogeneous matrix of real numbers, but it {error}") from None
        if T.shape != (4, 4):
            raise ModelError(f"{what} must be a 4x4 homogeneous matrix, got shape {T.shape}")
        R = T[:3, :3]
        rigid = np.allclose(R @ R.T, np.eye(3), atol=1e-6) and np.linalg.det(R) > 0
        if not (np.isfinite(T).all() and rigid and np.array_equal(T[3], [0, 0, 0, 1])):
            raise ModelError(f"{what} must be a rigid 4x4 pose (a rotation, a position, last row 0 0 0 1), got\n{T}")
        return Placement.of(R, T[:3, 3])

    def then(self, outer: Placement) -> Placement:
        """The pose of a frame placed by `outer` in the frame placed by `self`."""
        moved = self.transform().then(outer.transform())
        return Placement.of(moved.R, moved.l)

    def inverse(self) -> Placement:
        back = self.transform().inverse()
        return Placement.of(back.R, back.l)

    def transform(self) -> Transform:
        """As the operator φ."""
        return Transform(np.array(self.rotation), np.array(self.position)[:, None])

    def matrix(self) -> np.ndarray:
        """As a 4x4 homogeneous matrix."""
        T = np.eye(4)
        T[:3, :3], T[:3, 3] = self.rotation, self.position
        return T
