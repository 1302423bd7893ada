"""The table that describes a robot to a rolled kernel: its sizes, places in the scratch, its links' constants."""

from __future__ import annotations

import ctypes
from collections.abc import Iterable, Sequence
from typing import Any, final

import numpy as np

from soadyn.engine.constants.constants import Constants, LinkConstants
from soadyn.engine.loops.joint_classes import class_numbers, placement_numbers
from soadyn.engine.native.rolled.scratch_layout import ScratchSizes
from soadyn.engine.precision import Precision
from soadyn.engine.tracing.ports import Ports
from soadyn.engine.tracing.values import leaves
from soadyn.model.model import Model

# A table begins with the counter of passes in which some lane had no answer. Behind it stand a robot's fields: first
# integers,
FIRST_FIELD = 1
NUMBERS = (
    "n",
    "nv",
    "scratch",  # the size of the scratch; then places in it, all in vectors
    "unit",
    "once",
    "climbing",
    "matrix",  # U, kept for a substitution
    "zeros",  # the sum over no children
    "columns",  # how many the matrix has that a Climb writes
)
# then addresses of arrays, entry k for link k.
ADDRESSES = (
    "kinds",  # its joint class among the plan's
    "parents",
    "q_start",
    "v_start",
    "v_end",
    "row",  # among the visible links; -1 for hidden ones
    "block",  # the place of its part of the scratch
    "sums",  # the place of the sums over its children
    "so_far",  # where to read what it adds to its parent's sums
    "column_start",  # of its columns in the matrix that a Climb writes
    "inboard",  # from here on entry c for component c of v: the next one inboard of it, -1 for the first
    "outside",  # the next one inboard that is another joint's
    "constants",
    "gravity",
)
# then for each argument and result its place in the scratch, and how many numbers it has.
PORT_FIELDS = ("start", "count")

# A link's constants, in order.
CONSTANT_START = {"placement": 0, "link_frame": 16, "M": 28, "pitch": 38, "start": 39, "A_r": 40, "load": 46}
CONSTANT_COUNT = 49


@final
class KernelTable:
    """What a kernel's data pointer leads to: integers and addresses. Straight-line code has no `fields` of a robot.

    `vectors` is the scratch's size. The arrays whose addresses are among the fields are kept alive.
    """

    __slots__ = ("_kept", "data", "vectors")

    def __init__(self, fields: Sequence[int] = (), kept: Any = (), vectors: int = 0):
        self.data = (ctypes.c_int64 * (1 + len(fields)))(0, *fields)
        self.vectors = vectors
        self._kept = kept


def robot_table(sizes: ScratchSizes, constants: Constants, ports: Ports, precision: Precision) -> KernelTable:
    """A robot's table for loops that need scratch of these sizes."""
    model, kinds = constants.model, class_numbers(constants)
    end = 0

    def reserved(vectors: int) -> int:
        nonlocal end
        end += vectors
        return end - vectors

    fields = [x for side in ports for port in side for x in (reserved(port.count), port.count)]
    numbers = {
        "n": model.n,
        "nv": model.nv,
        "columns": 10 * len(model.visible) if sizes.visible_only else model.nv,
        "unit": reserved(model.nv),
        "once": reserved(sizes.once),
        "climbing": reserved(sizes.climbing),
        "matrix": reserved(model.nv**2 if sizes.substitutes else 0),
        "zeros": reserved(sizes.sums),
    }
    rows = [model.rows.get(k, -1) for k in range(model.n + 1)]
    starts_of_v = [0, *(part.start for part in model.v_slices)]
    lists = {
        "kinds": [-1, *kinds],
        "parents": [0, *model.parents],
        "q_start": [0, *(part.start for part in model.q_slices)],
        "v_start": starts_of_v,
        "v_end": [0, *(part.stop for part in model.v_slices)],
        "row": rows,
        **_sum_places(sizes, model.parents, numbers["zeros"], reserved((model.n + 1) * sizes.sums)),
        "block": [reserved(sizes.own[c + 1]) for c in (-1, *kinds)],
        "column_start": [10 * max(row, 0) for row in rows] if sizes.visible_only else starts_of_v,
        **_inboard_components(model),
    }
    arrays: dict[str, np.ndarray[Any, Any]] = {name: np.array(x, dtype=np.int64) for name, x in lists.items()}
    arrays["constants"] = link_numbers(constants, precision)
    arrays["gravity"] = np.ascontiguousarray(constants.gravity[:, 0], dtype=precision)
    numbers["scratch"] = end
    fields = [*(numbers[name] for name in NUMBERS), *(arrays[name].ctypes.data for name in ADDRESSES), *fields]
    return KernelTable(fields, arrays, end)


def _sum_places(sizes: ScratchSizes, parents: Sequence[int], zeros: int, start: int) -> dict[str, list[int]]:
    """The places of sums over children, by link; a tip, and the first link that adds to a sum, read zeros instead.

    Walks that are repeated for columns skip links, whose parents must find zeros: there sums are cleared before.
    """
    sums = [start + k * sizes.sums for k in range(len(parents) + 1)]
    so_far = [0, *(sums[parent] for parent in parents)]
    if not sizes.columns:
        last_child = {parent: k for k, parent in enumerate(parents, start=1)}
        for k in last_child.values():
            so_far[k] = zeros
        sums = [place if k in last_child else zeros for k, place in enumerate(sums)]
    return {"sums": sums, "so_far": so_far}


def _inboard_components(model: Model) -> dict[str, list[int]]:
    """For each component of v the next one inboard, and the next one of another joint."""
    last = [-1, *(part.stop - 1 for part in model.v_slices)]
    parts = zip(model.parents, model.v_slices, strict=True)
    outside = [last[parent] for parent, part in parts for _ in range(part.start, part.stop)]
    first = {part.start for part in model.v_slices}
    inboard = [outer if c in first else c - 1 for c, outer in enumerate(outside)]
    return {"inboard": inboard, "outside": outside}


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
    yield from leaves(link.link_frame)
    yield from leaves(link.M)
    yield link.pitch
    yield link.start
    yield from np.diag(link.A_r)
    yield from [0.0] * (6 - link.kind.nv)
    yield from link.load
