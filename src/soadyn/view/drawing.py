"""What of a robot is drawn: solids and triads, each fixed in a link.

A link is drawn by the shapes of its file. Where there are none, or only boxes, cylinders and spheres, rods run from the
joint it hangs on to the joints it carries. A floating base without a shape is the uniform box of its mass and inertia.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import final

import numpy as np

from soadyn.errors import ArgumentError
from soadyn.mechanics.spatial.rotation import onto
from soadyn.model.closures import Anchor, Closure
from soadyn.model.coordinates import Coordinates
from soadyn.model.model import Joint, Model
from soadyn.model.placement import Placement
from soadyn.robot.arguments.arguments import PassiveLike
from soadyn.robot.arguments.arguments import frame as checked_frame
from soadyn.robot.arguments.arguments import passive as passive_mask
from soadyn.view.options import Options, framed
from soadyn.view.shapes import Shown, shapes_by_link
from soadyn.view.sizes import equivalent_box, radius_of, size_of
from soadyn.view.solids import Solid, ball, box, capsule, cylinder, merged

Colour = tuple[int, int, int]
ACTIVE: Colour = (235, 122, 52)
PASSIVE: Colour = (40, 120, 190)
BODY: Colour = (201, 168, 98)  # a floating base
STAND: Colour = (96, 104, 114)
MASS: Colour = (176, 38, 52)
CLOSURE: Colour = (112, 60, 160)
DENSITY = 7800.0  # kg/m^3, steel: of the balls that stand for masses
SHELL = 0.35  # opacity of links when masses are to be seen in them
MOST_TIPS = 6  # frames of a last link that rods lead to


@final
@dataclass(frozen=True, slots=True, eq=False)
class DrawnPart:
    """A solid of one colour, fixed in a link (0 is the ground)."""

    link: int
    solid: Solid
    colour: Colour
    opacity: float = 1.0


@final
@dataclass(frozen=True, slots=True, eq=False)
class Triad:
    """The axes of a frame: x red, y green, z blue."""

    link: int
    name: str
    placement: Placement
    length: float


@final
@dataclass(frozen=True, slots=True, eq=False)
class Drawing:
    """All that is drawn of a robot."""

    parts: tuple[DrawnPart, ...]
    triads: tuple[Triad, ...]


def figure(model: Model, colour: Colour, options: Options) -> Drawing:
    """The figure of a robot; `colour` is that of links whose file says nothing of it."""
    chosen = [checked_frame(model, frame) for frame in framed(options)]
    passive = _is_passive(model, options.get("passive", ()))
    size = size_of(model)
    shown = shapes_by_link(model) if options.get("shapes", True) else {}
    parts = [
        *_links(model, shown, size, colour),
        *_joints(model, shown, size, passive),
        *_closures(model, size),
    ]
    if options.get("masses", False):
        parts = [replace(part, opacity=min(part.opacity, SHELL)) if part.link else part for part in parts]
        parts += _masses(model, size)
    triads = tuple(Triad(frame.link, frame.name, frame.placement, 0.12 * size) for frame in chosen)
    return Drawing(tuple(_gathered(parts)), triads)


def _gathered(parts: Sequence[DrawnPart]) -> Iterator[DrawnPart]:
    """One part for each link, colour and opacity."""
    groups: dict[tuple[int, Colour, float], list[Solid]] = {}
    for part in parts:
        groups.setdefault((part.link, part.colour, part.opacity), []).append(part.solid)
    for (link, colour, opacity), solids in groups.items():
        yield DrawnPart(link, merged(solids), colour, opacity)


def _is_passive(model: Model, passive: PassiveLike) -> list[bool]:
    """Of each elementary joint: is any of its components passive?"""
    space = Coordinates(model)
    mask = passive_mask(space, passive)
    if mask.ndim != 1:
        raise ArgumentError(f"one set of passive joints can be shown, got a mask of shape {mask.shape}")
    everything = space.E @ mask > 0 if space.tied else mask
    return [bool(everything[part].any()) for part in model.v_slices]


# Links


def _links(model: Model, shown: dict[int, list[Shown]], size: float, colour: Colour) -> Iterator[DrawnPart]:
    for k in (0, *model.visible):
        own = shown.get(k, [])
        for visual, solid in own:
            red, green, blue, opacity = visual.colour or (*(c / 255 for c in _usual(model, k, colour)), 1.0)
            yield DrawnPart(k, solid, (round(255 * red), round(255 * green), round(255 * blue)), opacity)
        if any(visual.kind == "mesh" for visual, _ in own):
            continue
        for solid in _base(model, shown, size) if k == 0 else _body(model, k, own, size):
            yield DrawnPart(k, solid, _usual(model, k, colour))


def _usual(model: Model, k: int, colour: Colour) -> Colour:
    if k == 0:
        return STAND
    return BODY if model.joints[k - 1].kind == "free" else colour


def _base(model: Model, shown: dict[int, list[Shown]], size: float) -> Iterator[Solid]:
    """What stands on the ground: a foot below each joint there, and a rod to it from the world's origin."""
    standing = [k for k in model.children[0] if model.joints[k - 1].kind != "free"]
    for k in standing:
        r, at = _joint_radius(model, k, size), np.array(model.joints[k - 1].placement.position)
        if not shown.get(0):
            yield cylinder(2.0 * r, 0.5 * r).moved(Placement.of(None, at - [0, 0, 1.2 * r]))
        if np.linalg.norm(at) > 1e-6 * size:
            yield capsule((0, 0, 0), at, 0.6 * r)


