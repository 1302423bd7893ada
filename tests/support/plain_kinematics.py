"""Forward kinematics for tests, from the definition of a joint and plain 4x4 matrices only."""

from __future__ import annotations

from typing import Any

import numpy as np

from soadyn.mechanics.spatial.rotation import onto
from soadyn.model.model import Joint, Model


def screw(axis: Any, angle: float, slide: Any = (0, 0, 0)) -> np.ndarray:
    """Rodrigues' formula for a turn about a unit axis, and a displacement."""
    x, y, z = axis
    K = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    T = np.eye(4)
    T[:3, :3] = np.eye(3) + np.sin(angle) * K + (1 - np.cos(angle)) * K @ K
    T[:3, 3] = slide
    return T


def quaternion_matrix(quaternion: Any, position: Any = (0, 0, 0)) -> np.ndarray:
    w, *vector = np.asarray(quaternion) / np.linalg.norm(quaternion)
    length = np.linalg.norm(vector)
    axis = np.array(vector) / length if length else np.array([1.0, 0, 0])
    return screw(axis, 2 * np.arctan2(length, w), position)


def motion(joint: Joint, q: np.ndarray) -> np.ndarray:
    axis = np.array(joint.axis)
    match joint.kind:
        case "revolute" | "continuous":
            return screw(axis, q[0])
        case "prismatic":
            return screw(axis, 0.0, q[0] * axis)
        case "helical":
            return screw(axis, q[0], joint.pitch * q[0] * axis)
        case "cylindrical":
            return screw(axis, q[0], q[1] * axis)
        case "planar":
            return screw(axis, q[2], onto(axis)[:, :2] @ q[:2])
        case "spherical":
            return quaternion_matrix(q)
        case "free":
            return quaternion_matrix(q[:4], q[4:])
    raise AssertionError(joint.kind)


def link_poses(model: Model, q: np.ndarray) -> list[np.ndarray]:
    """The pose of every link in the world, ground first, hidden links included."""
    poses = [np.eye(4)]
    for joint, parent, place in zip(model.joints, model.parents, model.q_slices, strict=True):
        step = joint.placement.matrix() @ motion(joint, q[place]) @ joint.offset.matrix()
        poses.append(poses[parent] @ step)
    return poses


def frame_poses(model: Model, q: np.ndarray) -> dict[str, np.ndarray]:
    """The pose of everything with a name."""
    poses = link_poses(model, q)
    return {name: poses[frame.link] @ frame.placement.matrix() for name, frame in model.frame_index.items()}


def world_inertia(model: Model, q: np.ndarray) -> np.ndarray:
    """The 4x4 pseudo-inertia of all moving links in the world: sum of T [C, m c; m c*, m] T*."""
    total = np.zeros((4, 4))
    for link, pose in zip(model.links, link_poses(model, q)[1:], strict=True):
        c, J = np.array(link.com), np.array(link.inertia)
        own = np.zeros((4, 4))
        own[:3, :3] = np.trace(J) / 2 * np.eye(3) - J + link.mass * np.outer(c, c)
        own[:3, 3] = own[3, :3] = link.mass * c
        own[3, 3] = link.mass
        total += pose @ own @ pose.T
    return total
