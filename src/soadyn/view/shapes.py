"""The shapes that a robot's file gives its links, as solids."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from soadyn.errors import ModelError, ModelWarning, warn_caller
from soadyn.loading.paths import resolve_package_path
from soadyn.model.mesh_files import read_mesh
from soadyn.model.model import Model
from soadyn.model.placement import Vector3
from soadyn.model.visuals import MeshAddress, Visual
from soadyn.view.collada_files import Surface, read_collada
from soadyn.view.solids import Solid, ball, box, cylinder

Shown = tuple[Visual, Solid]
MOST_TRIANGLES = 20_000  # of one mesh; a page with more would grow by megabytes for what nobody sees


def shapes_by_link(model: Model) -> dict[int, list[Shown]]:
    """The shapes of each link (0 is the ground), along its axes; what cannot be read is left out with one warning."""
    shown: dict[int, list[Shown]] = {}
    missing: list[str] = []
    for visual in model.visuals:
        try:
            pieces = _pieces(visual)
        except ModelError as error:
            missing.append(str(error))
            continue
        frame = model.frame(visual.frame)
        placed = ((own, solid.moved(visual.placement).moved(frame.placement)) for own, solid in pieces)
        shown.setdefault(frame.link, []).extend(placed)
    if missing:
        more = "" if len(missing) == 1 else f" (and {len(missing) - 1} more)"
        warn_caller(f"drawn without a shape: {missing[0]}{more}", ModelWarning)
    return shown


def _pieces(visual: Visual) -> list[Shown]:
    """One solid, or the pieces of a mesh; their own colours win over the robot file's, as in RViz."""
    if visual.kind == "box":
        return [(visual, box(visual.size))]
    if visual.kind == "cylinder":
        return [(visual, cylinder(visual.size[0], visual.size[2]))]
    if visual.kind == "sphere":
        return [(visual, ball(visual.size[0]))]
    if visual.mesh is None:
        raise ModelError(f"the mesh of link {visual.frame!r} is named in a text without a folder to look in")
    surfaces = _surfaces(visual.mesh)
    total = sum(len(faces) for _, faces, _ in surfaces)
    return [
        (
            replace(visual, colour=colour or visual.colour),
            _thinned(_scaled(vertices, faces, visual.size), MOST_TRIANGLES * len(faces) // total),
        )
        for vertices, faces, colour in surfaces
    ]


def _surfaces(address: MeshAddress) -> list[Surface]:
    """A mesh file, which must lie in the folders that the robot may refer to."""
    path = resolve_package_path(address.uri, address.robot_file, address.package_roots, address.where)
    if path.suffix.lower() == ".dae":
        return read_collada(path)
    return [(*read_mesh(path), None)]


def _scaled(vertices: np.ndarray, faces: np.ndarray, scale: Vector3) -> Solid:
    """A mesh scaled along its axes; a mirrored one is turned inside out, so that outside stays outside."""
    return Solid(vertices * np.array(scale), faces[:, ::-1] if np.prod(scale) < 0 else faces)


def _thinned(solid: Solid, most: int) -> Solid:
    """A mesh of at most that many triangles: vertices within a cell of a grid become one, ever coarser."""
    cells = 512
    low, span = solid.vertices.min(axis=0), float(np.ptp(solid.vertices, axis=0).max()) or 1.0
    thin = solid
    while len(thin.faces) > most:
        cell = np.round((solid.vertices - low) / span * cells)
        _, first, which = np.unique(cell, axis=0, return_index=True, return_inverse=True)
        faces = which.reshape(-1)[solid.faces]
        real = (faces[:, 0] != faces[:, 1]) & (faces[:, 1] != faces[:, 2]) & (faces[:, 2] != faces[:, 0])
        thin = Solid(solid.vertices[first], faces[real])
        cells = cells * 3 // 4
    return thin
