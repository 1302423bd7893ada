"""Derivatives of `integrate` and `difference`, along the tangent space.

    q' = integrate(q, dv):      δq' = exp(-A) δq + J δdv,        A = ad dv
    dv = difference(q0, q1):    δdv = J⁻¹ (δq1 - exp(-A) δq0)

Each joint has its own square block; where rates add like vectors J and exp(-A) are identities.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from soadyn.mechanics.spatial.exponential import carried, right_jacobian
from soadyn.model.coordinates import Coordinates

# For a joint its places in v and two blocks: the derivatives by the first and by the second argument.
Blocks = tuple[slice, np.ndarray, np.ndarray]


def integration_blocks(coordinates: Coordinates, dv: np.ndarray) -> Iterator[Blocks]:
    """exp(-A) and J of the joints whose rates do not add like vectors."""
    for joint, place in zip(coordinates.model.joints, coordinates.model.v_slices, strict=True):
        bracket = joint.behaviour.bracket(own := dv[..., place])
        if bracket is not None:
            J = right_jacobian(bracket, np.sqrt((own[..., :3] ** 2).sum(axis=-1)))
            yield place, carried(bracket, J), J


def difference_blocks(coordinates: Coordinates, dv: np.ndarray) -> Iterator[Blocks]:
    """-J⁻¹ exp(-A) and J⁻¹ of those joints, dv being the difference."""
    for place, back, J in integration_blocks(coordinates, dv):
        inverse = np.linalg.inv(J)
        yield place, -inverse @ back, inverse


def times(blocks: Iterator[Blocks], signs: tuple[float, float], along: Sequence[Any]) -> np.ndarray:
    """The change of the result along directions of both arguments; `signs` are the blocks of all other joints."""
    pairs = list(zip(signs, along, strict=True))
    total = np.asarray(sum(sign * d for sign, d in pairs if d is not None))
    for place, *both in blocks:
        changes = [(B @ d[..., place, None])[..., 0] for B, d in zip(both, along, strict=True) if d is not None]
        total[..., place] = sum(changes)
    return total


def transposed_times(blocks: Iterator[Blocks], signs: tuple[float, float], weights: np.ndarray) -> list[np.ndarray]:
    """The derivatives of a weighted sum of the result by both arguments."""
    found = [sign * weights for sign in signs]
    for place, *both in blocks:
        for x, B in zip(found, both, strict=True):
            x[..., place] = (weights[..., None, place] @ B)[..., 0, :]
    return found
