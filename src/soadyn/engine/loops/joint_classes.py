"""Links that share code: same joint kind, and placements made of the same screws."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

from soadyn.engine.constants.constants import Constants, LinkConstants
from soadyn.engine.tracing.values import leaves
from soadyn.mechanics.joint import KINDS, JointKind
from soadyn.mechanics.spatial.screw import Screw
from soadyn.mechanics.spatial.transform import Transform


@final
@dataclass(frozen=True, slots=True)
class LinkClass:
    """A kind of joint, and whether its links' frames have `any_placement` or all stand on a common normal."""

    kind: JointKind
    any_placement: bool


def classes_of(constants: Constants) -> tuple[LinkClass, ...]:
    """The classes of a robot's links, each once, in the order of KINDS."""
    order = [*KINDS]
    found = set(_each_class(constants))
    return tuple(sorted(found, key=lambda c: (order.index(c.kind.name), c.any_placement)))


def class_numbers(constants: Constants) -> list[int]:
    """The number of each link's class among `classes_of`."""
    number = {c: i for i, c in enumerate(classes_of(constants))}
    return [number[c] for c in _each_class(constants)]


def _each_class(constants: Constants) -> list[LinkClass]:
    found: list[LinkClass] = constants.derived("link classes", lambda: [*map(_class_of, constants.moving)])
    return found


def _class_of(link: LinkConstants) -> LinkClass:
    """The class whose code a link runs: revolute and continuous joints move alike."""
    own, _, sideways, last = _screws(link.placement)
    on_normal = (own.c, own.s, sideways.d, last.c, last.s, last.d) == (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)
    return LinkClass(KINDS["revolute" if link.kind.name == "continuous" else link.kind.name], not on_normal)


def placement_numbers(placement: Transform) -> list[float]:
    """The numbers of a placement's screws on a common normal, then those of its R and l."""
    own, across, _, _ = _screws(placement)
    return [own.d, across.c, across.s, across.d, *leaves(placement.without_screws)]


def _screws(placement: Transform) -> tuple[Screw, ...]:
    assert placement.screws is not None
    return placement.screws
