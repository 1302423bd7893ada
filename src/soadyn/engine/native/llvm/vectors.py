"""LLVM's notation for vectors of lanes: one lane for each state."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import final

import numpy as np

from soadyn.engine.precision import Precision


@final
@dataclass(frozen=True, slots=True)
class Vectors:
    """The vector types of a kernel, and whether products and sums fuse.

    Fusing is written out, never left to the compiler, so that a state's bits do not depend on the number of lanes.
    """

    lanes: int
    precision: Precision = "float64"
    fused: bool = True

    @property
    def scalar(self) -> str:
        return "double" if self.precision == "float64" else "float"

    @property
    def size(self) -> int:
        """Bytes in one number."""
        return 8 if self.precision == "float64" else 4

    @property
    def eps(self) -> float:
        return float(np.finfo(self.precision).eps)

    @property
    def real(self) -> str:
        return f"<{self.lanes} x {self.scalar}>"

    @property
    def integer(self) -> str:
        return f"<{self.lanes} x i{8 * self.size}>"

    @property
    def mask(self) -> str:
        return f"<{self.lanes} x i1>"

    def doubles(self) -> Vectors:
        """As many lanes in double precision."""
        return Vectors(self.lanes, "float64", self.fused)

    @property
    def suffix(self) -> str:
        """The vector type in the name of an intrinsic."""
        return f"v{self.lanes}f{8 * self.size}"

    def literal(self, x: float) -> str:
        """A number in LLVM's exact notation, which writes a float as the double of the same value."""
        rounded = float(np.float32(x)) if self.precision == "float32" else float(x)
        return f"0x{struct.unpack('<Q', struct.pack('<d', rounded))[0]:016X}"

    def splat(self, x: float) -> str:
        """The same number in every lane."""
        return f"splat ({self.scalar} {self.literal(x)})"

    def splat_integer(self, x: int) -> str:
        return f"splat (i{8 * self.size} {x})"
