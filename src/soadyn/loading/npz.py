"""Arrays from npz files that nobody vouches for: no pickles, and no more memory than the file has bytes for."""

from __future__ import annotations

import math
import os
import zipfile
from os import PathLike
from typing import IO

import numpy as np
from numpy.lib import format as npy

from soadyn.errors import ArgumentError, SoadynError
from soadyn.files import open_regular, path_of

MOST_DEFLATED = 1032  # deflate shrinks nothing by more than this factor
END_OF_LIST, COUNT_AT = 22, 10  # bytes of the record that ends an archive; where it counts the members
HEADERS = {(1, 0): npy.read_array_header_1_0, (2, 0): npy.read_array_header_2_0}


def read_arrays(path: str | PathLike[str], what: str) -> dict[str, np.ndarray]:
    """The arrays of an npz file by name; an error says that the file is not `what`, and why."""
    path = path_of(path, "cannot read a file")
    try:
        with open_regular(path, links=True) as file:
            return arrays_in(file, os.fstat(file.fileno()).st_size, path, what)
    except OSError as error:
        raise ArgumentError(f"cannot read {str(path)!r}: {error.strerror or error}") from None


def arrays_in(file: IO[bytes], size: int, path: str | PathLike[str], what: str) -> dict[str, np.ndarray]:
    """The arrays of an npz file of so many bytes that is open; `path` is shown in errors."""
    try:
        with zipfile.ZipFile(file) as archive:
            _check_count(archive, file, size)
            arrays = {}
            for member in archive.infolist():
                name = member.filename.removesuffix(".npy")
                if name in arrays:
                    raise ArgumentError(f"{str(path)!r} is not {what}: it holds {name!r} twice")
                arrays[name] = _array(archive, member, size)
            return arrays
    except (OSError, SoadynError):
        raise
    except Exception as error:  # zipfile and NumPy raise a dozen kinds of errors on spoilt files
        raise ArgumentError(f"{str(path)!r} is not {what}: {error or type(error).__name__}") from None


def _check_count(archive: zipfile.ZipFile, file: IO[bytes], size: int) -> None:
    """Refuse an archive that lists fewer members than it counts: zipfile does not compare, and a spoilt length in the
    list makes it pass over some in silence."""
    file.seek(size - len(archive.comment) - END_OF_LIST + COUNT_AT)
    counted, listed = int.from_bytes(file.read(2), "little"), len(archive.infolist())
    if counted != listed:
        raise ValueError(f"it counts {counted} arrays, but lists {listed}")


def _array(archive: zipfile.ZipFile, member: zipfile.ZipInfo, size: int) -> np.ndarray:
    if member.compress_size > size or member.file_size > MOST_DEFLATED * member.compress_size:
        raise ValueError(f"{member.filename!r} claims {member.file_size} bytes in a file of {size}")
    with archive.open(member) as stream:
        shape, in_columns, dtype = _header(stream)
        claimed, held = math.prod(shape) * dtype.itemsize, member.file_size - stream.tell()
        if dtype.hasobject or min(shape, default=0) < 0 or claimed != held:
            raise ValueError(f"{member.filename!r} claims {dtype} of shape {shape}, but holds {held} bytes")
        data = stream.read(held)
    return np.frombuffer(data, dtype).reshape(shape, order="F" if in_columns else "C")


def _header(stream: IO[bytes]) -> tuple[tuple[int, ...], bool, np.dtype]:
    version = npy.read_magic(stream)
    if version not in HEADERS:
        raise ValueError(f"arrays of format {version} are not read")
    return HEADERS[version](stream)
