"""A robot's links as loops read them: the class of each, and its constants in a row of numbers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, final

import numpy as np

from soadyn.engine.constants.constants import Constants, LinkConstants
from soadyn.engine.constants.regrouping import Grouping, grouped
from soadyn.engine.loops.joint_classes import LinkClass, class_of, distinct, placement_numbers
from soadyn.engine.precision import Precision
from soadyn.engine.tracing.values import leaves

# A link's constants, in order.
CONSTANT_START = {"placement": 0, "link_frame": 16, "M": 28, "pitch": 38, "start": 39, "A_r": 40, "load": 46}
CONSTANT_COUNT = 49

Numbers = np.ndarray[Any, Any]


@final
@dataclass(frozen=True, slots=True, eq=False)
class LinkNumbers:
    """The class of each link, and the constants (n + 1, CONSTANT_COUNT); the first row is the ground's."""

    classes: Sequence[LinkClass]
    constants: Numbers
    _rounded: dict[Precision, Numbers] = field(default_factory=dict)

    @property
    def distinct(self) -> tuple[LinkClass, ...]:
        """The classes that there are."""
        return distinct(self.classes)

    def in_precision(self, precision: Precision) -> Numbers:
        """The constants, in one array for all kernels of that precision."""
        if precision not in self._rounded:
            self._rounded[precision] = self.constants.astype(precision, copy=False)
        return self._rounded[precision]


def link_numbers(constants: Constants, grouping: Grouping) -> LinkNumbers:
    """A robot's links, found once."""
    found: LinkNumbers = constants.derived(
        ("link numbers", grouping), lambda: _new(grouped(constants, grouping).moving)
    )
    return found


def _new(moving: Sequence[LinkConstants]) -> LinkNumbers:
    rows = np.zeros((len(moving) + 1, CONSTANT_COUNT))
    classes: list[LinkClass] = []
    same: dict[LinkClass, LinkClass] = {}  # one object for each class: robots may be long
    for k, link in enumerate(moving, start=1):
        rows[k] = [*_numbers(link)]
        classes.append(same.setdefault(own := class_of(link), own))
    return LinkNumbers(classes, rows)


def _numbers(link: LinkConstants) -> Iterable[float]:
    """One link's constants, in the order of CONSTANT_START."""
    yield from placement_numbers(link.placement)
    yield from leaves(link.link_frame.without_screws)
    yield from leaves(link.M)
    yield link.pitch
    yield link.start
    yield from np.diag(link.A_r)
    yield from [0.0] * (6 - link.kind.nv)
    yield from link.load
