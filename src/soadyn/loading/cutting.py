"""What a joint becomes where the tree is cut: a closure, with the frames in which both links hold it."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from soadyn.errors import ModelError
from soadyn.mechanics.spatial.rotation import onto
from soadyn.model.draft import DraftClosure, DraftJoint
from soadyn.model.placement import Placement

KINDS = {
    "fixed": "weld",
    "revolute": "hinge",
    "continuous": "hinge",
    "prismatic": "prismatic",
    "cylindrical": "cylindrical",
    "planar": "planar",
    "helical": "helical",
    "universal": "universal",
    "spherical": "ball",
}
# All couplings of a file together name no more joints than this: each might name all.
MOST_TERMS = 1_000_000
ACROSS = 1e-6  # the cosine of axes that are across each other but for rounding in the file


def closure_of_joint(joint: DraftJoint) -> DraftClosure:
    """A closure in place of a joint, between its parent and its child."""
    axes = _axes(joint)
    figures: dict[str, float | None] = {"pitch": joint.pitch} if joint.kind == "helical" else {}
    return DraftClosure(
        joint.name,
        joint.parent,
        joint.child,
        KINDS[joint.kind],
        None,
        joint.placement.then(axes),
        joint.offset.inverse().then(axes),
        figures,
        where=joint.where,
    )


def _axes(joint: DraftJoint) -> Placement:
    """The closure's frame in the joint's: its axis along z; both of a universal one along x and y."""
    if joint.kind in ("fixed", "spherical"):
        return Placement()
    axis = _unit(joint.axis)
    if joint.kind != "universal":
        return Placement.of(onto(axis))
    second = _unit(joint.axis2)
    if abs(axis @ second) > ACROSS:
        raise ModelError(
            f"{joint.where}: joint {joint.name!r} closes a loop, and its two axes are not across each other; "
            "no such loop can be closed"
        )
    second = _unit(second - axis * (axis @ second))
    return Placement.of(np.column_stack([axis, second, np.cross(axis, second)]))


def _unit(axis: Iterable[float]) -> np.ndarray:
    direction = np.array([*axis])
    return direction / np.linalg.norm(direction)


def check_terms(terms: int, where: str) -> None:
    """Refuse couplings that name very many joints together."""
    if terms > MOST_TERMS:
        raise ModelError(f"{where}: the couplings up to here name more than {MOST_TERMS} joints together")