def _body(model: Model, k: int, own: list[Shown], size: float) -> Iterator[Solid]:
    link, joint = model.links[k - 1], model.joints[k - 1]
    if joint.kind == "free":
        yield from _floating(model, k, own, size)
        return
    start = np.array(joint.offset.inverse().position)
    r = radius_of(link, size)
    ends = _ends(model, k, start, bool(own), size)
    if own:
        r = min(r, 0.5 * min(float(np.ptp(solid.vertices, axis=0).min()) for _, solid in own))
    longest = max((float(np.linalg.norm(end - start)) for end in ends), default=0.0)
    r = max(min(r, 0.3 * longest), 0.3 * r) if longest else r
    for end in ends:
        yield capsule(start, end, r)
    if not ends and not own and link.mass:
        yield ball(r, link.com)


def _floating(model: Model, k: int, own: list[Shown], size: float) -> Iterator[Solid]:
    """The box of a base without shape, and rods from the body to the joints that stand off it."""
    link = model.links[k - 1]
    found = equivalent_box(link)
    corners = np.concatenate([solid.vertices for _, solid in own]) if own else np.array([link.com])
    if not own and found is not None:
        edges, place = found
        solid = box(np.maximum(edges, 2 * radius_of(link, size))).moved(place)
        corners = solid.vertices
        yield solid
    low, high = corners.min(axis=0), corners.max(axis=0)
    for child in model.children[k]:
        at = np.array(model.joints[child - 1].placement.position)
        nearest = np.clip(at, low, high)
        if np.linalg.norm(at - nearest) > 1e-6 * size:
            yield capsule(nearest, at, 0.8 * _joint_radius(model, child, size))


def _ends(model: Model, k: int, start: np.ndarray, has_shape: bool, size: float) -> list[np.ndarray]:
    """Where a link leads to: the joints and closures it carries, else its frames, else beyond its mass centre."""
    carried = [np.array(model.joints[child - 1].placement.position) for child in model.children[k]]
    carried += [np.array(anchor.placement.position) for anchor in _anchors(model) if anchor.link == k]
    tips = [np.array(frame.placement.position) for frame in model.frames if frame.link == k]
    for points in (carried, tips[:MOST_TIPS]):
        apart = [point for point in points if np.linalg.norm(point - start) > 1e-3 * size]
        if apart:
            return apart
    com = np.array(model.links[k - 1].com)
    if has_shape or carried or not model.links[k - 1].mass or np.linalg.norm(com - start) < 1e-3 * size:
        return []
    return [2 * com - start]


# Closures, joints and masses


def _anchors(model: Model) -> list[Anchor]:
    """Where cuts hold on to links."""
    return [anchor for each in model.closures if isinstance(each, Closure) for anchor in (each.x, each.y)]


def _closures(model: Model, size: float) -> Iterator[DrawnPart]:
    """A ball where a cut holds on to a link; the two of a pin are one. Rods between them turn with no link."""
    smallest = min((radius_of(link, size) for link in model.links), default=0.02 * size)
    for anchor in _anchors(model):
        yield DrawnPart(anchor.link, ball(1.5 * smallest, anchor.placement.position), CLOSURE)


def _joint_radius(model: Model, k: int, size: float) -> float:
    """A little more than the thinner of the two links that a joint connects."""
    ends = [model.links[k - 1]]
    if parent := model.parents[k - 1]:
        ends.append(model.links[parent - 1])
    return 1.3 * min(radius_of(link, size) for link in ends)


def _joints(model: Model, shown: dict[int, list[Shown]], size: float, passive: list[bool]) -> Iterator[DrawnPart]:
    """A mark for each joint, fixed in the link that carries it; meshes show their own joints."""
    meshed = {k for k, own in shown.items() if any(visual.kind == "mesh" for visual, _ in own)}
    hidden = {k for k in range(1, model.n + 1) if model.links[k - 1].hidden}
    for k, (joint, parent) in enumerate(zip(model.joints, model.parents, strict=True), start=1):
        if parent in hidden or {k, parent} & meshed or joint.kind == "free":
            continue
        r = min(_joint_radius(model, k, size), _hub(shown.get(k, []), joint))
        mark = _mark(joint, r, several=k in hidden)
        yield DrawnPart(parent, mark.moved(joint.placement), PASSIVE if passive[k - 1] else ACTIVE)


def _hub(own: list[Shown], joint: Joint) -> float:
    """The largest mark of a joint that sits in the middle of its link's shape, as a wheel's does; others have none."""
    if not own:
        return np.inf
    corners = np.concatenate([solid.vertices for _, solid in own])
    low, high = corners.min(axis=0), corners.max(axis=0)
    off = np.linalg.norm((low + high) / 2 - np.array(joint.offset.inverse().position))
    return 0.6 * float((high - low).min()) if off < 1e-3 * float((high - low).max()) else np.inf


def _mark(joint: Joint, r: float, several: bool) -> Solid:
    along = Placement.of(onto(joint.axis) if joint.behaviour.has_axis else None)
    if joint.behaviour.drawn_as == "turn" and not several:
        return cylinder(r, 2.4 * r).moved(along)
    if joint.behaviour.drawn_as == "slide":
        low, high = joint.lower[0], joint.upper[0]
        if not np.isfinite([low, high]).all():
            low, high = -2 * r, 2 * r
        return (
            box((0.8 * r, 0.8 * r, high - low + 2 * r)).moved(Placement.of(None, (0, 0, (low + high) / 2))).moved(along)
        )
    return ball(1.25 * r)


def _masses(model: Model, size: float) -> Iterator[DrawnPart]:
    for k in model.visible:
        link = model.links[k - 1]
        if link.mass > 0:
            radius = float(np.clip(np.cbrt(3 * link.mass / (4 * np.pi * DENSITY)), 0.01 * size, 0.06 * size))
            yield DrawnPart(k, ball(radius, link.com), MASS)
