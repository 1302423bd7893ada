"""The frames in which the sweeps see the links, chosen so that little is left to compute.

A link's private frame stands at its joint, turned so that the joint's axis is z. Turning it further about z only moves
the zero of the joint's angle. That freedom is used as Denavit and Hartenberg did:

    R(p,k) = Rz(a) Rx(b) Rz(start + q)

with a = 0 for one child of every link: the frame of the parent is turned so that it vanishes. Where the rotation
between two joints only exchanges axes it is left alone, since it costs nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np

from soadyn.model.model import Model
from soadyn.model.placement import ROUNDING
from soadyn.spatial import rotation
from soadyn.spatial.transform import Exchange, Transform, Turn


@final
@dataclass(frozen=True, slots=True, eq=False)
class PrivateFrame:
    """A link's private frame: its placement in the parent's, the zero of its angle, and the public frame in it."""

    placement: Transform
    start: float
    link_frame: Transform


def private_frames(model: Model) -> list[PrivateFrame]:
    """The private frames of all links, the ground's first."""
    here = Transform.identity()
    frames = [PrivateFrame(here, 0.0, here)]
    turned = _turned_by(model)
    for k, (joint, parent) in enumerate(zip(model.joints, model.parents, strict=True), start=1):
        inboard = _inboard(model, k)
        # In the parent's frame as it is now turned.
        R, l = (Rz(-turned[parent]) @ x for x in (inboard.R, inboard.l))
        start = 0.0
        placement = Transform(R, l)
        if is_exchange(R):
            placement = Transform(R, l, (Exchange(R),))
            start = turned[k]
        elif joint.behaviour.can_start:
            a, b, c = angles(R)
            start = c + turned[k]
            turns = (Turn(0, *_cosine_and_sine(b)), *(() if a == 0 else (Turn(2, *_cosine_and_sine(a)),)))
            placement = Transform(Rz(a) @ Rx(b), l, turns)
        outward = Transform(Rz(-turned[k]), np.zeros((3, 1)))
        frames.append(PrivateFrame(placement, start, outward.then(_public_frame(model, k))))
    return frames


def _axis_frame(model: Model, k: int) -> Transform:
    """The joint's frames turned so that the axis is z."""
    joint = model.joints[k - 1]
    R = rotation.onto(np.array(joint.axis)) if joint.behaviour.has_axis else np.eye(3)
    return Transform(R, np.zeros((3, 1)))


def _public_frame(model: Model, k: int) -> Transform:
    """The public frame seen from the axis frame."""
    return _axis_frame(model, k).inverse().then(model.joints[k - 1].offset.transform())


def _inboard(model: Model, k: int) -> Transform:
    """The inboard axis frame seen from the parent's axis frame, before any further turn."""
    parent = model.parents[k - 1]
    above = _public_frame(model, parent) if parent else Transform.identity()
    seen = above.then(model.joints[k - 1].placement.transform()).then(_axis_frame(model, k))
    return Transform(cleaned(seen.R), seen.l)


def _turned_by(model: Model) -> list[float]:
    """The angle each link's frame is turned by about its z, so that a = 0 for the child with the largest subtree."""
    turned = [0.0] * (model.n + 1)
    for k in range(1, model.n + 1):
        if not model.joints[k - 1].behaviour.can_start or not model.children[k]:
            continue
        rotations = {j: _inboard(model, j).R for j in model.children[k]}
        if any(is_exchange(R) for R in rotations.values()):
            continue
        bending = [j for j in rotations if model.joints[j - 1].behaviour.can_start]
        if bending:
            largest = max(bending, key=lambda j: model.subtree_end[j] - j)
            turned[k] = angles(rotations[largest])[0]
    return turned


def is_exchange(R: np.ndarray) -> bool:
    """Does a rotation only exchange and flip axes?"""
    return bool(np.isin(R, (-1.0, 0.0, 1.0)).all())


def cleaned(R: np.ndarray) -> np.ndarray:
    """A rotation without the rounding that is left of exact zeros and ones."""
    nearest = np.round(R)
    return np.where(abs(R - nearest) <= ROUNDING, nearest, R)


def angles(R: np.ndarray) -> tuple[float, float, float]:
    """a, b, c with R = Rz(a) Rx(b) Rz(c)."""
    side = np.hypot(R[0, 2], R[1, 2])
    upright = side < ROUNDING  # about z alone, or upside down
    a = 0.0 if upright else float(np.arctan2(R[0, 2], -R[1, 2]))
    b = float(np.arctan2(0.0 if upright else side, R[2, 2]))
    # What a and b leave is about z, however uncertain a is where b is small.
    rest = Rx(-b) @ Rz(-a) @ R
    return a, b, float(np.arctan2(rest[1, 0], rest[0, 0]))


def _cosine_and_sine(angle: float) -> tuple[float, float]:
    c, s = cleaned(np.array([np.cos(angle), np.sin(angle)]))
    return float(c), float(s)


def Rz(angle: float) -> np.ndarray:
    c, s = _cosine_and_sine(angle)
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])


def Rx(angle: float) -> np.ndarray:
    c, s = _cosine_and_sine(angle)
    return np.array([[1.0, 0.0, 0.0], [0.0, c, -s], [0.0, s, c]])
