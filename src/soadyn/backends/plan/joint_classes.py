"""Joint kinds that share code."""

from __future__ import annotations

from soadyn.backends.constants import Constants
from soadyn.joint import KINDS, JointKind


def class_of(kind: JointKind) -> JointKind:
    """The kind whose code a joint runs: revolute and continuous joints move alike."""
    return KINDS["revolute" if kind.name == "continuous" else kind.name]


def classes_of(constants: Constants) -> tuple[JointKind, ...]:
    """The classes of a robot's joints, in the order of KINDS."""
    found = {class_of(link.kind).name for link in constants.moving}
    return tuple(kind for name, kind in KINDS.items() if name in found)
