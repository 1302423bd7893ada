"""Trajectories as files: npz, which is read back; csv and parquet for other programs; written whole or not at all.

Several of them, the phases of a motion, are the arrays of each in one npz file, "0.q", "1.q" and so on.
"""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import IO, Any

import numpy as np

from soadyn.errors import ArgumentError
from soadyn.files import target_file, whole_file
from soadyn.loading.npz import read_arrays
from soadyn.simulation.record import tables
from soadyn.simulation.record.tables import FIELDS

FORMAT, PHASES = "soadyn trajectory 1", "soadyn phases 1"
WHAT, WHAT_PHASES = "a trajectory that soadyn saved", "a file of phases that soadyn saved"
MOST_PHASES = 10_000
SUFFIXES = (".npz", ".csv", ".parquet")
KINDS = {"U": "text", "f": "numbers (float64)", "b": "booleans"}
OPTIONAL = ("momentum", "impulse", "passive", "notes")


def states_file(path: str | PathLike[str]) -> Path:
    """The path of a trajectory to write, checked."""
    return target_file(path, "a trajectory", SUFFIXES)


def save(fields: Mapping[str, Any], path: str | PathLike[str]) -> Path:
    """Write a trajectory's fields as the suffix says."""
    target = states_file(path)
    write = {".csv": _write_csv, ".parquet": tables.write_parquet, ".npz": _write_npz}[target.suffix.lower()]
    if write is _write_csv and fields["q"].ndim != 2:
        raise ArgumentError(
            f"cannot write {str(target)!r}: a table holds one motion, this is a batch of shape "
            f"{fields['q'].shape[1:-1]}; save trajectory.row(0), or all as .npz or .parquet"
        )
    if write is tables.write_parquet:
        tables.pyarrow_modules()  # if it is missing, say so before a file is begun
    with whole_file(target) as file:
        write(fields, file)
    return target


def _write_npz(fields: Mapping[str, Any], file: IO[bytes]) -> None:
    np.savez(file, allow_pickle=False, **_plain_arrays(fields))


def _plain_arrays(fields: Mapping[str, Any]) -> dict[str, np.ndarray]:
    """A trajectory's fields as arrays without objects, with the format's name."""
    given = {"format": FORMAT, **fields}
    return {name: np.asarray(x, str if FIELDS[name][0] == "U" else None) for name, x in given.items()}


def _write_csv(fields: Mapping[str, Any], file: IO[bytes]) -> None:
    """One line for each record, below the columns' names such as "q.elbow" and "kinetic"."""
    import csv

    table = tables.columns(fields)
    text = io.TextIOWrapper(file, encoding="utf-8", newline="")
    writer = csv.writer(text)
    writer.writerow(table)
    writer.writerows(zip(*(column.tolist() for column in table.values()), strict=True))
    text.detach()


def load(path: str | PathLike[str]) -> dict[str, Any]:
    """The fields of an npz file that `save` wrote; names, kinds, shapes and order in time are checked."""
    return _checked_fields(read_arrays(path, WHAT), path, WHAT)


def save_phases(parts: Sequence[Mapping[str, Any]], path: str | PathLike[str]) -> Path:
    """Write the fields of several trajectories into one npz file."""
    target = target_file(path, "phases", (".npz",))
    arrays = {f"{number}.{name}": x for number, part in enumerate(parts) for name, x in _plain_arrays(part).items()}
    with whole_file(target) as file:
        np.savez(file, allow_pickle=False, format=np.asarray(PHASES), count=np.asarray(len(parts)), **arrays)
    return target


def load_phases(path: str | PathLike[str]) -> list[dict[str, Any]]:
    """The fields of each trajectory in a file that `save_phases` wrote; each is checked as one of its own is."""
    arrays = read_arrays(path, WHAT_PHASES)
    wrong, count = f"{str(path)!r} is not {WHAT_PHASES}", arrays.get("count")
    if str(arrays.get("format")) != PHASES:
        raise ArgumentError(f"{wrong}: its format is not {PHASES!r}")
    if count is None or count.shape or count.dtype.kind != "i" or not 0 < int(count) <= MOST_PHASES:
        raise ArgumentError(f"{wrong}: it does not count its trajectories")
    of_part: list[dict[str, np.ndarray]] = [{} for _ in range(int(count))]
    for name, x in arrays.items():
        number, _, field = name.partition(".")
        if field and not (number.isdecimal() and int(number) < len(of_part)):
            raise ArgumentError(f"{wrong}: it holds {name!r:.40}")
        if field:
            of_part[int(number)][field] = x
    return [_checked_fields(part, path, WHAT_PHASES) for part in of_part]


def _checked_fields(arrays: Mapping[str, np.ndarray], path: str | PathLike[str], what: str) -> dict[str, Any]:
    """The fields of a trajectory from the arrays of a file; an error says that the file is not `what`, and why."""
    problem = _problem(arrays)
    if problem:
        raise ArgumentError(f"{str(path)!r} is not {what}: {problem}")
    return {name: _plain(arrays[name], *FIELDS[name]) for name in FIELDS if name in arrays and name != "format"}


def _problem(arrays: Mapping[str, np.ndarray]) -> str:
    """What is wrong with the arrays of a file, or nothing."""
    if "format" not in arrays or str(arrays["format"]) != FORMAT:
        return f"its format is {str(arrays['format'])!r:.40}" if "format" in arrays else "it does not name its format"
    missing = [name for name in FIELDS if name not in arrays and name not in OPTIONAL]
    strange = [name for name in arrays if name not in FIELDS]
    if missing or strange:
        return f"{', '.join(missing)} missing" if missing else f"it holds {strange[0]!r:.40}, which no trajectory has"
    sizes = {"T": arrays["t"].shape[:1], "batch": arrays["q"].shape[1:-1]}
    sizes |= {"nq": arrays["q_names"].shape[:1], "nv": arrays["v_names"].shape[:1]}
    sizes["notes"] = arrays["notes"].shape[:1] if "notes" in arrays else (0,)
    for name, x in arrays.items():
        kind, axes = FIELDS[name]
        shape = tuple(n for axis in axes for n in (sizes[axis] if isinstance(axis, str) else (axis,)))
        if x.dtype.kind != kind or (kind == "f" and x.dtype.itemsize != 8):
            return f"{name} holds {x.dtype}, expected {KINDS[kind]}"
        if x.shape != shape:
            return f"{name} has shape {x.shape}, expected {shape}"
    if ("momentum" in arrays) != ("impulse" in arrays):
        return "it has only one of momentum and impulse"
    for name in ("step", "t", "q", "v"):
        if not np.isfinite(arrays[name]).all():
            return f"{name} has numbers that are not finite"
    if not len(arrays["t"]) or (np.diff(arrays["t"]) <= 0).any():
        return "its times do not ascend" if len(arrays["t"]) else "it has no records"
    return ""


def _plain(array: np.ndarray, kind: str, axes: tuple[str | int, ...]) -> Any:
    """A scalar, a tuple of names, or an array of the machine's own byte order that can be written to."""
    if kind == "U" and axes:
        return tuple(array.tolist())
    return array.astype(array.dtype.newbyteorder("=")) if axes else array.item()
