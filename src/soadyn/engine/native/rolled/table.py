"""The table that describes a robot to a rolled kernel: its sizes, places in the scratch, its links' constants."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from soadyn.engine.constants.constants import Constants
from soadyn.engine.native.rolled.link_numbers import LinkNumbers
from soadyn.engine.native.rolled.places import before_adding, for_shares, for_sums, one_for_each
from soadyn.engine.native.rolled.room import Room
from soadyn.engine.precision import Precision
from soadyn.engine.tracing.ports import Port
from soadyn.model.model import Model

# Fields of a robot's table before those of each argument and result; integers or addresses of 8 bytes.
FIELDS = (
    "counter",  # of passes in which some lane had no answer
    "n",
    "nv",
    "scratch",  # the size of the scratch; then places in it, all in vectors
    "unit",
    "once",
    "climbing",
    "columns",  # of the matrix that a Climb writes
    "matrix",  # that is kept for a substitution
    "zeros",  # the first place for sums
    "kinds",  # from here on addresses of arrays, entry k for link k: its joint class among the plan's
    "parents",
    "q_start",
    "v_start",
    "row",  # among the visible links; -1 for hidden ones
    "block",  # the place of its own values in the scratch
    "share",  # the place of what it shares with its children
    "above",  # that of its parent
    "sums",  # the place of the sums over its children
    "into",  # that of its parent, which it adds to
    "so_far",  # and where to read what it adds to
    "column_start",  # of its columns in the matrix that a Climb writes
    "inboard",  # from here on entry c for component c of v: the next one inboard of it, -1 for the first
    "outside",  # the next one inboard that is another joint's
    "constants",
    "gravity",
)
ADDRESSES = FIELDS[FIELDS.index("kinds") :]
PORT_FIELDS = ("start", "rows", "columns")


@final
class Table:
    """What a kernel's data pointer leads to: integers and addresses, the first of them the counter of bad passes.

    Keeps alive the arrays whose addresses it holds, and `others`.
    """

    __slots__ = ("_kept", "data", "vectors")

    def __init__(
        self, fields: list[int], arrays: dict[str, np.ndarray[Any, Any]], vectors: int = 0, others: Any = None
    ) -> None:
        self.data = (ctypes.c_int64 * len(fields))(*fields)
        self.vectors = vectors  # the scratch's size
        self._kept = arrays, others


def robot_table(
    room: Room, links: LinkNumbers, constants: Constants, ports: tuple[Port, ...], precision: Precision
) -> Table:
    """A robot's table for loops that need so much room and know its classes of links."""
    model = constants.model
    number = {c: i for i, c in enumerate(links.distinct)}
    kinds = [number[c] for c in links.classes]
    sizes = [0, *(room.own[c] for c in kinds)]
    starts = np.concatenate([[0], np.cumsum([port.count for port in ports])])
    unit = int(starts[-1])
    once = unit + model.nv
    climbing = once + room.once
    matrix = climbing + room.climbing
    kept = model.nv**2 if room.substitutes else 0
    places = _neighbour_places(room, model.parents, matrix + kept)
    blocks = places.end + np.concatenate([[0], np.cumsum(sizes)])
    column_start, width = _columns(room, model)

    def integers(*values: int) -> np.ndarray[Any, Any]:
        return np.array(values, dtype=np.int64)

    arrays = {
        "kinds": integers(-1, *kinds),
        "parents": integers(0, *model.parents),
        "q_start": integers(0, *(part.start for part in model.q_slices)),
        "v_start": integers(0, *(part.start for part in model.v_slices)),
        "row": integers(-1, *(model.rows.get(k, -1) for k in range(1, model.n + 1))),
        "block": integers(*blocks[:-1]),
        **{name: integers(*values) for name, values in places.arrays.items()},
        "column_start": integers(0, *column_start),
        **_inboard_components(model),
        "constants": links.in_precision(precision),
        "gravity": np.ascontiguousarray(constants.gravity[:, 0], dtype=precision),
    }
    numbers = {
        "counter": 0,
        "n": model.n,
        "nv": model.nv,
        "scratch": int(blocks[-1]),
        "unit": unit,
        "once": once,
        "climbing": climbing,
        "columns": width,
        "matrix": matrix,
        "zeros": places.zeros,
    }
    fields = [numbers[name] if name in numbers else arrays[name].ctypes.data for name in FIELDS]
    for start, port in zip(starts, ports, strict=False):
        columns = port.shape[-1] if port.shape else 1
        fields += [int(start), port.count // columns if columns else 0, columns]
    return Table(fields, arrays, numbers["scratch"])


@final
@dataclass(frozen=True, slots=True)
class _NeighbourPlaces:
    """Where each link finds what neighbours hand on, and where the scratch goes on behind it."""

    arrays: dict[str, list[int]]
    zeros: int
    end: int


def _neighbour_places(room: Room, parents: Sequence[int], start: int) -> _NeighbourPlaces:
    shares = one_for_each(parents) if room.share_stays else for_shares(parents)
    sums = one_for_each(parents) if room.sums_stay else for_sums(parents)
    so_far = [0, *(sums.at[p] for p in parents)] if room.sums_stay else before_adding(parents, sums)
    middle = start + shares.count * room.share
    share = [start + place * room.share for place in shares.at]
    summed = [middle + place * room.sums for place in range(sums.count)]
    arrays = {
        "share": share,
        "above": [share[p] for p in (0, *parents)],
        "sums": [summed[place] for place in sums.at],
        "into": [summed[sums.at[p]] for p in (0, *parents)],
        "so_far": [summed[place] for place in so_far],
    }
    return _NeighbourPlaces(arrays, middle, middle + sums.count * room.sums)


def _inboard_components(model: Model) -> dict[str, np.ndarray[Any, Any]]:
    """For each component of v the next one inboard, and the next one of another joint."""
    last = [-1, *(part.stop - 1 for part in model.v_slices)]
    parts = zip(model.parents, model.v_slices, strict=True)
    outside = [last[parent] for parent, part in parts for _ in range(part.start, part.stop)]
    first = {part.start for part in model.v_slices}
    inboard = [outer if c in first else c - 1 for c, outer in enumerate(outside)]
    return {"inboard": np.array(inboard, dtype=np.int64), "outside": np.array(outside, dtype=np.int64)}


def _columns(room: Room, model: Model) -> tuple[list[int], int]:
    """Where each link's columns start in what a Climb writes, and how many there are."""
    if room.visible_only:
        return [10 * model.rows.get(k, 0) for k in range(1, model.n + 1)], 10 * len(model.visible)
    return [part.start for part in model.v_slices], model.nv
