"""Levels 6, 7 - frames fixed in links: their velocities, accelerations and Jacobians.

Steps that run once take no joint kind. `frame` is the frame's placement in its link, `axes` that of the frame along
whose axes the result is wanted; both are inputs, so a new frame is nothing new.
"""

from __future__ import annotations

from soadyn.mechanics.joint import JointKind
from soadyn.mechanics.spatial.arithmetic import Array, cross
from soadyn.mechanics.spatial.transform import Transform
from soadyn.mechanics.spatial.vector import Rows, Spatial


def frame_pose(
    pose_link: Transform, frame: Transform, pose_axes: Transform, axes: Transform
) -> tuple[Transform, Array]:
    """Level 7 - the frame's pose in the world, and the rotation from world axes to the wanted ones.

    pose = φ(0,k) φ(k,frame)
    """
    return pose_link.then(frame), (pose_axes.R @ axes.R).mT


def public_pose(joint: JointKind, pose: Transform, link_frame: Transform) -> tuple[Array]:
    """Level 7 - the pose of the public link frame in the world, 4x4.

    pose = φ(0,k) φ(k, link frame)
    """
    return (pose.then(link_frame).homogeneous(),)


def jacobian_column(
    joint: JointKind, pose: Transform, H: Rows, on_path: Array, pose_frame: Transform, R_axes: Array
) -> tuple[Spatial]:
    """Level 6 - a joint's columns of the Jacobian, zero for joints that do not carry the frame (001 eq. 20).

    J(k) = φ*(k,frame) H*(k)
    """
    column = H.mT.rotated(pose.R)
    at_frame = Spatial(column.angular, column.linear + cross(column.angular, pose_frame.l - pose.l))
    return (at_frame.rotated(on_path * R_axes),)


def frame_velocity(V: Spatial, pose_link: Transform, frame: Transform, R_axes: Array) -> tuple[Spatial]:
    """Level 6 - the velocity of the frame's origin (001 eq. 9).

    V(frame) = φ*(k,frame) V(k)
    """
    moved = Spatial(V.angular, V.linear + cross(V.angular, frame.l))
    return (moved.rotated(R_axes @ pose_link.R),)


def frame_acceleration(
    V: Spatial, alpha: Spatial, pose_link: Transform, frame: Transform, R_axes: Array
) -> tuple[Spatial]:
    """Level 6 - the acceleration of the frame's origin (001 eq. 9).

    α(frame) = φ*(k,frame) α(k) + [0; ω × (ω × l)]
    """
    swing = cross(alpha.angular, frame.l) + cross(V.angular, cross(V.angular, frame.l))
    return (Spatial(alpha.angular, alpha.linear + swing).rotated(R_axes @ pose_link.R),)


def carried_wrench(at_frame: Array, B: Transform, f: Array) -> Spatial:
    """B f, a wrench at the frame as a force on the link that carries it; zero on the others."""
    carried = B @ Spatial.of(f)
    return Spatial(at_frame * carried.angular, at_frame * carried.linear)
