"""A robot as files and builders describe it, before it becomes a Model."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import final

import numpy as np

from soadyn.model.model import INFINITY
from soadyn.model.placement import Placement, Vector3
from soadyn.model.visuals import Visual

HERE = Placement()


@final
@dataclass(slots=True)
class DraftLink:
    """A link as described: inertia about the mass centre, along link axes. `where` is "file:line" for messages."""

    name: str
    mass: float = 0.0
    com: Vector3 = (0.0, 0.0, 0.0)
    inertia: np.ndarray = field(default_factory=lambda: np.zeros((3, 3)))
    hidden: bool = False  # a massless body between the joints of one physical joint
    where: str = ""


@final
@dataclass(slots=True)
class Mimic:
    """q = multiplier * q[leader] + offset, as described."""

    leader: str
    multiplier: float = 1.0
    offset: float = 0.0


@final
@dataclass(slots=True)
class DraftJoint:
    """A joint as described; `kind` may also be "fixed" or "universal" (the child turns about `axis2`, the second axis).

    A figure given as one number holds for every component. A parent of None is the ground.
    """

    name: str
    kind: str
    parent: str | None
    child: str
    placement: Placement = HERE
    axis: Vector3 = (0.0, 0.0, 1.0)
    axis2: Vector3 = (0.0, 1.0, 0.0)
    pitch: float = 0.0
    offset: Placement = HERE
    armature: float | tuple[float, ...] = 0.0
    damping: float | tuple[float, ...] = 0.0
    friction: float | tuple[float, ...] = 0.0
    stiffness: float | tuple[float, ...] = 0.0
    rest: float | tuple[float, ...] | None = None  # None: the neutral position
    lower: float | tuple[float, ...] = -INFINITY
    upper: float | tuple[float, ...] = INFINITY
    velocity: float | tuple[float, ...] = INFINITY
    effort: float | tuple[float, ...] = INFINITY
    mimic: Mimic | None = None
    where: str = ""


@final
@dataclass(slots=True)
class DraftFrame:
    """A named frame fixed in a link, as described."""

    name: str
    link: str | None
    placement: Placement
    where: str = ""


@final
@dataclass(slots=True)
class DraftClosure:
    """A cut joint as described: between a link and another (None: the ground), each with the closure's frame on it.

    One that is not `on` is kept aside.
    """

    name: str
    link: str | None
    other: str | None
    kind: str | None
    free: Collection[str] | None
    placement: Placement = HERE
    other_placement: Placement = HERE
    figures: dict[str, float | None] = field(default_factory=dict)
    keep: bool = False
    on: bool = True
    where: str = ""


@final
@dataclass(slots=True)
class DraftCoupling:
    """Joints coupled by polynomials, as described: {joint: a factor, or the coefficients of 1, q, q^2, ...}."""

    name: str
    terms: Mapping[str, float | Sequence[float]]
    keep: bool = False
    on: bool = True
    where: str = ""


@final
@dataclass(frozen=True, slots=True)
class LeftOutKind:
    """A kind of thing that files describe and robots do without.

    `found` says how files spell it, `instead` what is here in its place. What `moves` is missing from every motion and
    warned of; `strict` refuses it and whatever else `matters`.
    """

    one: str
    many: str
    found: str
    instead: str
    moves: bool = True
    matters: bool = True


@final
@dataclass(frozen=True, slots=True)
class LeftOut:
    """One thing that was left out: what it is called in the file, and where."""

    kind: LeftOutKind
    what: str
    where: str


@final
@dataclass(slots=True)
class Draft:
    """Links, joints and frames in the order of the file; `assemble` makes a Model of them.

    Joints whose parent is None hang on the ground itself (MJCF's worldbody, robots built in code). Without any, the
    one link that is nobody's child is the root, as in URDF.
    """

    name: str
    links: list[DraftLink] = field(default_factory=list)
    joints: list[DraftJoint] = field(default_factory=list)
    frames: list[DraftFrame] = field(default_factory=list)
    gravity: Vector3 = (0.0, 0.0, -9.81)
    where: str = ""
    notes: list[str] = field(default_factory=list)
    left_out: list[LeftOut] = field(default_factory=list)
    visuals: list[Visual] = field(default_factory=list)
    closures: list[DraftClosure | DraftCoupling] = field(default_factory=list)
