"""The array arguments and results of a program's kernel for one robot."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import final

from soadyn.model.model import Model
from soadyn.sweep.program import COLUMNS, FRAMES, NUMBERS, Output, Program, Size, share_of

# A frame: the link that carries it, then its rotation row by row and its position in the sweeps' link frame.
FRAME_NUMBERS = 13


@final
@dataclass(frozen=True, slots=True)
class Port:
    """An array argument or result: its name, and its shape after the batch axes."""

    name: str
    shape: tuple[int, ...]

    @property
    def count(self) -> int:
        return prod(self.shape)

    @property
    def signature(self) -> str:
        return f"({','.join(map(str, self.shape))})"


def input_port(name: str, model: Model) -> Port:
    """The argument of that name."""
    match name:
        case "q":
            return Port(name, (model.nq,))
        case _ if share_of(name) == "wrench":
            return Port(name, (len(model.visible), 6))
        case _ if name in FRAMES:
            return Port(name, (FRAME_NUMBERS,))
        case "on_path" | "at_frame":
            return Port(name, (model.n + 1,))
        case _ if name in COLUMNS:
            return Port(name, (COLUMNS[name],))
        case _ if name in NUMBERS:
            return Port(name, (1,))
        case _:
            return Port(name, (model.nv,))


def output_port(output: Output, model: Model) -> Port:
    """The result that an output describes."""
    links = len(model.visible)
    sizes: dict[Size, int] = {"nq": model.nq, "nv": model.nv, "links": links, "parameters": 10 * links}
    return Port(output.value, tuple(n if isinstance(n, int) else sizes[n] for n in output.shape))


def ports_of(program: Program, model: Model) -> tuple[tuple[Port, ...], tuple[Port, ...]]:
    """All arguments and results of a program."""
    inputs = tuple(input_port(name, model) for name in program.inputs)
    return inputs, tuple(output_port(output, model) for output in program.outputs)


def signature(inputs: tuple[Port, ...], outputs: tuple[Port, ...]) -> str:
    """The signature of a gufunc with these ports; all sizes are frozen."""
    left, right = (",".join(port.signature for port in ports) for ports in (inputs, outputs))
    return f"{left}->{right}"
