"""The array arguments and results of a program's kernel for one robot."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import prod
from typing import Any, Literal, final

import numpy as np

from soadyn.engine.constants.parameters import NO_PARAMETERS
from soadyn.model.model import Model
from soadyn.programs.sweep.inputs import NUMBERS, columns_of, is_frame, share_of
from soadyn.programs.sweep.program import Derivative, Output, Program, Size

# A frame: the link that carries it, then its rotation row by row and its position in the sweeps' link frame.
FRAME_NUMBERS = 13


@final
@dataclass(frozen=True, slots=True)
class Port:
    """An array argument or result: its name, and its shape after the batch axes.

    Of a step in time: the moment at which it is given, as a share of the step; the evaluation of the equations, by its
    number, at which it is asked for; and whether it is a direction or a weight of what has the name.
    """

    name: str
    shape: tuple[int, ...]
    moment: float | None = None
    evaluation: int | None = None
    change: Literal["", "direction", "weight"] = ""

    @property
    def label(self) -> str:
        """What a trace calls it."""
        about = (self.moment, self.evaluation, self.change)
        return self.name if about == (None, None, "") else f"{self.name} {about}"

    @property
    def count(self) -> int:
        return prod(self.shape)


def input_port(name: str, model: Model) -> Port:
    """The argument of that name."""
    match name:
        case _ if share_of(name) == "coordinates":
            return Port(name, (model.nq,))
        case _ if share_of(name) == "wrench":
            return Port(name, (len(model.visible), 6))
        case _ if is_frame(name):
            return Port(name, (FRAME_NUMBERS,))
        case _ if share_of(name) == "each":
            return Port(name, (model.n + 1,))
        case _ if (count := columns_of(name)) is not None:
            return Port(name, (count,))
        case _ if name in NUMBERS:
            return Port(name, (1,))
        case _:
            return Port(name, (model.nv,))


def output_port(output: Output, model: Model) -> Port:
    """The result that an output describes."""
    links = len(model.visible)
    sizes: dict[Size, int] = {"nq": model.nq, "nv": model.nv, "links": links, "parameters": 10 * links}
    return Port(output.value, tuple(n if isinstance(n, int) else sizes[n] for n in output.shape))


Ports = tuple[tuple[Port, ...], tuple[Port, ...]]


def own_ports(program: Program, model: Model) -> Ports:
    """The arguments and results of a program's stages, without those of its derivatives."""
    inputs = tuple(input_port(name, model) for name in program.inputs)
    outputs: list[Port] = []
    for output in program.outputs:
        port, again = output_port(output, model), sum(output.value == other.value for other in program.outputs)
        # A value that comes out several times has a port of its own each time.
        outputs.append(Port(f"{port.name}@{len(outputs)}", port.shape) if again > 1 else port)
    return inputs, tuple(outputs)


def ports_of(program: Program, model: Model, parameters: Mapping[str, tuple[int, ...]] = NO_PARAMETERS) -> Ports:
    """All arguments and results of a program; parameters, by name and shape, follow the arguments of its stages."""
    inputs, outputs = own_ports(program, model)
    inputs = (*inputs, *(Port(name, shape) for name, shape in parameters.items()))
    for derivative in program.derivatives:
        inputs, outputs = derivative_ports(derivative, inputs, outputs, model)
    return inputs, outputs


def derivative_ports(
    derivative: Derivative, inputs: tuple[Port, ...], outputs: tuple[Port, ...], model: Model
) -> Ports:
    """Arguments and results with those of a derivative behind them."""
    if derivative.mode == "second":
        return inputs, tuple(Port(name, (model.nv,) * 3) for name in ("qq", "vq", "vv", "uq"))
    if derivative.mode == "first":
        return inputs, tuple(Port(name, (model.nv,) * 2) for name in derivative.by)
    by = [tangent_port(next(port for port in inputs if port.name == name), model) for name in derivative.by]
    if derivative.mode == "tangent":
        return (*inputs, *_named("d:", by)), (*outputs, *_named("d:", outputs))
    if derivative.mode == "jacobian":
        pairs = [(name, place, port) for port in outputs for name, place in zip(derivative.by, by, strict=True)]
        return inputs, (*outputs, *(Port(f"j:{name}:{x.name}", (*x.shape, place.count)) for name, place, x in pairs))
    return (*inputs, *_named("w:", outputs)), (*outputs, *_named("g:", by))


def tangent_port(port: Port, model: Model) -> Port:
    """An argument's place with the shape of its directions."""
    return Port("q", (model.nv,)) if port.name == "q" else port


def _named(prefix: str, ports: Iterable[Port]) -> tuple[Port, ...]:
    return tuple(Port(prefix + port.name, port.shape) for port in ports)


def port_array(port: Port, value: Any, dtype: Any = None) -> np.ndarray:
    """An input of a program as the array of its port; without `dtype`, of the input's own numbers."""
    match port.name:
        case name if is_frame(name):
            link, placement = value
            return np.concatenate([[link], placement.R.ravel(), placement.l.ravel()]).astype(dtype)
        case name if columns_of(name) is not None:
            return value[..., 0].astype(dtype or value.dtype, copy=False)
        case name if name in NUMBERS:
            return np.array([value], dtype=dtype)
        case _:
            return np.asarray(value, dtype=dtype)


def signature(inputs: tuple[Port, ...], outputs: tuple[Port, ...]) -> str:
    """The signature of a gufunc with these ports; all sizes are frozen."""
    left, right = (",".join(f"({','.join(map(str, port.shape))})" for port in ports) for ports in (inputs, outputs))
    return f"{left}->{right}"
