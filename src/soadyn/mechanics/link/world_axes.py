"""Level 7 - links' values along the world's axes, each still at its link's own origin."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

from soadyn.mechanics.joint import JointKind
from soadyn.mechanics.spatial.inertia import Inertia
from soadyn.mechanics.spatial.transform import Transform
from soadyn.mechanics.spatial.vector import Rows, Spatial

_Step = TypeVar("_Step", bound=Callable[..., Any])
_AXES_FREE: set[Callable[..., Any]] = set()


def axes_free(step: _Step) -> _Step:
    """The step itself, which adds, shifts and multiplies vectors and so gives the same along any axes.

    A step that picks entries along its joint's axis does not. Of columns that climb in pairs of links the step that
    begins them is marked, not the one for the rows.
    """
    _AXES_FREE.add(step)
    return step


def is_axes_free(step: Callable[..., Any]) -> bool:
    """Is a step marked so?"""
    return step in _AXES_FREE


def along_world(
    joint: JointKind, phi: Transform, H: Rows, M: Inertia, pose_parent: Transform
) -> tuple[Transform, Transform, Rows, Inertia]:
    """Level 7 - the pose of the link, and φ, H and M along the world's axes.

    R₀(k) = R₀(p) R,    φ ← [I, l̃; 0, I] with l ← R₀(p) l,    H ← H R₀*(k),    M ← R₀(k) M R₀*(k)
    """
    back = phi.turned_back(pose_parent.R.mT)
    R, l = back.mT, pose_parent.R @ phi.l
    pose = Transform(R, pose_parent.l + l)
    return pose, Transform(np.eye(3), l), Rows(H.angular @ back, H.linear @ back), M.rotated(R)


def force_along_world(joint: JointKind, pose: Transform, f: Spatial) -> tuple[Spatial]:
    """Level 7 - a force on the link along the world's axes.

    f ← R₀(k) f
    """
    return (Spatial(pose.R @ f.angular, pose.R @ f.linear),)
