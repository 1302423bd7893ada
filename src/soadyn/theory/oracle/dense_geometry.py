"""Poses and joint maps for the dense oracle, written out with nothing of the sweeps' own geometry."""

from __future__ import annotations

from typing import Any

import numpy as np

from soadyn.mechanics.spatial.rotation import onto
from soadyn.model.model import Joint

Matrix = Any  # an array of float64 or `Residues`; NumPy's stubs lose track of the type in products


def six(k: int) -> slice:
    """The place of link k in a stack of 6-vectors."""
    return slice(6 * k, 6 * k + 6)


def skew(x: Any) -> Matrix:
    """x̃ with x̃ y = x × y."""
    a, b, c = x
    return np.array([[0, -c, b], [c, 0, -a], [-b, a, 0]])


def rigid(l: Any) -> Matrix:
    """φ(k,j) = [I, l̃; 0, I] with l from O(k) to O(j); 001 (3)."""
    return np.block([[np.eye(3), skew(l)], [np.zeros((3, 3)), np.eye(3)]])


def inertia(m: Any, mp: Any, J: Any) -> Matrix:
    """M(k) = [J, m p̃; -m p̃, m I] from mass, first moment and moment of inertia about O(k); 001 (2)."""
    return np.block([[J, skew(mp)], [-skew(mp), m * np.eye(3)]])


def turned(axis: Any, angle: float) -> Matrix:
    """The rotation about a unit axis (Rodrigues)."""
    x = skew(axis)
    return np.eye(3) + np.sin(angle) * x + (1 - np.cos(angle)) * x @ x


def quaternion_rotation(quaternion: Any) -> Matrix:
    """The rotation of a quaternion (w, x, y, z), normalised first: R = I + 2 w ẽ + 2 ẽ ẽ."""
    x = np.asarray(quaternion)
    w, *e = x / np.sqrt(x @ x)
    return np.eye(3) + 2 * w * skew(e) + 2 * skew(e) @ skew(e)


def pose(R: Any, p: Any) -> Matrix:
    """A rotation and a position as a 4x4 matrix."""
    T = np.eye(4, dtype=np.result_type(R, p))
    T[:3, :3], T[:3, 3] = R, p
    return T


def joint_motion(joint: Joint, q: Matrix) -> Matrix:
    """The pose of the outboard frame in the inboard one."""
    h = np.array(joint.axis)
    match joint.kind:
        case "revolute" | "continuous":
            return pose(turned(h, q[0]), np.zeros(3))
        case "prismatic":
            return pose(np.eye(3), h * q[0])
        case "helical":
            return pose(turned(h, q[0]), joint.pitch * h * q[0])
        case "cylindrical":
            return pose(turned(h, q[0]), h * q[1])
        case "planar":
            return pose(turned(h, q[2]), onto(h)[:, :2] @ q[:2])
        case "spherical":
            return pose(quaternion_rotation(q), np.zeros(3))
        case "free":
            return pose(quaternion_rotation(q[:4]), q[4:])
    raise NotImplementedError(f"the dense oracle knows no joint kind {joint.kind!r}")


def joint_map(joint: Joint, R_plus: Matrix, R: Matrix) -> Matrix:
    """H*(k) along inertial axes; R_plus and R are the inboard and outboard frame's rotations."""
    h, none = R_plus @ np.array(joint.axis), np.zeros(3)
    match joint.kind:
        case "revolute" | "continuous":
            return np.array([[*h, *none]]).T
        case "prismatic":
            return np.array([[*none, *h]]).T
        case "helical":
            return np.array([[*h, *(joint.pitch * h)]]).T
        case "cylindrical":
            return np.array([[*h, *none], [*none, *h]]).T
        case "planar":
            e1, e2, e3 = (R_plus @ onto(np.array(joint.axis))).T
            return np.array([[*none, *e1], [*none, *e2], [*e3, *none]]).T
        case "spherical":
            return np.vstack([R, np.zeros((3, 3))])
        case "free":
            return np.block([[R, np.zeros((3, 3))], [np.zeros((3, 3)), R]])
    raise NotImplementedError(f"the dense oracle knows no joint kind {joint.kind!r}")


FIXED_IN_BODY = ("spherical", "free")
