"""The active and the passive arm (004 section 4) as robots of their own, and motions that disturb no attitude."""

from __future__ import annotations

from typing import Any

import numpy as np

from soadyn.errors import ArgumentError, ShapeError
from soadyn.mechanics.spatial.reading import NotNumbersError, real_array
from soadyn.model.coordinates import Coordinates
from soadyn.robot.arguments import arguments


def locked_for(space: Coordinates, passive: Any, half: str) -> list[str]:
    """The joints to hold still so that the "active" or "passive" arm remains."""
    mask = arguments.one_passive_set(space, passive, f"{half}_arm")
    chosen = []
    for name in space.joint_names:
        components = mask[list(space.joint_dofs(name))]
        if components.any() != components.all():
            raise ArgumentError(
                f"{half}_arm: joint {name!r} is passive in some of its components only; "
                f"make single joints of it with split_joint({name!r})"
            )
        if components.any() == (half == "active"):
            chosen.append(name)
    return chosen


def undisturbed_rows(space: Coordinates, passive: Any, undisturbed: Any) -> np.ndarray:
    """Which rows of the disturbance Jacobian are to vanish, booleans (Np,); by default those of turns."""
    mask = arguments.passive(space, passive)
    if undisturbed is None:
        kinds = [kind for joint in space.model.joints for kind in joint.behaviour.components]
        wanted = mask & np.array([kind == "angular" for kind in kinds], dtype=bool)[space.v_kept]
    else:
        wanted = arguments.passive(space, undisturbed)
    if (wanted & ~mask).any():
        strangers = arguments.components_named(space, wanted & ~mask)
        raise ArgumentError(f"reaction_null_space: undisturbed names components that are not passive, of {strangers}")
    return np.asarray(wanted[mask])


def null_space_projector(J: np.ndarray) -> np.ndarray:
    """I - J⁺ J: the orthogonal projector onto what J maps to zero, (..., n, n) for J (..., m, n)."""
    try:
        J = real_array(J)
    except NotNumbersError:
        raise ShapeError("reaction_null_space takes real coordinates, got complex ones") from None
    n = J.shape[-1]
    known = np.isfinite(J).all(axis=(-2, -1), keepdims=True)
    _, s, rows = np.linalg.svd(np.where(known, J, 0.0), full_matrices=False)
    zero = max(J.shape[-2:]) * np.finfo(float).eps * s.max(axis=-1, keepdims=True, initial=0.0)
    felt = (s > zero)[..., None] * rows
    return np.where(known, np.eye(n) - felt.mT @ felt, np.nan)
