"""The frames in which the sweeps see the links, chosen as Denavit and Hartenberg did so that little is left to compute.

A link's private frame stands on its joint's axis, which is its z. If the joint turns about z, the frame may be turned
about z by any angle, which only moves the zero of q. The frame may also stand anywhere on the axis, unless a result is
the acceleration of a link or the force on it: these are taken at the joint. The transform to the parent is made of
screws,

    φ(p,k) = [along z: e, a] [along y: g] [along x: f, b] [along z: d, c + q]

slides e, g, f, d and turns a, b, c. The parent's frame is turned so that a = 0 for one of its children. If frames may
slide along their axes as well, x is the common normal of the two axes: e = 0 too, and g = 0 unless they are almost
parallel.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

import numpy as np

from soadyn.mechanics.spatial import rotation
from soadyn.mechanics.spatial.screw import Screw
from soadyn.mechanics.spatial.transform import Transform
from soadyn.model.model import Model
from soadyn.model.placement import ROUNDING

# The sine of the angle between two axes below which their common normal is not looked for.
PARALLEL = 0.2
# How far a frame may slide along its axis, in distances from its joint to the next: numbers grow with the square.
FARTHEST = 3.0


@final
@dataclass(frozen=True, slots=True, eq=False)
class PrivateFrame:
    """A link's private frame: its placement in the parent's, the zero of its angle, and the public frame in it."""

    placement: Transform
    start: float
    link_frame: Transform


@final
@dataclass(frozen=True, slots=True)
class Place:
    """Where a private frame stands beside the joint's own frames, whose z is the axis."""

    slid: float = 0.0
    turned: float = 0.0

    def transform(self) -> Transform:
        return Transform.of(_z(self.turned, self.slid))


def private_frames(model: Model, slid: bool = False) -> list[PrivateFrame]:
    """The private frames of all links, the ground's first; `slid` along their axes, or at the joints."""
    here = Transform.identity()
    frames = [PrivateFrame(here, 0.0, here)]
    public = [here, *(_public_frame(model, k) for k in range(1, model.n + 1))]
    inboard = _inboard_frames(model, public)
    places = _places(model, inboard, slid)
    outward = [place.transform().inverse() for place in places]
    for k, (joint, parent) in enumerate(zip(model.joints, model.parents, strict=True), start=1):
        screws, c = _screws(outward[parent].then(inboard[k]), places[k], slid)
        if joint.behaviour.can_start:
            placement, start = Transform.of(_z(0.0, screws[0].d), *screws[1:]), c
        else:
            placement, start = Transform.of(*screws), 0.0
        frames.append(PrivateFrame(placement, start, outward[k].then(public[k])))
    return frames


def _screws(inboard: Transform, place: Place, slid: bool) -> tuple[tuple[Screw, ...], float]:
    """The screws of a placement, the child's first, and the angle c of that one."""
    a, b, c = angles(cleaned(inboard.R))
    cosine, sine = cosine_and_sine(b)
    x, y, z = _seen_from(a, inboard.l)
    foot = (_foot(inboard) or 0.0) if slid else 0.0
    d, e, g = place.slid - foot, z + foot * cosine, y - foot * sine
    if sine == 0.0:  # parallel: both slides are along one line
        e, d = e + cosine * d, 0.0
    rounding = ROUNDING * (np.abs(inboard.l).max() + abs(place.slid))
    d, f, g, e = (0.0 if abs(slide) <= rounding else float(slide) for slide in (d, x, g, e))
    c = _without_rounding(c + place.turned)
    return (_z(c, d), Screw(0, cosine, sine, f), Screw.slide(1, g), _z(a, e)), c


def _foot(inboard: Transform) -> float | None:
    """Where the common normal meets the child's axis, from the child's joint; None if the axes are almost parallel."""
    a, b, _ = angles(inboard.R)
    _, sine = cosine_and_sine(b)
    return _seen_from(a, inboard.l)[1] / sine if abs(sine) >= PARALLEL else None


def _axis_frame(model: Model, k: int) -> Transform:
    """The joint's frames turned so that the axis is z."""
    joint = model.joints[k - 1]
    R = rotation.onto(np.array(joint.axis)) if joint.behaviour.has_axis else np.eye(3)
    return Transform(R, np.zeros((3, 1)))


def _public_frame(model: Model, k: int) -> Transform:
    """The public frame seen from the axis frame."""
    return _axis_frame(model, k).inverse().then(model.joints[k - 1].offset.transform())


def _inboard_frames(model: Model, public: Sequence[Transform]) -> list[Transform]:
    """The inboard axis frame of each joint, seen from the parent's axis frame; the ground's first."""
    frames = [Transform.identity()]
    for k, (joint, parent) in enumerate(zip(model.joints, model.parents, strict=True), start=1):
        seen = public[parent].then(joint.placement.transform()).then(_axis_frame(model, k))
        frames.append(Transform(cleaned(seen.R), seen.l))
    return frames


