"""Rotations, poses and twists as arrays: conversions, adjoints, errors, and ways from one pose to another.

Functions of `sd.spatial` take and return arrays with leading batch axes that broadcast; where every array is
`float32`, so is the result. Rotations are matrices (..., 3, 3), poses (..., 4, 4) of one frame in another, columns its
axes and its origin, twists [angular; linear] and wrenches [moment; force] (..., 6), quaternions w, x, y, z. Where
numbers are not finite, the results of their row are NaN.

>>> import numpy as np, soadyn as sd
>>> arm = sd.load("ur5")
>>> poses = arm.pose(np.linspace(0.0, 1.0, 12).reshape(2, 6), "tool0")
>>> between = sd.spatial.compose(sd.spatial.inverse(poses[0]), poses[1])
>>> bool(np.allclose(sd.spatial.pose_from_twist(sd.spatial.twist(between)), between))
True
"""

from typing import TYPE_CHECKING, Never

from soadyn.spatial.poses import (
    compose,
    force_adjoint,
    inverse,
    line_between,
    motion_adjoint,
    pose,
    pose_error,
    pose_from_twist,
    screw_between,
    twist,
)
from soadyn.spatial.rotations import (
    angle_between,
    quaternion,
    roll_pitch_yaw,
    rotation_from_quaternion,
    rotation_from_roll_pitch_yaw,
    rotation_from_vector,
    rotation_vector,
    skew,
    slerp,
)

__all__ = [
    "angle_between",
    "compose",
    "force_adjoint",
    "inverse",
    "line_between",
    "motion_adjoint",
    "pose",
    "pose_error",
    "pose_from_twist",
    "quaternion",
    "roll_pitch_yaw",
    "rotation_from_quaternion",
    "rotation_from_roll_pitch_yaw",
    "rotation_from_vector",
    "rotation_vector",
    "screw_between",
    "skew",
    "slerp",
    "twist",
]

# What Pinocchio calls them.
PEER_NAMES = {
    "exp3": "rotation_from_vector",
    "log3": "rotation_vector",
    "exp6": "pose_from_twist",
    "log6": "twist",
    "SE3": "pose",
    "Quaternion": "quaternion",
    "rpyToMatrix": "rotation_from_roll_pitch_yaw",
    "matrixToRpy": "roll_pitch_yaw",
}

if not TYPE_CHECKING:

    def __getattr__(name: str) -> Never:
        told = f": Pinocchio's {name} is {PEER_NAMES[name]} here" if name in PEER_NAMES else ""
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}{told}")
