"""Bodies bounded by triangle meshes: exact integrals over the tetrahedra between the origin and each triangle."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from soadyn.errors import ModelError
from soadyn.mechanics.spatial.reading import real_array
from soadyn.model.bodies import Body, mass_of
from soadyn.model.mesh_files import read_mesh
from soadyn.model.poses import Pose

# Volume below this share of the bounding box's is no volume: a flat or empty surface.
FLAT = 1e-12


def mesh_body(
    vertices: Any,
    faces: Any,
    mass: float | None = None,
    density: float | None = None,
    placement: Pose = None,
    what: str = "mesh",
) -> Body:
    """The uniform body bounded by triangles: `vertices` (n, 3) in metres, `faces` (m, 3) of vertex indices.

    The surface must be closed and consistently oriented: each edge is used by two triangles, once in each direction.
    Triangles count counter-clockwise seen from outside; a mesh that is inside out as a whole is turned round, because
    nothing else can be meant. Give either `mass` (kg) or `density` (kg/m^3).

    >>> corners = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]
    >>> tetrahedron = mesh_body(corners, [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)], density=6.0)
    >>> round(tetrahedron.mass, 12), tetrahedron.com
    (1.0, (0.25, 0.25, 0.25))
    """
    points, triangles = _checked_mesh(vertices, faces, what)
    _check_closed(triangles, what)
    middle = points.mean(axis=0)  # integrals are taken about a point nearby, against cancellation
    volume, com, moment = _integrals((points - middle)[triangles])
    if abs(volume) <= FLAT * float(np.prod(np.ptp(points, axis=0))) or volume == 0:
        raise ModelError(f"{what} encloses no volume ({volume:.3g} m^3); is it flat, or a surface laid on itself?")
    factor = mass_of(mass, density, abs(volume), what) / volume
    # J = (trace C) I - C about the mass centre, with C = ∫ x x* dm
    second = factor * (moment - volume * np.outer(com, com))
    return Body(factor * volume, com + middle, np.trace(second) * np.eye(3) - second).moved(placement)


def mesh_file_body(
    path: str | Path,
    mass: float | None = None,
    density: float | None = None,
    scale: Any = 1.0,
    placement: Pose = None,
) -> Body:
    """The uniform body bounded by the mesh of an STL (binary or text) or OBJ file.

    `scale` is one number, or one for each of x, y, z: 0.001 for files in millimetres.

    >>> mesh_file_body("arm.ply", mass=1.0)
    Traceback (most recent call last):
    soadyn.errors.ModelError: arm.ply: mesh files end in .stl or .obj, got '.ply'
    """
    vertices, faces = read_mesh(path)
    factors = _numbers(scale, f"{path}'s scale")
    if factors.shape not in ((), (3,)) or not np.isfinite(factors).all() or (factors == 0).any():
        raise ModelError(f"{path}: a mesh's scale must be one number or three, finite and not zero, got {scale!r}")
    return mesh_body(vertices * factors, faces, mass, density, placement, what=str(path))


def _checked_mesh(vertices: Any, faces: Any, what: str) -> tuple[np.ndarray, np.ndarray]:
    points = _numbers(vertices, f"{what}'s vertices")
    triangles = np.asarray(faces)
    if points.ndim != 2 or points.shape[1:] != (3,) or triangles.ndim != 2 or triangles.shape[1:] != (3,):
        raise ModelError(f"{what} needs vertices (n, 3) and faces (m, 3), got {points.shape} and {triangles.shape}")
    if not np.issubdtype(triangles.dtype, np.integer):
        raise ModelError(f"{what} needs whole numbers as faces (vertex indices), got {triangles.dtype}")
    if not np.isfinite(points).all():
        raise ModelError(f"{what} has {int((~np.isfinite(points)).any(axis=1).sum())} vertices that are not finite")
    if len(triangles) == 0:
        raise ModelError(f"{what} has no triangles")
    if triangles.min() < 0 or triangles.max() >= len(points):
        raise ModelError(
            f"{what} has faces with vertex indices {triangles.min()} to {triangles.max()}, "
            f"but there are vertices 0 to {len(points) - 1} only"
        )
    return points, triangles


def _numbers(x: Any, what: str) -> np.ndarray:
    try:
        return real_array(x)
    except ValueError:
        raise ModelError(f"{what} must be real numbers, got {x!r}") from None


def _check_closed(triangles: np.ndarray, what: str) -> None:
    """Each directed edge must have its opposite exactly as often as itself; repeated corners make no edge."""
    starts = triangles.reshape(-1)
    ends = np.roll(triangles, -1, axis=1).reshape(-1)
    real = starts != ends
    low, high = np.minimum(starts, ends)[real], np.maximum(starts, ends)[real]
    forward = np.where(starts < ends, 1, -1)[real]
    _, which, uses = np.unique(np.stack([low, high], axis=1), axis=0, return_inverse=True, return_counts=True)
    balance = np.bincount(which.reshape(-1), weights=forward)
    open_edges = int((uses % 2 == 1).sum())
    if open_edges:
        raise ModelError(f"{what} is not closed: {open_edges} of {len(uses)} edges are open; its volume is not defined")
    turned = int((balance != 0).sum())
    if turned:
        raise ModelError(
            f"{what} is not consistently oriented: {turned} of {len(uses)} edges have both triangles on the same side; "
            "make all triangles count counter-clockwise seen from outside"
        )


def _integrals(corners: np.ndarray) -> tuple[float, np.ndarray, np.ndarray]:
    """Volume, centre and ∫ x x* dV, summed over the tetrahedra (origin, a, b, c) with volume det[a b c] / 6."""
    volumes = np.einsum("ni,ni->n", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])) / 6
    sums = corners.sum(axis=1)
    volume = float(volumes.sum())
    com = (volumes[:, None] * sums).sum(axis=0) / (4 * volume) if volume else np.zeros(3)
    # ∫ x x* over a tetrahedron with one corner at the origin: V/20 (Σ xᵢ xᵢ* + s s*), s = Σ xᵢ
    own = np.einsum("n,nki,nkj->ij", volumes, corners, corners)
    return volume, com, (own + np.einsum("n,ni,nj->ij", volumes, sums, sums)) / 20
