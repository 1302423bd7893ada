"""Phases as a file: the arrays of each trajectory in one npz file, "0.q", "1.q" and so on."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from pathlib import Path

import numpy as np

from soadyn.errors import ArgumentError
from soadyn.files import target_file, whole_file
from soadyn.loading.npz import read_arrays
from soadyn.simulation.record.trajectory import Trajectory
from soadyn.simulation.record.trajectory_file import checked_fields, plain_arrays

FORMAT = "soadyn phases 1"
WHAT = "a file of phases that soadyn saved"
MOST = 10_000


def save(parts: Sequence[Trajectory], path: str | PathLike[str]) -> Path:
    """Write all trajectories, whole or not at all."""
    target = target_file(path, "phases", (".npz",))
    arrays = {"format": np.asarray(FORMAT), "count": np.asarray(len(parts))}
    for number, part in enumerate(parts):
        arrays |= {f"{number}.{name}": x for name, x in plain_arrays(part.fields()).items()}
    with whole_file(target) as file:
        np.savez(file, allow_pickle=False, **arrays)
    return target


def load(path: str | PathLike[str]) -> list[Trajectory]:
    """The trajectories of a file; each is checked as one of its own is."""
    arrays = read_arrays(path, WHAT)
    if str(arrays.get("format")) != FORMAT:
        raise ArgumentError(f"{str(path)!r} is not {WHAT}: its format is not {FORMAT!r}")
    count = arrays.get("count")
    if count is None or count.shape or count.dtype.kind != "i" or not 0 < int(count) <= MOST:
        raise ArgumentError(f"{str(path)!r} is not {WHAT}: it does not count its trajectories")
    of_part: list[dict[str, np.ndarray]] = [{} for _ in range(int(count))]
    for name, x in arrays.items():
        number, _, field = name.partition(".")
        if not field:
            continue
        if not number.isdecimal() or int(number) >= len(of_part):
            raise ArgumentError(f"{str(path)!r} is not {WHAT}: it holds {name!r:.40}")
        of_part[int(number)][field] = x
    return [Trajectory(**checked_fields(part, path, WHAT)) for part in of_part]
