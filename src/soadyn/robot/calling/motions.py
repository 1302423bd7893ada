"""Configurations moved along rates, and the rates between two of them: arguments checked, then machine code.

What the kernels do not compute, the functions of `model.configuration` do: other numbers than floats, tied joints,
and rows without an answer, in which only the numbers of the joint concerned are not finite.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, final

import numpy as np

from soadyn.engine.engine import Engine
from soadyn.model import configuration
from soadyn.model.coordinates import Coordinates
from soadyn.programs.sweep.moving import DIFFERENCE, INTEGRATE
from soadyn.programs.sweep.program import Program
from soadyn.robot.arguments import arguments
from soadyn.robot.calling.evaluate import precision_of
from soadyn.robot.calling.quantity_calls import QuantityCalls


@final
@dataclass(frozen=True, slots=True)
class Motion:
    """One of both functions: its arguments, what computes it on any numbers, and the program of its kernels."""

    name: str
    names: tuple[str, str]
    function: Callable[[Coordinates, Any, Any], np.ndarray]
    program: Program

    def read(self, space: Coordinates, first: Any, second: Any) -> tuple[np.ndarray, np.ndarray]:
        """Both arguments checked."""
        x = arguments.coordinates(space, first, self.names[0])
        read = arguments.joint_vector if self.name == "integrate" else arguments.coordinates
        y = read(space, second, self.names[1])
        arguments.batch_shape(dict(zip(self.names, (x, y), strict=True)), dict.fromkeys(self.names, 1))
        return x, y


MOTIONS = MappingProxyType(
    {
        motion.name: motion
        for motion in (
            Motion("integrate", ("q", "dv"), configuration.integrate, INTEGRATE),
            Motion("difference", ("q0", "q1"), configuration.difference, DIFFERENCE),
        )
    }
)


def moved(engine: Engine, calls: QuantityCalls, name: str, first: Any, second: Any) -> np.ndarray:
    """The result of a motion; its kernel is kept for the next call.

    >>> from soadyn.loading import load_model
    >>> engine = Engine(load_model("planar_two_link"))
    >>> moved(engine, QuantityCalls(engine.model), "integrate", [0.0, 0.5], [0.1, 0.2])
    array([0.1, 0.7])
    """
    motion = MOTIONS[name]
    x, y = motion.read(engine.coordinates, first, second)
    precision = precision_of((x, y))
    if engine.kernels is not None and precision is not None and not engine.coordinates.tied:
        inputs = dict(zip(motion.program.inputs, (x, y), strict=True))
        batch = np.broadcast_shapes(x.shape[:-1], y.shape[:-1])
        (result,), faults, call = engine.run(motion.program, inputs, batch, precision)
        if not faults:
            if call is not None and precision == "float64":
                calls.keep_motion(name, call)
            return result
    return motion.function(engine.coordinates, x, y)
