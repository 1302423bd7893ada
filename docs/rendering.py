"""Stills of robots without a browser: the triangles that the viewer draws, on a transparent ground.

A point at a to the right, u up and t towards the camera of the middle stands in the picture at a / (d − t) and
u / (d − t) times the focal length. Triangles go into a buffer of depths; of those that can be seen through, the rear
ones first. Normals are blended over a surface's shared corners, as viewers do.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np
from PIL import Image

from soadyn.view.drawing import Drawing, figure
from soadyn.view.framing import FIELD, Framing
from soadyn.view.legend import AXES
from soadyn.view.motions import all_poses, extent, motion_of, offsets
from soadyn.view.options import Options
from soadyn.view.scene import SHELLS, TOWARDS_CAMERA
from soadyn.view.solids import Solid, capsule

FINE = 2  # pixels computed for each one shown, each way
LIGHT = np.array([-0.45, 0.65, 0.6])  # to the right, up, towards the camera
AMBIENT, DIFFUSE, SHINE = 0.52, 0.5, 0.16


@final
@dataclass(frozen=True, slots=True)
class Piece:
    """A solid in the world, its colour and opacity."""

    solid: Solid
    colour: Sequence[int]
    opacity: float


def still(shown: Sequence[tuple[str, Any]], width: int, height: int, options: Options) -> Image.Image:
    """Robots or states side by side, as `sd.view.save_page` would show them when it is opened."""
    motions = [motion_of(label, thing) for label, thing in shown]
    shells = [SHELLS[i % len(SHELLS)] for i in range(len(motions))]
    drawings = [figure(motion.robot.model, shell, options) for motion, shell in zip(motions, shells, strict=True)]
    extents = [extent(motion, drawing) for motion, drawing in zip(motions, drawings, strict=True)]
    places = offsets(extents, options.get("spacing"))
    low = np.min([low + at for (low, _), at in zip(extents, places, strict=True)], axis=0)
    high = np.max([high + at for (_, high), at in zip(extents, places, strict=True)], axis=0)
    towards = np.asarray(options.get("look_from", TOWARDS_CAMERA), dtype=float)
    framing = Framing(low, high, towards / np.linalg.norm(towards), [])
    pieces = [
        piece
        for motion, drawing, at in zip(motions, drawings, places, strict=True)
        for piece in _pieces(motion, drawing, at)
    ]
    return _shrunk(_drawn(pieces, framing, FINE * width, FINE * height))


def _pieces(motion: Any, drawing: Drawing, at: np.ndarray) -> Iterator[Piece]:
    poses = all_poses(motion.robot, motion.q[:1])[0]
    row = {0: 0, **{k: i for i, k in enumerate(motion.robot.model.visible, start=1)}}
    for part in drawing.parts:
        T = poses[row[part.link]]
        vertices = part.solid.vertices @ T[:3, :3].T + T[:3, 3] + at
        yield Piece(Solid(vertices, part.solid.faces), part.colour, part.opacity)
    for triad in drawing.triads:
        T = poses[row[triad.link]] @ _matrix(triad.placement)
        for axis, colour in enumerate(AXES):
            end = T[:3, 3] + triad.length * T[:3, axis]
            rod = capsule(T[:3, 3], end, 0.05 * triad.length)
            yield Piece(Solid(rod.vertices + at, rod.faces), colour, 1.0)


def _matrix(placement: Any) -> np.ndarray:
    T = np.eye(4)
    T[:3, :3], T[:3, 3] = placement.rotation, placement.position
    return T


def _drawn(pieces: Sequence[Piece], framing: Framing, width: int, height: int) -> np.ndarray:
    """Colours and opacity (height, width, 4) from 0 to 1, colours multiplied by opacity."""
    picture, depths = np.zeros((height, width, 4)), np.full((height, width), np.inf)
    d = framing.distance(width / height)
    rear_first = sorted(pieces, key=lambda piece: (piece.opacity < 1, _nearness(piece, framing)))
    for piece in rear_first:
        seen = (piece.solid.vertices - framing.middle) @ framing.axes.T
        depth = d - seen[:, 2]
        scale = height / 2 / np.tan(FIELD / 2) / depth
        corners = np.column_stack([width / 2 + scale * seen[:, 0], height / 2 - scale * seen[:, 1], depth])
        shade = _shade(seen, piece.solid.faces)
        colour = np.array(piece.colour) / 255
        for face in piece.solid.faces:
            _fill(picture, depths, corners[face], shade[face], colour, piece.opacity)
    return picture


def _nearness(piece: Piece, framing: Framing) -> float:
    return float(((piece.solid.vertices - framing.middle) @ framing.axes[2]).mean())


def _shade(seen: np.ndarray, faces: np.ndarray) -> np.ndarray:
    """How bright each corner is, and how much it shines, (n, 2)."""
    across = np.cross(seen[faces[:, 1]] - seen[faces[:, 0]], seen[faces[:, 2]] - seen[faces[:, 0]])
    normals = np.zeros_like(seen)
    for corner in range(3):
        np.add.at(normals, faces[:, corner], across)
    normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-12)
    light = LIGHT / np.linalg.norm(LIGHT)
    half = light + np.array([0.0, 0.0, 1.0])
    bright = AMBIENT + DIFFUSE * np.maximum(normals @ light, 0)
    return np.column_stack([bright, SHINE * np.maximum(normals @ (half / np.linalg.norm(half)), 0) ** 24])


def _fill(
    picture: np.ndarray, depths: np.ndarray, corners: np.ndarray, shade: np.ndarray, colour: np.ndarray, opacity: float
) -> None:
    """One triangle, unless it is seen from behind."""
    (x0, y0, _), (x1, y1, _), (x2, y2, _) = corners
    area = (x1 - x0) * (y2 - y0) - (x2 - x0) * (y1 - y0)
    if area >= 0:  # y points down: fronts are clockwise
        return
    height, width = depths.shape
    left, right = max(int(min(x0, x1, x2)), 0), min(int(max(x0, x1, x2)) + 2, width)
    top, bottom = max(int(min(y0, y1, y2)), 0), min(int(max(y0, y1, y2)) + 2, height)
    if left >= right or top >= bottom:
        return
    x, y = np.arange(left, right) + 0.5, np.arange(top, bottom)[:, None] + 0.5
    b = ((x - x0) * (y2 - y0) - (x2 - x0) * (y - y0)) / area
    c = ((x1 - x0) * (y - y0) - (x - x0) * (y1 - y0)) / area
    a = 1 - b - c
    inside = (a >= 0) & (b >= 0) & (c >= 0)
    depth = a * corners[0, 2] + b * corners[1, 2] + c * corners[2, 2]
    nearer = inside & (depth < depths[top:bottom, left:right])
    if not nearer.any():
        return
    bright, shine = (np.stack([a, b, c], axis=-1)[nearer] @ shade).T
    lit = np.clip(colour * bright[:, None] + shine[:, None], 0, 1)
    under = picture[top:bottom, left:right]
    under[nearer] = opacity * np.column_stack([lit, np.ones(len(lit))]) + (1 - opacity) * under[nearer]
    if opacity == 1:
        depths[top:bottom, left:right][nearer] = depth[nearer]


def _shrunk(picture: np.ndarray) -> Image.Image:
    """The mean of FINE x FINE pixels each; colours no longer multiplied by opacity."""
    height, width, _ = picture.shape
    mean = picture.reshape(height // FINE, FINE, width // FINE, FINE, 4).mean(axis=(1, 3))
    own = mean[..., :3] / np.maximum(mean[..., 3:], 1e-6)
    return Image.fromarray((255 * np.concatenate([own, mean[..., 3:]], axis=-1)).round().astype(np.uint8), "RGBA")
