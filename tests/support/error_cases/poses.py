"""Rotations and poses that are none."""

from __future__ import annotations

import soadyn as sd
from error_cases.case import Case

POSES = (
    Case(
        "a rotation of two axes",
        "sd.spatial.rotation_vector(np.eye(2))",
        sd.ShapeError,
        r"'rotation_matrix' has shape \(2, 2\); expected \(\.\.\., 3, 3\), a rotation matrix",
    ),
    Case(
        "a rotation for a pose",
        "sd.spatial.twist(np.eye(3))",
        sd.ShapeError,
        r"'pose' has shape \(3, 3\); expected \(\.\.\., 4, 4\), a pose",
    ),
    Case(
        "a reflection for a rotation",
        "sd.spatial.quaternion(np.diag([1.0, 1.0, -1.0]))",
        sd.ArgumentError,
        r"quaternion: the rotation of rotation_matrix is none \(unit columns at right angles, determinant 1\)",
    ),
    Case(
        "a row of poses whose rotation is scaled",
        "poses = np.array([np.eye(4), np.diag([2.0, 1.0, 1.0, 1.0])])\nsd.spatial.inverse(poses)",
        sd.ArgumentError,
        r"inverse: the rotation of pose\[1\] is none",
    ),
    Case(
        "a pose transposed",
        "sd.spatial.pose_error(np.eye(4), sd.spatial.pose(np.eye(3), [1.0, 2.0, 3.0]).T)",
        sd.ArgumentError,
        r"pose_error: target is no pose: its last row must be 0 0 0 1, got \[1\.0, 2\.0, 3\.0, 1\.0\]",
    ),
    Case(
        "a zero quaternion",
        "sd.spatial.rotation_from_quaternion([0.0, 0.0, 0.0, 0.0])",
        sd.ArgumentError,
        "rotation_from_quaternion: quaternion is zero; a quaternion w, x, y, z of any other length will do",
    ),
    Case(
        "a complex twist",
        "sd.spatial.pose_from_twist(np.zeros(6, dtype=complex))",
        sd.ShapeError,
        "'twist' has dtype complex128; pose_from_twist takes real numbers",
    ),
    Case(
        "shares of the way that do not broadcast",
        "sd.spatial.line_between(np.tile(np.eye(4), (2, 1, 1)), np.eye(4), [0.0, 0.5, 1.0])",
        sd.ShapeError,
        r"batch axes do not broadcast: start \(2,\), s \(3,\)",
    ),
)
