"""Level 6 - what a frame feels: the robot's inertia there, and the force that no acceleration asks for."""

from __future__ import annotations

from typing import Any

import numpy as np

from soadyn.mechanics.link.crossing import Pivot
from soadyn.mechanics.spatial.arithmetic import Array, beside, factor, maximum, real, symmetric
from soadyn.mechanics.spatial.vector import Spatial

# Λ⁻¹ comes out of sweeps over many links: its rounding errors are so many times those of a single sum.
SWEPT = 64


def operational_inertia(Lambda_inverse: Array) -> tuple[Pivot, Array]:
    """Level 6 - the inertia that a frame feels (003 section 10).

    Λ = [B* Ω B]⁻¹
    """
    pivot = Pivot(Lambda_inverse, *factor(Lambda_inverse, response_scale(Lambda_inverse)))
    return pivot, symmetric(pivot.solve(np.eye(Lambda_inverse.shape[-1])))


def operational_bias(Lambda: Array, alpha_frame: Spatial) -> tuple[Spatial]:
    """Level 6 - the wrench at a frame that keeps it from accelerating; α(frame) is its acceleration without forces.

    bias = - Λ α(frame)
    """
    return (Spatial.of(-(Lambda @ alpha_frame.dense())),)


def bias_of_frames(Lambda: Array, *alpha_frames: Spatial) -> tuple[Array]:
    """Level 6 - the wrenches at several frames that keep them all from accelerating, one below the other.

    bias = - Λ α,    α = [α(frame 0); α(frame 1); ...]
    """
    alpha = beside([alpha.dense().mT for alpha in alpha_frames]).mT
    return (-(Lambda @ alpha),)


def response_scale(Lambda_inverse: Array) -> list[Any]:
    """How large the numbers are whose rounding errors Λ⁻¹ holds: for each row the largest of its kind.

    Rows are three angular and three linear ones in turn.
    """
    diagonal = [real(Lambda_inverse[..., i, i]) for i in range(Lambda_inverse.shape[-1])]
    sizes = [maximum(maximum(*diagonal[i : i + 2]), diagonal[i + 2]) for i in range(0, len(diagonal), 3)]
    return [SWEPT * sizes[i // 3] for i in range(len(diagonal))]
