"""Chosen constants of a robot as inputs: masses, mass centres, inertias, armature, lengths, gravity."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any

import numpy as np

from soadyn.engine.constants.constants import Constants, LinkConstants
from soadyn.engine.constants.pivot_loads import set_loads
from soadyn.errors import ArgumentError, unknown_name
from soadyn.mechanics.spatial.inertia import Inertia
from soadyn.mechanics.spatial.transform import Transform
from soadyn.model.model import Frame, Model

NO_PARAMETERS: Mapping[str, tuple[int, ...]] = MappingProxyType({})  # shapes by name
LINK_PARAMETERS = {"mass": (), "com": (3,), "inertia": (3, 3)}
JOINT_PARAMETERS = ("armature", "position", "damping", "friction")
# Of these only simulations depend: quantities are those of the robot without its joints' own forces.
LAW_PARAMETERS = ("damping", "friction")


def shape_of(model: Model, name: str) -> tuple[int, ...]:
    """The shape of a parameter's value; the name is checked.

    "gravity"; LINK.mass, LINK.com, LINK.inertia (about the mass centre), in place of the link's own; the same of a
    frame, as a payload fixed there; JOINT.armature; JOINT.position, where the joint stands in its parent link;
    JOINT.damping, JOINT.friction, which act in simulations.
    """
    if name == "gravity":
        return (3,)
    owner, _, kind = name.rpartition(".")
    if kind in LINK_PARAMETERS and owner:
        if model.frame(owner).link == 0:
            raise ArgumentError(f"parameter {name!r}: {owner!r} is fixed to the ground, so nothing depends on it")
        return LINK_PARAMETERS[kind]
    if kind in JOINT_PARAMETERS and owner:
        if owner not in model.joint_indices:
            raise unknown_name("joint", owner, model.joint_indices, of=f"robot {model.name!r}")
        if kind == "position":
            return (3,)
        return (len(model.joint_dofs(owner)),)
    known = ["gravity", *(f"{owner or 'NAME'}.{kind}" for kind in (*LINK_PARAMETERS, *JOINT_PARAMETERS))]
    raise unknown_name("parameter", name, known)


def with_parameters(constants: Constants, values: Mapping[str, Any]) -> Constants:
    """The constants with some of them replaced: numbers, batches of them, or recorded scalars."""
    model = constants.model
    links = list(constants.moving)
    bodies: dict[str, dict[str, Any]] = {}
    gravity = constants.gravity
    for name, value in values.items():
        owner, _, kind = name.rpartition(".")
        if name == "gravity":
            gravity = value[..., None]
        elif kind in LINK_PARAMETERS:
            bodies.setdefault(owner, {})[kind] = value
        elif kind not in LAW_PARAMETERS:
            _set_joint(model, links, owner, kind, value)
    # First what replaces a link's own inertia, then the payloads that are added to it.
    for frame in sorted(map(model.frame, bodies), key=lambda frame: not _is_own(model, frame)):
        link = links[frame.link - 1]
        links[frame.link - 1] = replace(link, M=_body(model, link, frame, bodies[frame.name]))
    if all(name == "gravity" or name.endswith(tuple(f".{kind}" for kind in LAW_PARAMETERS)) for name in values):
        return replace(constants, gravity=gravity)
    set_loads(links, known=False)
    return replace(constants, links=tuple(links), gravity=gravity, known=False)


def _is_own(model: Model, frame: Frame) -> bool:
    """Is a frame the link's own one, not another that is fixed to it?"""
    return frame.name == model.links[frame.link - 1].name


def _body(model: Model, link: LinkConstants, frame: Frame, numbers: Mapping[str, Any]) -> Inertia:
    """A link's inertia with its own numbers replaced, or with a payload at a frame added."""
    own = model.links[frame.link - 1]
    if _is_own(model, frame):
        usual: dict[str, Any] = {"mass": own.mass, "com": np.array(own.com), "inertia": np.array(own.inertia)}
        given = {**usual, **numbers}
        return link.link_frame.shift(Inertia.at_mass_centre(given["mass"], given["com"], given["inertia"]))
    given = {"mass": 0.0, "com": np.zeros(3), "inertia": np.zeros((3, 3)), **numbers}
    payload = Inertia.at_mass_centre(given["mass"], given["com"], given["inertia"])
    return link.M + link.link_frame.then(frame.placement.transform()).shift(payload)


def _set_joint(model: Model, links: list[LinkConstants], name: str, kind: str, value: Any) -> None:
    parts: Sequence[int] = model.joint_indices[name]
    if kind == "position":
        k = parts[0]
        link, joint, parent = links[k - 1], model.joints[k - 1], model.parents[k - 1]
        above = links[parent - 1].link_frame if parent else Transform.identity()
        # Only the place moves: the rotation of the private placement stays.
        moved = above.then(Transform(np.array(joint.placement.rotation), value[..., None]))
        links[k - 1] = replace(link, placement=Transform(link.placement.R, moved.l))
        return
    start = 0
    for k in parts:
        nv = links[k - 1].kind.nv
        links[k - 1] = replace(links[k - 1], A_r=np.eye(nv) * value[..., start : start + nv, None])
        start += nv
