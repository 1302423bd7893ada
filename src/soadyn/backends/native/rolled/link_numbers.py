"""A robot's links as loops read them: the class of each, and its constants in a row of numbers.

Finding them takes longer than loading the loops' code, so those of short robots are kept on disk beside it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, final
from weakref import WeakKeyDictionary

import numpy as np

from soadyn.backends.constants import Constants, LinkConstants
from soadyn.backends.kept_answers import kept_bytes
from soadyn.backends.plan.joint_classes import LinkClass, class_of, distinct, placement_numbers
from soadyn.backends.regrouping import Grouping, grouped
from soadyn.joint import KINDS
from soadyn.tracing.precision import Precision
from soadyn.tracing.values import scalars

# A link's constants, in order.
CONSTANT_START = {"placement": 0, "link_frame": 16, "M": 28, "pitch": 38, "start": 39, "A_r": 40, "load": 46}
CONSTANT_COUNT = 49
# Links of the longest robot whose numbers are kept on disk: a hash of many links takes memory.
LONGEST = 200

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

    def to_bytes(self) -> bytes:
        """What `of_bytes` reads: the constants, then three numbers for each link's class."""
        names = [*KINDS]
        classes = [(names.index(c.kind.name), c.bent, c.light) for c in self.classes]
        return self.constants.tobytes() + np.array(classes, dtype=float).tobytes()

    @classmethod
    def of_bytes(cls, kept: bytes, n: int) -> LinkNumbers:
        """The same again, for a robot of n links."""
        numbers = np.frombuffer(kept)
        count = (n + 1) * CONSTANT_COUNT
        kinds = [*KINDS.values()]
        classes = [
            LinkClass(kinds[int(kind)], bool(bent), bool(light))
            for kind, bent, light in numbers[count:].reshape(n, 3).tolist()
        ]
        return cls(classes, numbers[:count].reshape(n + 1, CONSTANT_COUNT))


# Those of robots that are in use, by how their inertias are grouped.
_known: WeakKeyDictionary[Constants, dict[Grouping, LinkNumbers]] = WeakKeyDictionary()


def link_numbers(constants: Constants, grouping: Grouping) -> LinkNumbers:
    """A robot's links: from memory, from disk, or found now."""
    known = _known.setdefault(constants, {})
    if grouping not in known:
        known[grouping] = _kept(constants, grouping)
    return known[grouping]


def _kept(constants: Constants, grouping: Grouping) -> LinkNumbers:
    def new() -> LinkNumbers:
        return _new(grouped(constants, grouping).moving)

    n = constants.model.n
    if n > LONGEST:
        return new()
    return LinkNumbers.of_bytes(kept_bytes(lambda: new().to_bytes(), "links", constants, grouping), n)


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
    yield from scalars(link.link_frame)
    yield from scalars(link.M)
    yield link.pitch
    yield link.start
    yield from np.diag(link.A_r)
    yield from [0.0] * (6 - link.kind.nv)
    yield from link.load
