"""Points and outward normals on boxes, cylinders and spheres."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from soadyn.errors import ArgumentError

MOST = 2000  # points along a length

Points = tuple[np.ndarray, np.ndarray]
NONE = np.zeros((0, 3)), np.zeros((0, 3))


def shape_points(kind: str, size: Sequence[float], spacing: float) -> Points:
    """Points (n, 3) and normals (n, 3) of a viewer's shape, in its own axes; none of shapes that are not known here."""
    match kind:
        case "cylinder":
            return _cylinder(size[0], size[2], spacing)
        case "sphere":
            return _sphere(size[0], spacing)
        case "box":
            return _box(np.array(size), spacing)
    return NONE


def _count(length: float, spacing: float) -> int:
    if length > MOST * spacing:
        raise ArgumentError(
            f"sample_surface: with a spacing of {spacing:g} m a length of {length:.3g} m has more than {MOST:,} points"
        )
    return round(length / spacing)


def _rows(length: float, spacing: float) -> np.ndarray:
    """The middles of pieces of a length about zero."""
    count = max(1, _count(length, spacing))
    return (np.arange(count) + 0.5) / count * length - length / 2


def _ring(radius: float, spacing: float) -> np.ndarray:
    """Unit vectors around z."""
    count = max(4, _count(2 * np.pi * radius, spacing))
    angle = 2 * np.pi * np.arange(count) / count
    return np.stack([np.cos(angle), np.sin(angle), np.zeros(count)], axis=-1)


def _cylinder(radius: float, length: float, spacing: float) -> Points:
    ring, up = _ring(radius, spacing), np.array([0.0, 0.0, 1.0])
    sides = [(radius * ring + z * up, ring) for z in _rows(length, spacing)]
    ends = []
    for sign in (-1.0, 1.0):
        inner = np.concatenate([np.zeros((1, 3)), 0.6 * radius * _ring(0.6 * radius, spacing)])
        ends.append((inner + sign * length / 2 * up, np.tile(sign * up, (len(inner), 1))))
    return _joined([*sides, *ends])


def _sphere(radius: float, spacing: float) -> Points:
    """Fibonacci's spiral: points of about equal areas."""
    count = max(6, round(4 * np.pi * radius**2 / spacing**2))
    k = np.arange(count)
    z, turn = 1 - (2 * k + 1) / count, np.pi * (1 + 5**0.5) * k
    n = np.stack([np.sqrt(1 - z**2) * np.cos(turn), np.sqrt(1 - z**2) * np.sin(turn), z], axis=-1)
    return radius * n, n


def _box(size: np.ndarray, spacing: float) -> Points:
    faces = []
    for axis in range(3):
        u, v = (axis + 1) % 3, (axis + 2) % 3
        a, b = np.meshgrid(_rows(size[u], spacing), _rows(size[v], spacing), indexing="ij")
        for sign in (-1.0, 1.0):
            x, n = np.zeros((a.size, 3)), np.zeros((a.size, 3))
            x[:, u], x[:, v], x[:, axis], n[:, axis] = a.ravel(), b.ravel(), sign * size[axis] / 2, sign
            faces.append((x, n))
    return _joined(faces)


def _joined(parts: list[Points]) -> Points:
    return np.concatenate([x for x, _ in parts]), np.concatenate([n for _, n in parts])
