"""Trajectories as npz files: plain arrays, no pickle, written whole or not at all."""

from __future__ import annotations

import zipfile
from collections.abc import Iterable, Mapping
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from soadyn.errors import ArgumentError
from soadyn.files import whole_file

FORMAT = "soadyn trajectory 1"
TEXTS = ("q_names", "v_names")
SINGLES = ("robot_name", "method", "step", "interrupted")
OPTIONAL = ("momentum", "impulse", "passive")


def save(fields: Mapping[str, Any], path: str | PathLike[str]) -> Path:
    """Write the fields beside the target, then move them there in one go."""
    target = Path(path)
    arrays: dict[str, Any] = {name: np.asarray(value) for name, value in fields.items() if value is not None}
    with whole_file(target) as file:
        np.savez(file, allow_pickle=False, format=np.asarray(FORMAT), **arrays)
    return target


def load(path: str | PathLike[str], names: Iterable[str]) -> dict[str, Any]:
    """The fields of a file that `save` wrote."""
    try:
        with np.load(path, allow_pickle=False) as file:
            if not hasattr(file, "files") or "format" not in file.files or str(file["format"]) != FORMAT:
                raise ArgumentError(f"{str(path)!r} is not a trajectory that soadyn saved")
            missing = [name for name in names if name not in file.files and name not in OPTIONAL]
            if missing:
                raise ArgumentError(f"{str(path)!r} is a trajectory without {', '.join(missing)}")
            return {name: _plain(name, file[name]) for name in names if name in file.files}
    except OSError as error:
        raise ArgumentError(f"cannot read {str(path)!r}: {error.strerror or error}") from None
    except (ValueError, TypeError, EOFError, AttributeError, zipfile.BadZipFile) as error:
        if isinstance(error, ArgumentError):
            raise
        raise ArgumentError(f"{str(path)!r} is not a trajectory that soadyn saved") from None


def _plain(name: str, array: np.ndarray) -> Any:
    if name in TEXTS:
        return tuple(str(x) for x in array)
    return array.item() if name in SINGLES else array
