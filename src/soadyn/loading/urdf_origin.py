"""Where a URDF places things."""

from __future__ import annotations

from soadyn.errors import ModelError
from soadyn.loading.document import Element
from soadyn.loading.values import quaternion_xyzw, vector
from soadyn.mechanics.spatial.rotation import from_quaternion
from soadyn.model.placement import Placement


def read_origin(element: Element, owner: str = "") -> Placement:
    """The pose in <origin>, the identity without one."""
    origin = element.only("origin")
    return Placement() if origin is None else read_placement(origin, owner or str(element))


def read_placement(element: Element, owner: str) -> Placement:
    """The pose that an element's own attributes say: xyz, and rpy or quat_xyzw."""
    xyz = vector(element, "xyz", (0.0, 0.0, 0.0), owner)
    if "quat_xyzw" not in element.attributes:
        return Placement.from_rpy(xyz, vector(element, "rpy", (0.0, 0.0, 0.0), owner))
    if "rpy" in element.attributes:
        raise ModelError(
            f"{element.where}: <{element.tag}> of {owner} has both rpy and quat_xyzw; expected one of them"
        )
    return Placement.of(from_quaternion(quaternion_xyzw(element, "quat_xyzw", owner)), xyz)
