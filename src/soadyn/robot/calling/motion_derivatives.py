"""`jvp` and `vjp` of the motion of a configuration: integrate and difference."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Any

import numpy as np

from soadyn.errors import ArgumentError
from soadyn.model import motion_derivatives as derivatives
from soadyn.model.coordinates import Coordinates
from soadyn.robot.arguments import arguments
from soadyn.robot.calling.motions import MOTIONS

# For each function its derivatives' blocks where rates do not add, and signs elsewhere.
Blocks = Callable[[Coordinates, np.ndarray], Iterator[derivatives.Blocks]]
RULES: Mapping[str, tuple[Blocks, tuple[float, float]]] = MappingProxyType(
    {
        "integrate": (derivatives.integration_blocks, (1.0, 1.0)),
        "difference": (derivatives.difference_blocks, (-1.0, 1.0)),
    }
)


def jvp(space: Coordinates, name: str, at: Any, along: Any, options: dict[str, Any]) -> tuple[np.ndarray, np.ndarray]:
    """The result, and its change along directions of both arguments, one of which may be None."""
    (blocks, signs), (names, value, rates) = RULES[name], _moved(space, name, at, options)
    if not isinstance(along, tuple | list) or len(along) != 2 or all(d is None for d in along):
        raise ArgumentError(f"jvp of {name}: along takes a direction, or None, for each of ({', '.join(names)})")
    read = [d if d is None else arguments.joint_vector(space, d, f"d{x}") for d, x in zip(along, names, strict=True)]
    batch = np.broadcast_shapes(rates.shape[:-1], *(d.shape[:-1] for d in read if d is not None))
    wide = [d if d is None else np.broadcast_to(d, (*batch, space.nv)) for d in read]
    return value, derivatives.times(blocks(space, np.broadcast_to(rates, (*batch, space.nv))), signs, wide)


def vjp(
    space: Coordinates, name: str, at: Any, weights: Any, options: dict[str, Any]
) -> tuple[np.ndarray, tuple[np.ndarray, ...]]:
    """The result, and the derivatives of a weighted sum of its change by both arguments."""
    (rule, signs), (_, value, rates) = RULES[name], _moved(space, name, at, options)
    w = arguments.joint_vector(space, weights, "weights")
    batch = np.broadcast_shapes(rates.shape[:-1], w.shape[:-1])
    blocks = rule(space, np.broadcast_to(rates, (*batch, space.nv)))
    return value, tuple(derivatives.transposed_times(blocks, signs, np.array(np.broadcast_to(w, (*batch, space.nv)))))


def _moved(
    space: Coordinates, name: str, at: Any, options: dict[str, Any]
) -> tuple[tuple[str, str], np.ndarray, np.ndarray]:
    """The names of the arguments, the result, and the joint rates of the motion."""
    motion = MOTIONS[name]
    if options:
        raise ArgumentError(f"{name} has no option {next(iter(options))!r}")
    if space.tied:
        raise ArgumentError(f"{name} of robot {space.model.name!r} has no derivatives: it has tied mimic joints")
    if not isinstance(at, tuple | list) or len(at) != 2:
        raise ArgumentError(f"{name} is differentiated at a tuple ({', '.join(motion.names)}); got {at!r:.60}")
    first, second = motion.read(space, *at)
    value = motion.function(space, first, second)
    return motion.names, value, second if name == "integrate" else value
