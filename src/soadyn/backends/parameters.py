"""Chosen constants of a robot as inputs: masses, mass centres, inertias, armature, lengths, gravity."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from soadyn.backends.constants import Constants, LinkConstants
from soadyn.errors import ArgumentError, unknown_name
from soadyn.model.model import Frame, Model
from soadyn.spatial.inertia import Inertia
from soadyn.spatial.transform import Transform

LINK_FIGURES = {"mass": (), "com": (3,), "inertia": (3, 3)}
JOINT_FIGURES = ("armature", "position")


def shape_of(model: Model, name: str) -> tuple[int, ...]:
    """The shape of a parameter's value; the name is checked.

    "gravity"; LINK.mass, LINK.com, LINK.inertia (about the mass centre), in place of the link's own; the same of a
    frame, as a payload fixed there; JOINT.armature; JOINT.position, where the joint stands in its parent link.
    """
    if name == "gravity":
        return (3,)
    owner, _, figure = name.rpartition(".")
    if figure in LINK_FIGURES and owner:
        if model.frame(owner).link == 0:
            raise ArgumentError(f"parameter {name!r}: {owner!r} is fixed to the ground, so nothing depends on it")
        return LINK_FIGURES[figure]
    if figure in JOINT_FIGURES and owner:
        if owner not in model.joint_indices:
            raise unknown_name("joint", owner, model.joint_indices, of=f"robot {model.name!r}")
        if figure == "position":
            return (3,)
        return (len(model.joint_dofs(owner)),)
    known = ["gravity", *(f"{owner or 'NAME'}.{figure}" for figure in (*LINK_FIGURES, *JOINT_FIGURES))]
    raise unknown_name("parameter", name, known)


def with_parameters(constants: Constants, values: Mapping[str, Any]) -> Constants:
    """The constants with some of them replaced: numbers, batches of them, or recorded scalars."""
    model = constants.model
    links = list(constants.moving)
    bodies: dict[str, dict[str, Any]] = {}
    gravity = constants.gravity
    for name, value in values.items():
        owner, _, figure = name.rpartition(".")
        if name == "gravity":
            gravity = value[..., None]
        elif figure in LINK_FIGURES:
            bodies.setdefault(owner, {})[figure] = value
        else:
            _set_joint(model, links, owner, figure, value)
    for owner, figures in bodies.items():
        frame = model.frame(owner)
        link = links[frame.link - 1]
        links[frame.link - 1] = replace(link, M=_body(model, link, frame, figures))
    return Constants(model, tuple(links), gravity)


def _body(model: Model, link: LinkConstants, frame: Frame, figures: Mapping[str, Any]) -> Inertia:
    """A link's inertia with its own figures replaced, or with a payload at a frame added."""
    own = model.links[frame.link - 1]
    if frame.name == own.name:
        usual: dict[str, Any] = {"mass": own.mass, "com": np.array(own.com), "inertia": np.array(own.inertia)}
        given = {**usual, **figures}
        return link.link_frame.shift(Inertia.at_mass_centre(given["mass"], given["com"], given["inertia"]))
    given = {"mass": 0.0, "com": np.zeros(3), "inertia": np.zeros((3, 3)), **figures}
    payload = Inertia.at_mass_centre(given["mass"], given["com"], given["inertia"])
    return link.M + link.link_frame.then(frame.placement.transform()).shift(payload)


def _set_joint(model: Model, links: list[LinkConstants], name: str, figure: str, value: Any) -> None:
    parts: Sequence[int] = model.joint_indices[name]
    if figure == "position":
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
