"""Meshes from Collada files (.dae), read by pycollada after a look at their XML: nothing in them can grow or reach out.

A DOCTYPE is refused, so no entity can grow. Nodes that stand in for others are counted before they are unfolded. The
reader is given bytes, not a path: it opens no other file, and pictures on surfaces are never asked for.
"""

from __future__ import annotations

import io
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from soadyn.errors import ModelError
from soadyn.later import install
from soadyn.loading.document import Element, parse
from soadyn.loading.source import Source
from soadyn.model.mesh_files import check_mesh, mesh_file_bytes

MOST_NODES = 100_000  # of a scene, unfolded
UNFOLDED = ("node", "instance_node", "instance_geometry", "instance_controller")
MOST_CORNERS = 30_000_000  # of all triangles
Colour = tuple[float, float, float, float]
Surface = tuple[np.ndarray, np.ndarray, Colour | None]


def read_collada(path: Path) -> list[Surface]:
    """Vertices (n, 3) in metres, faces (m, 3) and colour of each piece of a Collada file.

    Lengths are scaled by the file's <unit>. Its <up_axis> is ignored, as RViz and Pinocchio ignore it: robot files
    are written for readers that do.
    """
    data = mesh_file_bytes(path)
    count = _unfolded(parse(Source(str(path), data)), path)
    if count > MOST_NODES:
        raise ModelError(f"{path}: the scene unfolds to more than {MOST_NODES} nodes; a robot's mesh has a few")
    collada = _reader()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # NumPy's, on numbers the reader passes it
            document = collada.Collada(io.BytesIO(data), ignore=[collada.DaeError])
            surfaces = [surface for surface in _surfaces(document, path) if surface is not None]
    except ModelError:
        raise
    except Exception as error:  # whatever a broken file does to the reader, it is the file's fault
        raise ModelError(f"{path}: broken Collada file: {type(error).__name__}: {error!s:.200}") from None
    if not surfaces:
        raise ModelError(f"{path}: the mesh has no triangles")
    return surfaces


def _reader() -> Any:
    try:
        import collada
    except ImportError:
        raise ModelError(f"Collada meshes need pycollada; install it with: {install('collada')}") from None
    return collada


def _surfaces(document: Any, path: Path) -> Iterator[Surface | None]:
    scale = float(document.assetInfo.unitmeter or 1.0)
    if not 0 < scale < np.inf:
        raise ModelError(f"{path}: the unit of the Collada file is {scale} m; expected a length")
    if document.scene is None:
        raise ModelError(f"{path}: the Collada file has no scene")
    corners = 0
    for geometry in document.scene.objects("geometry"):
        for primitive in geometry.primitives():
            index = getattr(primitive, "vertex_index", None)
            if index is None or not len(index) or "Line" in type(primitive).__name__:
                continue
            corners += index.size
            if corners > MOST_CORNERS:
                raise ModelError(f"{path}: more than {MOST_CORNERS // 3} triangles; thin the mesh out first")
            yield _surface(primitive, scale, path)


def _surface(primitive: Any, scale: float, path: Path) -> Surface | None:
    """One piece, or None where its polygons have no triangles: they are lines."""
    # A polygon list tells how many corners each polygon has; numbers that do not add up would claim any memory.
    told = getattr(primitive, "nvertices", None)
    if told is not None and told != len(primitive.vertex_index):
        raise ModelError(f"{path}: polygons of {told} corners in all, but {len(primitive.vertex_index)} are listed")
    triangles = primitive.triangleset() if hasattr(primitive, "triangleset") else primitive
    if triangles.vertex_index is None or not len(triangles.vertex_index):
        return None
    vertices, faces = np.asarray(triangles.vertex, dtype=float) * scale, np.asarray(triangles.vertex_index)
    check_mesh(vertices, faces, path, first=0)
    used, faces = np.unique(faces, return_inverse=True)
    return vertices[used], faces.reshape(-1, 3), _colour(primitive)


def _colour(primitive: Any) -> Colour | None:
    """The diffuse colour of the piece's material; None without one, or where it is a picture."""
    diffuse = getattr(getattr(primitive.material, "effect", None), "diffuse", None)
    if not isinstance(diffuse, tuple) or len(diffuse) < 3 or not np.isfinite(diffuse).all():
        return None
    red, green, blue = np.clip(diffuse[:3], 0.0, 1.0).tolist()
    return (red, green, blue, 1.0)


def _unfolded(root: Element, path: Path) -> int:
    """How many nodes the file has when each <instance_node> is replaced by the node it names."""
    nodes = {node.attributes["id"]: node for node in root.walk() if node.tag == "node" and "id" in node.attributes}
    known: dict[int, int] = {}
    waiting: list[tuple[Element, bool]] = [(root, False)]
    open_nodes: set[int] = set()
    while waiting:
        element, done = waiting.pop()
        parts = _parts(element, nodes)
        if done:
            own = int(element.tag in UNFOLDED)
            known[id(element)] = min(own + sum(known[id(part)] for part in parts), MOST_NODES + 1)
            open_nodes.discard(id(element))
        elif id(element) not in known:
            if id(element) in open_nodes:
                raise ModelError(f"{path}: node {element.attributes.get('id')!r} contains itself")
            open_nodes.add(id(element))
            waiting.append((element, True))
            waiting.extend((part, False) for part in parts if id(part) not in known)
    return known[id(root)]


def _parts(element: Element, nodes: dict[str, Element]) -> list[Element]:
    if element.tag == "instance_node":
        named = nodes.get(element.attributes.get("url", "").removeprefix("#"))
        return [] if named is None else [named]
    return element.children
