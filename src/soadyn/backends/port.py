"""The arguments of a kernel as its gufunc sees them."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import final


@final
@dataclass(frozen=True, slots=True)
class Port:
    """An array argument: its name, and its shape after the batch axes."""

    name: str
    shape: tuple[int, ...]

    @property
    def count(self) -> int:
        return prod(self.shape)

    @property
    def signature(self) -> str:
        return f"({','.join(map(str, self.shape))})"


def signature(inputs: tuple[Port, ...], outputs: tuple[Port, ...]) -> str:
    """The gufunc's signature; all sizes are frozen."""
    left, right = (",".join(port.signature for port in ports) for ports in (inputs, outputs))
    return f"{left}->{right}"