def _places(model: Model, inboard: Sequence[Transform], slid: bool) -> list[Place]:
    """Where each link's private frame stands, the ground's first."""
    places = [Place()]
    for k in range(1, model.n + 1):
        place = Place()
        if model.joints[k - 1].behaviour.can_start:
            child = _best_child(
                {j: inboard[j] for j in sorted(model.children[k], key=lambda j: j - model.subtree_end[j])}
            )
            turned = 0.0 if child is None else _normal_angle(inboard[child])
            # A slide at a tip costs little: nothing hangs on it. So the common normal with a tip's axis is not needed.
            following = inboard[child] if child is not None and model.children[child] else None
            parent = model.parents[k - 1]
            slide = _slide(inboard[k], places[parent] if parent else None, following) if slid else 0.0
            place = Place(slide, turned)
        places.append(place)
    return places


def _best_child(seen: dict[int, Transform]) -> int | None:
    """The child for which the frame is turned: from its turn most other children's differ by whole quarters."""
    turns = {j: _normal_angle(inboard) for j, inboard in seen.items()}
    return min(turns, key=lambda j: sum(not is_quarter(turns[i] - turns[j]) for i in turns), default=None)


def _normal_angle(inboard: Transform) -> float:
    """The angle from x to the common normal."""
    a, b, _ = angles(inboard.R)
    x, y, _ = inboard.l[:, 0]
    if is_parallel(b):
        return math.atan2(y, x) if max(abs(x), abs(y)) > ROUNDING else 0.0
    return a


def _slide(inboard: Transform, parent: Place | None, following: Transform | None) -> float:
    """How far a frame slides along its axis; 0 if that is too far. From the ground slides cost nothing.

    Parallel axes: to the level of the parent's frame. Else to the common normal of its own axis and the `following`,
    or, if there is none or it is parallel, of the parent's axis and its own.
    """
    _, b, _ = angles(inboard.R)
    nearest = inboard
    if parent is not None and is_parallel(b):
        slide = cosine_and_sine(b)[0] * (parent.slid - inboard.l[2, 0])
    elif following is None or (foot := _foot(following)) is None:
        slide = _foot(inboard) or 0.0
    else:
        nearest = following
        cosine, _ = cosine_and_sine(angles(following.R)[1])
        slide = following.l[2, 0] + foot * cosine
    return float(slide) if abs(slide) <= FARTHEST * np.linalg.norm(nearest.l) else 0.0


def is_parallel(b: float) -> bool:
    """Are two axes parallel, the angle between them being b?"""
    return cosine_and_sine(b)[1] == 0.0


def _without_rounding(angle: float) -> float:
    """An angle between -π and π; exact where it is a multiple of a quarter turn but for rounding."""
    quarters = 2 * ((angle + np.pi) % (2 * np.pi) - np.pi) / np.pi
    return _exact(quarters) * np.pi / 2


def is_quarter(angle: float) -> bool:
    """Is an angle a multiple of a quarter turn?"""
    c, s = cosine_and_sine(angle)
    return c * s == 0.0


def cleaned(R: np.ndarray) -> np.ndarray:
    """A rotation without the rounding that is left of exact zeros and ones."""
    nearest = np.round(R)
    return np.where(abs(R - nearest) <= ROUNDING, nearest, R)


def angles(R: np.ndarray) -> tuple[float, float, float]:
    """a, b, c with R = Rz(a) Rx(b) Rz(c)."""
    (xx, _, xz), (yx, _, yz), (zx, _, zz) = R.tolist()
    side = math.hypot(xz, yz)
    upright = side < ROUNDING  # about z alone, or upside down
    a = 0.0 if upright else math.atan2(xz, -yz)
    b = math.atan2(0.0 if upright else side, zz)
    # What a and b leave is about z, however uncertain a is where b is small.
    (cos_a, sin_a), (cos_b, sin_b) = cosine_and_sine(a), cosine_and_sine(b)
    x, y = cos_a * xx + sin_a * yx, cos_a * yx - sin_a * xx
    return a, b, math.atan2(cos_b * y + sin_b * zx, x)


def _seen_from(a: float, l: np.ndarray) -> tuple[float, float, float]:
    """A vector's components along axes turned by a about z."""
    c, s = cosine_and_sine(a)
    x, y, z = l[:, 0].tolist()
    return c * x + s * y, c * y - s * x, z


def _z(angle: float, slide: float) -> Screw:
    return Screw(2, *cosine_and_sine(angle), slide)


def cosine_and_sine(angle: float) -> tuple[float, float]:
    """Exactly 0 or 1 where the angle is a multiple of a quarter turn but for rounding."""
    return _exact(math.cos(angle)), _exact(math.sin(angle))


def _exact(x: float) -> float:
    """A number, or the whole number that it is but for rounding."""
    nearest = round(x)
    return float(nearest) if abs(x - nearest) <= ROUNDING else x
