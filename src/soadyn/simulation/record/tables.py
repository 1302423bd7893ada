"""Trajectories as tables for other programs: columns by name, pandas, xarray, parquet."""

from __future__ import annotations

from collections.abc import Mapping
from typing import IO, Any

import numpy as np

from soadyn.later import optional

# What a file holds of a trajectory: each field's kind of entries (text, float or boolean) and its axes: T records, the
# batch axes, nq coordinates, nv components.
FIELDS: Mapping[str, tuple[str, tuple[str | int, ...]]] = {
    "format": ("U", ()),
    "robot_name": ("U", ()),
    "q_names": ("U", ("nq",)),
    "v_names": ("U", ("nv",)),
    "method": ("U", ()),
    "step": ("f", ()),
    "interrupted": ("b", ()),
    "t": ("f", ("T",)),
    "q": ("f", ("T", "batch", "nq")),
    "v": ("f", ("T", "batch", "nv")),
    "tau": ("f", ("T", "batch", "nv")),
    "kinetic": ("f", ("T", "batch")),
    "potential": ("f", ("T", "batch")),
    "work": ("f", ("T", "batch")),
    "momentum": ("f", ("T", "batch", 6)),
    "impulse": ("f", ("T", "batch", 6)),
    "passive": ("b", ("T", "batch", "nv")),
    "notes": ("U", ("notes",)),
}
# What has a value for every record and row, with the name of its last axis; None: one figure.
NAMED_AXES: Mapping[str | int, str | None] = {"nq": "coordinate", "nv": "rate", 6: "part", "batch": None}
PARTS = {name: NAMED_AXES[axes[-1]] for name, (_, axes) in FIELDS.items() if axes[:2] == ("T", "batch")}
SIX = tuple(f"{half}_{axis}" for half in ("angular", "linear") for axis in "xyz")
UNITS = {"kinetic": "J", "potential": "J", "work": "J"}


def part_names(fields: Mapping[str, Any]) -> dict[str | None, tuple[str, ...]]:
    """Names of the entries along each last axis."""
    return {"coordinate": fields["q_names"], "rate": fields["v_names"], "part": SIX, None: ()}


def columns(fields: Mapping[str, Any]) -> dict[str, np.ndarray]:
    """A table's columns, such as "t", "q.elbow" and "kinetic"; of a batch, row after row, with "row" in front."""
    records, batch = len(fields["t"]), fields["q"].shape[1:-1]
    rows = int(np.prod(batch))
    table = {"row": np.repeat(np.arange(rows), records)} if batch else {}
    table["t"] = np.tile(fields["t"], rows)
    names = part_names(fields)
    for name, axis in PARTS.items():
        if name in fields:
            whole = np.moveaxis(fields[name].reshape(records, rows, -1), 0, 1).reshape(rows * records, -1)
            labels = [f"{name}.{part}" for part in names[axis]] or [name]
            table |= {label: whole[:, i] for i, label in enumerate(labels)}
    return table


def dataframe(fields: Mapping[str, Any]) -> Any:
    """A pandas DataFrame of the columns."""
    pandas = optional("pandas", "to_dataframe")
    return pandas.DataFrame(columns(fields))


def dataset(fields: Mapping[str, Any]) -> Any:
    """An xarray Dataset: time, the batch axes row_0, row_1, ... (row if there is one), and named last axes."""
    xarray = optional("xarray", "to_xarray")
    batch = fields["q"].shape[1:-1]
    rows = ["row"] if len(batch) == 1 else [f"row_{i}" for i in range(len(batch))]
    data = {
        name: (
            ["time", *rows, *([axis] if axis else [])],
            fields[name],
            {"units": UNITS[name]} if name in UNITS else {},
        )
        for name, axis in PARTS.items()
        if name in fields
    }
    used = {axis for _, (axes, *_) in data.items() for axis in axes}
    names = {axis: list(parts) for axis, parts in part_names(fields).items() if axis in used}
    about = {name: fields[name] for name in ("robot_name", "method", "step")}
    return xarray.Dataset(data, {"time": fields["t"], **names}, {**about, "interrupted": int(fields["interrupted"])})


def write_parquet(fields: Mapping[str, Any], file: IO[bytes]) -> None:
    """The columns as a parquet file, with robot, method and step in its metadata."""
    pyarrow, parquet = pyarrow_modules()
    table = pyarrow.table(columns(fields))
    about = {name: str(fields[name]) for name in ("robot_name", "method", "step", "interrupted")}
    parquet.write_table(table.replace_schema_metadata({f"soadyn.{name}": text for name, text in about.items()}), file)


def pyarrow_modules() -> tuple[Any, Any]:
    """PyArrow and its parquet module, or an error that says how to get them."""
    of = "a parquet file"
    return optional("pyarrow", of), optional("pyarrow.parquet", of)
