"""Configurations moved along rates, and the rates between two of them, as functions with derivatives.

What the kernels do not compute, the functions of `model.configuration` do: other numbers than floats, tied joints,
and rows without an answer, in which only the numbers of the joint concerned are not finite.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, final

import numpy as np

from soadyn.engine.engine import Engine, Prepared
from soadyn.errors import ArgumentError
from soadyn.model.configuration import difference, integrate
from soadyn.model.coordinates import Coordinates
from soadyn.model.motion_derivatives import Blocks, difference_blocks, integration_blocks, times, transposed_times
from soadyn.programs.sweep.moving import DIFFERENCE, INTEGRATE
from soadyn.programs.sweep.program import Program
from soadyn.robot.arguments import arguments
from soadyn.robot.calling.function import check_directions, check_point
from soadyn.robot.calling.run_program import precision_of


@final
@dataclass(frozen=True, slots=True)
class Motion:
    """One of both functions: its arguments, what computes it on any numbers, the program of its kernels.

    `blocks` are its derivatives' where rates do not add, and `signs` those elsewhere.
    """

    name: str
    names: tuple[str, str]
    function: Callable[[Coordinates, Any, Any], np.ndarray]
    program: Program
    blocks: Callable[[Coordinates, np.ndarray], Iterator[Blocks]]
    signs: tuple[float, float]


_MOTIONS = (
    Motion("integrate", ("q", "dv"), integrate, INTEGRATE, integration_blocks, (1.0, 1.0)),
    Motion("difference", ("q0", "q1"), difference, DIFFERENCE, difference_blocks, (-1.0, 1.0)),
)
MOTIONS = MappingProxyType({motion.name: motion for motion in _MOTIONS})


@final
class MotionFunction:
    """A motion of one robot's configurations; its kernels are kept for later calls.

    >>> from soadyn.loading import load_model
    >>> integrate = MotionFunction(Engine(load_model("planar_two_link")), "integrate")
    >>> integrate([0.0, 0.5], [0.1, 0.2])
    array([0.1, 0.7])
    """

    def __init__(self, engine: Engine, name: str) -> None:
        self.motion, self._engine, self._space = MOTIONS[name], engine, engine.coordinates
        self._prepared = Prepared()

    @property
    def quick(self) -> Callable[..., Any]:
        """What gives the result for two arrays that need no checks, and None for all else."""
        return self._prepared.call

    def __call__(self, first: Any, second: Any) -> np.ndarray:
        x, y = self._read(first, second)
        engine, program, precision = self._engine, self.motion.program, precision_of((x, y))
        if engine.kernels is not None and precision is not None and not self._space.tied:
            inputs = dict(zip(program.inputs, (x, y), strict=True))
            batch = np.broadcast_shapes(x.shape[:-1], y.shape[:-1])
            (result,), faults, call = engine.run(program, inputs, batch, precision)
            if not faults:
                self._prepared.keep(call, program.inputs)
                return result
        return self.motion.function(self._space, x, y)

    def _read(self, first: Any, second: Any) -> tuple[np.ndarray, np.ndarray]:
        """Both arguments checked."""
        names = self.motion.names
        x = arguments.coordinates(self._space, first, names[0])
        read = arguments.joint_vector if self.motion.name == "integrate" else arguments.coordinates
        y = read(self._space, second, names[1])
        arguments.batch_shape(dict(zip(names, (x, y), strict=True)), dict.fromkeys(names, 1))
        return x, y

    def jvp(self, at: Any, along: Any) -> tuple[np.ndarray, np.ndarray]:
        """The result, and its change along directions of both arguments, one of which may be None."""
        names, space = self.motion.names, self._space
        value, rates = self._moved(at)
        check_directions(f"jvp of {self.motion.name}", names, along)
        read = [
            d if d is None else arguments.joint_vector(space, d, f"d{x}") for d, x in zip(along, names, strict=True)
        ]
        batch = np.broadcast_shapes(rates.shape[:-1], *(d.shape[:-1] for d in read if d is not None))
        wide = [d if d is None else np.broadcast_to(d, (*batch, space.nv)) for d in read]
        return value, times(self._blocks(rates, batch), self.motion.signs, wide)

    def vjp(self, at: Any, weights: Any) -> tuple[np.ndarray, tuple[np.ndarray, ...]]:
        """The result, and the derivatives of a weighted sum of its change by both arguments."""
        value, rates = self._moved(at)
        w = arguments.joint_vector(self._space, weights, "weights")
        batch = np.broadcast_shapes(rates.shape[:-1], w.shape[:-1])
        whole = np.array(np.broadcast_to(w, (*batch, self._space.nv)))
        blocks = self._blocks(rates, batch)
        return value, tuple(transposed_times(blocks, self.motion.signs, whole))

    def _blocks(self, rates: np.ndarray, batch: tuple[int, ...]) -> Iterator[Blocks]:
        return self.motion.blocks(self._space, np.broadcast_to(rates, (*batch, self._space.nv)))

    def _moved(self, at: Any) -> tuple[np.ndarray, np.ndarray]:
        """The result, and the joint rates of the motion."""
        motion, space = self.motion, self._space
        if space.tied:
            raise ArgumentError(
                f"{motion.name} of robot {space.model.name!r} has no derivatives: it has tied mimic joints"
            )
        check_point(motion.name, motion.names, at)
        first, second = self._read(*at)
        value = motion.function(space, first, second)
        return value, second if motion.name == "integrate" else value
