"""The constants of a robot's links, as loops read them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from soadyn.engine.constants.constants import Constants, LinkConstants
from soadyn.engine.loops.joint_classes import placement_numbers
from soadyn.engine.precision import Precision
from soadyn.engine.tracing.values import scalars

# A link's constants, in order.
CONSTANT_START = {"placement": 0, "link_frame": 16, "M": 28, "pitch": 38, "start": 39, "A_r": 40, "load": 46}
CONSTANT_COUNT = 49


def link_numbers(constants: Constants, precision: Precision) -> np.ndarray[Any, Any]:
    """The links' constants (n + 1, CONSTANT_COUNT), one array for all kernels; the first row is the ground's."""

    def new() -> np.ndarray[Any, Any]:
        rows = np.zeros((len(constants.moving) + 1, CONSTANT_COUNT), dtype=precision)
        for row, link in zip(rows[1:], constants.moving, strict=True):
            row[:] = [*_numbers(link)]
        return rows

    found: np.ndarray[Any, Any] = constants.derived(("link numbers", precision), new)
    return found


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
