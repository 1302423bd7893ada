"""Chains and snakes: robots of many equal links."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import cycle
from typing import Any

import numpy as np

from soadyn.errors import ArgumentError
from soadyn.mechanics.spatial.rotation import onto
from soadyn.model.assemble import assemble
from soadyn.model.bodies import Body, checked_amount
from soadyn.model.draft import Draft, DraftFrame, DraftJoint, DraftLink
from soadyn.model.drafting import STANDARD_GRAVITY
from soadyn.model.placement import Placement, Vector3, vector3
from soadyn.model.poses import finite3
from soadyn.model.shapes import capsule, cylinder

__all__ = ["assemble", "chain", "snake"]

ALONG_X = Placement.of([[0, 0, 1], [0, 1, 0], [-1, 0, 0]])  # turns a shape along z into one along x
PITCH_AND_YAW: tuple[Vector3, ...] = ((0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


# More would fill the memory before anything could be computed.
MOST_LINKS = 10_000_000


def chain(
    n: int,
    kind: str | Sequence[str] = "revolute",
    axes: Sequence[Any] = PITCH_AND_YAW,
    length: float = 1.0,
    mass: float = 1.0,
    radius: float | None = None,
    base: Body | None = None,
    name: str | None = None,
    gravity: Any = STANDARD_GRAVITY,
) -> Draft:
    """A chain of n equal links, each a uniform round rod along its x axis with its joint at its start.

    The joints' kinds and axes repeat the given ones in turn: by default revolute, about y and z (the second axis of a
    universal joint is across its first). A rod's radius is a tenth of its length unless given. The first joint stands
    on the ground, or on a root link `base` with the given body (needed for a free root). The end of the last rod is the
    frame `tip`.

    >>> assemble(chain(3)).joint_names
    ('joint_1', 'joint_2', 'joint_3')
    >>> assemble(chain(3, base=Body(10.0, inertia=np.eye(3))), root="free").nv
    9
    """
    if not isinstance(n, int | np.integer) or isinstance(n, bool) or n < 1:
        raise ArgumentError(f"a chain needs a whole number of links, one or more, got {n!r}")
    if n > MOST_LINKS:
        raise ArgumentError(f"a chain has {MOST_LINKS:,} links at most, got {n!r:.40}")
    for what, given in (("kind", kind), ("axes", axes)):
        if not isinstance(given, Sequence | np.ndarray):
            raise ArgumentError(f"a chain's {what} must be a list, got {given!r}")
    kinds = [kind] if isinstance(kind, str) else list(kind)
    if not kinds or not len(axes):
        raise ArgumentError("a chain needs at least one joint kind and one axis")
    step = checked_amount(length, "a chain's link length", "m", positive=True)
    body = cylinder(step / 10 if radius is None else radius, step, mass=mass).moved(ALONG_X).moved((step / 2, 0, 0))
    stand = None if base is None else ("base", base, 0.0)
    return _row([body] * int(n), step, kinds, axes, stand, name or f"chain_{n}", gravity)


def snake(n: int = 8, link_length: float = 0.15, link_mass: float = 0.5, gravity: Any = STANDARD_GRAVITY) -> Draft:
    """A snake robot of n capsules in a row along x: n - 1 joints, pitch and yaw in turn, at most 1.5 rad each way.

    Its first link, `link_0`, is a loose root: assemble with root="free". Capsules are 0.06 m thick.

    >>> assemble(snake(8), root="free").nv
    13
    """
    if not isinstance(n, int | np.integer) or n < 2:
        raise ArgumentError(f"a snake needs a whole number of links, two or more, got {n!r}")
    step = checked_amount(link_length, "a snake's link length", "m", positive=True)
    body = capsule(0.03, step, mass=link_mass).moved(ALONG_X).moved((step / 2, 0, 0))
    head = ("link_0", body, step)
    draft = _row([body] * (int(n) - 1), step, ["revolute"], PITCH_AND_YAW, head, f"snake_{n}", gravity)
    for joint in draft.joints:
        joint.lower, joint.upper, joint.effort = -1.5, 1.5, 10.0
    return draft


def _row(
    bodies: Sequence[Body],
    step: float,
    kinds: Sequence[str],
    axes: Sequence[Any],
    base: tuple[str, Body, float] | None,
    name: str,
    gravity: Any,
) -> Draft:
    """Links one behind the other along x; the base is a name, a body, and how far along it the first joint stands."""
    draft = Draft(name, gravity=finite3(gravity, f"gravity of robot {name!r} (m/s^2)"))
    parent, place, further = None, Placement(), Placement.of(None, (step, 0, 0))
    if base is not None:
        parent, body, reach = base
        place = Placement.of(None, (reach, 0, 0))
        draft.links.append(DraftLink(parent, body.mass, body.com, np.array(body.inertia)))
    directions = [finite3(axis, "a chain's axis") for axis in axes]
    repeated = zip(bodies, cycle(kinds), cycle(directions), strict=False)
    for k, (body, kind, axis) in enumerate(repeated, start=1):
        link = f"link_{k}"
        joint = DraftJoint(f"joint_{k}", kind, parent, link, place, axis)
        if kind == "universal":
            joint.axis2 = vector3(onto(np.array(axis) / math.hypot(*axis))[:, 0])
        draft.links.append(DraftLink(link, body.mass, body.com, np.array(body.inertia)))
        draft.joints.append(joint)
        parent, place = link, further
    draft.frames.append(DraftFrame("tip", parent, further))
    return draft
