"""Level 7 - the coordinate change across a hinge, and where that puts the link."""

from __future__ import annotations

import numpy as np

from soadyn.mechanics.joint import JointKind
from soadyn.mechanics.spatial.arithmetic import Array
from soadyn.mechanics.spatial.transform import Transform
from soadyn.mechanics.spatial.vector import Rows


def hinge(joint: JointKind, placement: Transform, pitch: Array, start: Array, q: Array) -> tuple[Transform, Rows]:
    """Level 7 - the link's transform to its parent and its joint map (001 eqs. 3, 13).

    φ(p,k) = [R, l̃ R; 0, R],    R and l from q(k)            [001 (3)]
    H(k)   = the joint's map, link force to joint force      [001 (13)]
    """
    return placement.then(joint.transform(q, pitch, start)), joint.H(q, pitch)


def heavier(joint: JointKind, A_r: Array, armature: Array) -> tuple[Array]:
    """Level 7 - the joint's armature with more of it, from outside.

    A_r(k) + diag armature(k)
    """
    return (A_r + np.eye(joint.nv) * armature,)


def pose(joint: JointKind, phi: Transform, pose_parent: Transform) -> tuple[Transform]:
    """Level 7 - the pose of the link in the world.

    φ(0,k) = φ(0,p) φ(p,k)
    """
    return (pose_parent.then(phi),)
