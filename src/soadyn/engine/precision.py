"""The kinds of numbers that kernels and exported C compute with."""

from __future__ import annotations

from typing import Literal

Precision = Literal["float64", "float32"]

# The squared norm of a quaternion that can be normalised.
NORM_RANGE: dict[Precision, tuple[float, float]] = {"float64": (1e-290, 1e290), "float32": (1e-36, 1e36)}
