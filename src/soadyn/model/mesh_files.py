"""Triangle meshes from STL (binary and text) and OBJ files, with bounded size."""

from __future__ import annotations

import errno
from itertools import pairwise
from pathlib import Path

import numpy as np

from soadyn.errors import ModelError
from soadyn.files import path_of, read_regular

LARGEST_FILE = 200_000_000  # bytes
STL_HEADER = 84
STL_TRIANGLE = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])


def read_mesh(path: str | Path) -> tuple[np.ndarray, np.ndarray]:
    """Vertices (n, 3) and faces (m, 3) of an STL or OBJ file; equal vertices are merged.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "one.obj"
    ...     _ = path.write_text("v 0 0 0\\nv 1 0 0\\nv 0 1 0\\nf 1 2 3\\n")
    ...     vertices, faces = read_mesh(path)
    >>> vertices[faces[0]].tolist()
    [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]
    """
    path = path_of(path, "cannot read a mesh")
    suffix = path.suffix.lower()
    if suffix not in (".stl", ".obj"):
        raise ModelError(f"{path}: mesh files end in .stl or .obj, got {suffix!r}")
    data = mesh_file_bytes(path)
    points, faces = _stl(data, path) if suffix == ".stl" else _obj(data, path)
    check_mesh(points, faces, path)
    merged, index = np.unique(points + 0.0, axis=0, return_inverse=True)
    return merged, index.reshape(-1)[faces]


def mesh_file_bytes(path: Path) -> bytes:
    """All of a mesh file; its size is bounded."""
    try:
        data = read_regular(path, LARGEST_FILE, links=True)
    except OSError as error:
        if error.errno == errno.ENOENT:
            raise ModelError(f"{path}: there is no such mesh file") from None
        if error.errno == errno.EFBIG:
            raise ModelError(f"{path}: the mesh file is larger than {LARGEST_FILE} bytes; thin it out first") from None
        raise ModelError(f"{path}: cannot read the mesh file: {error.strerror or error}") from None
    if not data:
        raise ModelError(f"{path}: the mesh file is empty")
    return data


def check_mesh(points: np.ndarray, faces: np.ndarray, path: Path, first: int = 1) -> None:
    """Refuse what cannot be drawn or weighed: no triangles, or corners that are not there or not finite.

    first: the number that the file gives to its first vertex.
    """
    if not len(faces):
        raise ModelError(f"{path}: the mesh has no triangles")
    wrong = faces[(faces < 0) | (faces >= len(points))]
    if len(wrong):
        raise ModelError(f"{path}: a face names vertex {wrong[0] + first}, but there are {len(points)}")
    odd = faces[~np.isfinite(points).all(axis=1)[faces]]
    if len(odd):
        raise ModelError(f"{path}: vertex {odd[0] + first} has a coordinate that is not a finite number")


def _stl(data: bytes, path: Path) -> tuple[np.ndarray, np.ndarray]:
    """Binary if the count in its header fits the file's size: binary files, too, may start with "solid"."""
    count = int.from_bytes(data[80:STL_HEADER], "little") if len(data) >= STL_HEADER else -1
    needed = STL_HEADER + count * STL_TRIANGLE.itemsize
    if count >= 0 and len(data) == needed:
        points = np.frombuffer(data, STL_TRIANGLE, count, STL_HEADER)["corners"].reshape(-1, 3).astype(float)
    elif data.lstrip()[:5].lower() == b"solid" and b"vertex" in data:
        points = _stl_text(data, path)
    elif count < 0:
        raise ModelError(f"{path}: not an STL file: {len(data)} bytes, but a binary one has at least {STL_HEADER}")
    else:
        raise ModelError(
            f"{path}: broken STL file: its header tells of {count} triangles, {needed} bytes; it has {len(data)}"
        )
    return points, np.arange(len(points)).reshape(-1, 3)


def _stl_text(data: bytes, path: Path) -> np.ndarray:
    rows = [line.split()[1:] for line in data.splitlines() if line.lstrip()[:6].lower() == b"vertex"]
    points = _numbers(rows, 3, path, "vertex")
    if len(points) % 3:
        raise ModelError(f"{path}: broken STL file: {len(points)} vertices do not make triangles")
    return points


def _obj(data: bytes, path: Path) -> tuple[np.ndarray, np.ndarray]:
    """Vertices and faces; polygons are cut into triangles fanwise, textures and normals are passed over."""
    rows: list[list[bytes]] = []
    faces: list[tuple[int, int, int]] = []
    for number, line in enumerate(data.splitlines(), start=1):
        kind, *entries = line.split() or [b""]
        if kind == b"v":
            rows.append(entries[:3])
        elif kind == b"f":
            corners = [_obj_index(entry, len(rows), f"{path}:{number}") for entry in entries]
            if len(corners) < 3:
                raise ModelError(f"{path}:{number}: a face needs at least three vertices, got {len(corners)}")
            faces.extend((corners[0], b, c) for b, c in pairwise(corners[1:]))
    return _numbers(rows, 3, path, "v").reshape(-1, 3), np.array(faces).reshape(-1, 3)


def _obj_index(entry: bytes, so_far: int, where: str) -> int:
    """OBJ counts from 1, or backwards from the last vertex so far with negative numbers."""
    try:
        number = int(entry.split(b"/")[0])
    except ValueError:
        number = 0
    index = number - 1 if number > 0 else so_far + number
    if number == 0 or index < 0:
        raise ModelError(f"{where}: a face has the vertex {entry.decode(errors='replace')!r}; expected a vertex number")
    return index


def _numbers(rows: list[list[bytes]], width: int, path: Path, what: str) -> np.ndarray:
    try:
        points = np.array([[float(entry) for entry in row] for row in rows])
    except ValueError:
        points = np.empty(0)
    if (rows and points.shape != (len(rows), width)) or not np.isfinite(points).all():
        raise ModelError(f"{path}: every {what!r} line needs {width} finite numbers")
    return points
