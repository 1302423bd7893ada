"""Quaternions among coordinates: where they stand, with signs that do not jump, and as rotation vectors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from soadyn.mechanics.spatial import rotation
from soadyn.robot.labels import coordinate_units

if TYPE_CHECKING:
    from soadyn.simulation.record.trajectory import Trajectory

QUATERNION = ("w", "x", "y", "z")
TURN = 2.0 * np.pi


def units_of(run: Trajectory) -> tuple[str, ...]:
    """The unit of each coordinate, empty for parts of quaternions; without a robot what the names tell, or "rad, m"."""
    if run.robot is not None:
        return coordinate_units(run.robot)
    parts = [name.rpartition(".") for name in run.q_names]
    units = ["m" if part in ("px", "py", "pz") else "rad, m" for _, _, part in parts]
    for k in range(len(parts) - 3):
        four = parts[k : k + 4]
        if tuple(part for *_, part in four) == QUATERNION and len({joint for joint, *_ in four}) == 1:
            units[k : k + 4] = [""] * 4
    return tuple(units)


def quaternion_places(run: Trajectory) -> list[int]:
    """Where in q the quaternions begin."""
    return [k for k, unit in enumerate(units_of(run)) if not unit][::4]


def continued(q: np.ndarray, places: Sequence[int], before: np.ndarray) -> np.ndarray:
    """q (T, ..., nq) with each quaternion or its negative, the same orientation: the one near the record before it.

    before: the coordinates (..., nq) that the first record follows
    """
    signs = np.ones(q.shape)
    for k in places:
        x = np.concatenate([before[None], q])[..., k : k + 4]
        turned = (x[1:] * x[:-1]).sum(axis=-1, keepdims=True) < 0
        signs[..., k : k + 4] = np.where(turned, -1.0, 1.0).cumprod(axis=0)
    return q * signs


def rotation_vectors(x: np.ndarray) -> np.ndarray:
    """Rotations from the first record on, along its axes, (T, ..., 3), of quaternions (T, ..., 4).

    Angles go on counting past half a turn.

    >>> angle = np.linspace(0.0, 10.0, 50)
    >>> x = np.stack([np.cos(angle / 2), 0 * angle, 0 * angle, np.sin(angle / 2)], axis=-1)
    >>> bool(np.allclose(rotation_vectors(x)[:, 2], angle))
    True
    """
    x = rotation.unit(x)
    r = np.array(rotation.logarithm(rotation.product(np.broadcast_to(rotation.conjugate(x[:1]), x.shape), x)))
    if (np.linalg.norm(np.diff(r, axis=0), axis=-1) > np.pi).any():
        for k in range(1, len(r)):
            r[k] = _nearest(r[k], r[k - 1])
    return r


def _nearest(r: np.ndarray, before: np.ndarray) -> np.ndarray:
    """Of the vectors of one rotation, which differ by whole turns about its axis, the one nearest to another."""
    angle = np.linalg.norm(r, axis=-1, keepdims=True)
    last = np.linalg.norm(before, axis=-1, keepdims=True)
    # After a whole turn the rotation has no axis of its own: that of the record before goes on.
    axis = np.where(angle > 1e-9, r / np.maximum(angle, 1e-300), before / np.maximum(last, 1e-300))
    turns = np.round(((axis * before).sum(axis=-1, keepdims=True) - angle) / TURN)
    return np.asarray(axis * (angle + TURN * np.where(np.isfinite(turns), turns, 0.0)))
