"""Poses as people write them."""

from __future__ import annotations

from typing import Any

import numpy as np

from soadyn.errors import ModelError
from soadyn.mechanics.spatial.reading import real_array
from soadyn.model.placement import Placement, Vector3, vector3

Pose = Any  # a Placement, a position (3,), a 4x4 matrix, or None for "in the same place"


def as_placement(pose: Pose, what: str = "pose") -> Placement:
    """A Placement from a Placement, a position, a 4x4 homogeneous matrix, or None (the identity).

    >>> as_placement((0, 0, 2)).position
    (0.0, 0.0, 2.0)
    >>> as_placement(None) == Placement()
    True
    """
    if pose is None:
        return Placement()
    if isinstance(pose, Placement):
        return pose
    if _is_three(pose):
        return Placement.of(None, finite3(pose, f"{what} (a position, m)"))
    return Placement.from_matrix(pose, what)


def _is_three(pose: Any) -> bool:
    try:
        return np.shape(pose) == (3,)
    except ValueError:  # ragged lists
        return False


def finite3(x: Any, what: str) -> Vector3:
    """Three finite numbers, or an error that says what they are.

    >>> finite3([1, 2, 3], "gravity")
    (1.0, 2.0, 3.0)
    >>> finite3([1, 2], "gravity")
    Traceback (most recent call last):
    soadyn.errors.ModelError: gravity must be three finite numbers, got [1, 2]
    """
    try:
        values = real_array(x)
    except ValueError:
        values = np.empty(0)
    if values.shape != (3,) or not np.isfinite(values).all():
        shown = np.asarray(x).tolist() if isinstance(x, np.ndarray) else x
        raise ModelError(f"{what} must be three finite numbers, got {shown!r}")
    return vector3(values)
