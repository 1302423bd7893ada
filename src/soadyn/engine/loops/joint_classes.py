"""Links that share code: same joint kind, and placements made of the same screws."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import final

import numpy as np

from soadyn.engine.constants.constants import Constants, LinkConstants
from soadyn.engine.tracing.values import leaves
from soadyn.mechanics.joint import KINDS, JointKind
from soadyn.mechanics.spatial.inertia import Inertia
from soadyn.mechanics.spatial.screw import Screw
from soadyn.mechanics.spatial.transform import Transform


@final
@dataclass(frozen=True, slots=True)
class LinkClass:
    """A kind of joint, and which constants are zero at all its links.

    `bent`: the placement is any; otherwise it is that of a frame on a common normal. `light`: the link has no
    inertia that its joint does not feel, as regrouping leaves it.
    """

    kind: JointKind
    bent: bool
    light: bool


def class_of(link: LinkConstants) -> LinkClass:
    """The class whose code a link runs: revolute and continuous joints move alike."""
    own, _, sideways, last = _screws(link.placement)
    bent = (own.c, own.s, sideways.d, last.c, last.s, last.d) != (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)
    kind = KINDS["revolute" if link.kind.name == "continuous" else link.kind.name]
    numbers = leaves(link.M)
    return LinkClass(kind, bent, light=all(numbers[i] == 0.0 for i in unfelt_entries(kind)))


def classes_of(constants: Constants) -> tuple[LinkClass, ...]:
    """The classes of a robot's links, in the order of KINDS."""
    return distinct(class_of(link) for link in constants.moving)


def distinct(classes: Iterable[LinkClass]) -> tuple[LinkClass, ...]:
    """Each class once, in the order of KINDS."""
    order = [*KINDS]
    return tuple(sorted(set(classes), key=lambda c: (order.index(c.kind.name), c.bent, c.light)))


def placement_numbers(placement: Transform) -> list[float]:
    """The numbers of a placement's screws on a common normal, then those of its R and l."""
    own, across, _, _ = _screws(placement)
    return [own.d, across.c, across.s, across.d, *leaves(placement.without_screws)]


def _screws(placement: Transform) -> tuple[Screw, ...]:
    assert placement.screws is not None
    return placement.screws


@lru_cache(maxsize=16)
def unfelt_entries(kind: JointKind) -> frozenset[int]:
    """Which of an inertia's ten numbers are zero once it is regrouped."""
    J = np.arange(9.0).reshape(3, 3)
    some = Inertia(1.0 + J + J.T, np.array([[1.0], [2.0], [3.0]]), np.array([[1.0]]))
    return frozenset(i for i, x in enumerate(leaves(some - kind.unfelt(some))) if x == 0.0)
