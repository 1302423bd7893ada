"""One joint in two conventions: how a peer's coordinates and rates follow from ours.

    v_peer = S(q) v

S is orthogonal: a peer lists the same rates in another order or measures three of them along other axes, so that
accelerations, forces, mass matrices and Jacobians all follow from S alone.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import final

import numpy as np

from soadyn.mechanics.joint import named_joint_kind
from soadyn.mechanics.spatial.arithmetic import Array, cos, sin
from soadyn.mechanics.spatial.rotation import about_z, from_quaternion

Map = Callable[[Array], Array]


@final
@dataclass(frozen=True, slots=True)
class Axes:
    """The axes along which a peer measures: x_peer = R(q) x, and R x changes at the rate R (spin(v) × x)."""

    rotation: Map
    spin: Map


def _still_and(z: Array) -> Array:
    return np.stack([0 * z, 0 * z, z], axis=-1)


# Spherical and free joints have their rates along child axes here, planar joints along parent axes.
PARENT_AXES = Axes(lambda q: from_quaternion(q[..., :4]), lambda v: v[..., :3])
PLANAR_CHILD_AXES = Axes(lambda q: about_z(q[..., 2]).mT, lambda v: _still_and(-v[..., 2]))


@final
@dataclass(frozen=True, slots=True)
class Pairing:
    """A peer's joint (or one part of a composite one) and the kinds it is here."""

    kinds: tuple[str, ...]
    nq: int  # the peer's
    q_to: Map
    q_from: Map
    order: tuple[int, ...]  # the peer's rate i is our rate order[i],
    turned: tuple[int, ...] = ()  # measured along other axes for the three rates that begin at these places
    axes: Axes = PARENT_AXES

    @property
    def nv(self) -> int:
        return len(self.order)


def reordered(
    kinds: str | tuple[str, ...],
    q: tuple[int, ...] | None = None,
    v: tuple[int, ...] | None = None,
    turned: tuple[int, ...] = (),
) -> Pairing:
    """The pairing in which the peer's coordinate i is our q[i]; both orders are ours unless given.

    >>> reordered("spherical", q=(1, 2, 3, 0)).q_to(np.array([0.5, 0.1, 0.2, 0.3]))
    array([0.1, 0.2, 0.3, 0.5])
    """
    kinds = (kinds,) if isinstance(kinds, str) else kinds
    kind = named_joint_kind(kinds[0])
    there = tuple(range(kind.nq)) if q is None else q
    back = tuple(int(i) for i in np.argsort(there))
    return Pairing(
        kinds,
        kind.nq,
        lambda ours: ours[..., there],
        lambda theirs: theirs[..., back],
        tuple(range(kind.nv)) if v is None else v,
        turned,
    )


# What every peer writes as we do.
TURN = reordered(("revolute", "continuous"))
SLIDE = reordered("prismatic")
SCREW = reordered("helical")


def on_circle(angle: Array) -> Array:
    """(cos, sin) of an angle (..., 1)."""
    return np.concatenate([cos(angle), sin(angle)], axis=-1)


def angle_of(circle: Array) -> Array:
    """The angle (..., 1) in (-pi, pi] of (cos, sin)."""
    return np.arctan2(circle[..., 1:], circle[..., :1])
