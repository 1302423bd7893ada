"""Configurations: neutral, random, moved along a velocity, compared."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import prod
from typing import Any

import numpy as np

from soadyn.errors import ArgumentError
from soadyn.mechanics.joint import JointKind
from soadyn.mechanics.spatial.arithmetic import Array
from soadyn.model import motion
from soadyn.model.coordinates import Coordinates

# What random_configuration makes at most: numbers that fit into memory, axes that NumPy's arrays have.
LARGEST, MOST_AXES = 10**10, 32


def neutral(coordinates: Coordinates) -> np.ndarray:
    return motion.neutral(coordinates.model)[coordinates.q_kept]


def from_joints(coordinates: Coordinates, joints: Mapping[str, Any]) -> np.ndarray:
    """The neutral configuration with some joints placed elsewhere, by their names."""
    if not isinstance(joints, Mapping):
        raise ArgumentError(f"configuration takes {{joint: coordinates}}, got {joints!r:.80}")
    model = coordinates.model
    q = motion.neutral(model)
    for name, given in joints.items():
        coordinates.joint_coordinates(name)  # an unknown joint, or one that follows another, is refused here
        for k, values in motion.joint_values(model, name, given).items():
            q[model.q_slices[k - 1]] = values
    return np.asarray(q[coordinates.q_kept])


def random_configuration(
    coordinates: Coordinates, rng: np.random.Generator | None, size: int | tuple[int, ...]
) -> np.ndarray:
    """Uniform within limits; where there are none, turns from (-pi, pi), slides from (-1, 1), any orientation."""
    if rng is not None and not isinstance(rng, np.random.Generator):
        raise ArgumentError(f"random_configuration takes a numpy.random.Generator, got {rng!r}")
    rng = np.random.default_rng() if rng is None else rng
    shape = size if isinstance(size, tuple) else (size,)
    if not all(isinstance(n, int | np.integer) and not isinstance(n, bool) and n >= 0 for n in shape):
        raise ArgumentError(f"size must be a whole number or a tuple of them, zero or more, got {size!r}")
    if prod(int(n) for n in shape) * coordinates.model.nq > LARGEST or len(shape) > MOST_AXES:
        raise ArgumentError(f"size {size!r:.80} is more than {LARGEST:.0e} numbers, or more than {MOST_AXES} axes")
    parts = [
        joint.behaviour.random(rng, np.array(joint.lower), np.array(joint.upper), shape)
        for joint in coordinates.model.joints
    ]
    # Indexing with an array leaves the axes in another order in memory; kernels are fastest on contiguous rows.
    return np.ascontiguousarray(_joined(parts, shape)[..., coordinates.q_kept])


def integrate(coordinates: Coordinates, q: Array, dv: Array) -> Array:
    """q moved with the constant joint velocity dv for one unit of time, joint by joint."""
    return _each_joint(coordinates, lambda kind, x, y: kind.integrate(x, y), (q, "q"), (dv, "v"))


def difference(coordinates: Coordinates, q0: Array, q1: Array) -> Array:
    """The joint velocity that leads from q0 to q1 in one unit of time."""
    return _each_joint(coordinates, lambda kind, x, y: kind.difference(x, y), (q0, "q"), (q1, "q"))


def _each_joint(
    coordinates: Coordinates,
    operation: Callable[[JointKind, Array, Array], Array],
    first: tuple[Array, str],
    second: tuple[Array, str],
) -> Array:
    """One operation on every free joint's shares of two vectors."""
    parts, at_q, at_v = [], 0, 0
    for k, joint in enumerate(coordinates.model.joints, start=1):
        if k in coordinates.tied:
            continue
        kind = joint.behaviour
        share = {"q": slice(at_q, at_q + kind.nq), "v": slice(at_v, at_v + kind.nv)}
        parts.append(operation(kind, *(x[..., share[space]] for x, space in (first, second))))
        at_q, at_v = at_q + kind.nq, at_v + kind.nv
    batch = np.broadcast_shapes(*(x.shape[:-1] for x, _ in (first, second)))
    return _joined(parts, batch)


def _joined(parts: list[Any], batch: tuple[int, ...] = ()) -> np.ndarray:
    if not parts:
        return np.zeros((*batch, 0))
    return np.concatenate([np.broadcast_to(part, batch + part.shape[-1:]) for part in parts], axis=-1)
