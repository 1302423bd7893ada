"""Derivatives of what a program computes: along a direction of its arguments, and of a weighted sum of its results."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any, final

import numpy as np

from soadyn.engine.engine import Call, Engine
from soadyn.engine.tracing.ports import ports_of
from soadyn.errors import ArgumentError
from soadyn.programs.sweep.program import Derivative, Program, with_derivative
from soadyn.robot.arguments import arguments
from soadyn.robot.arguments.inputs import Vector
from soadyn.robot.calling.run_program import outputs_of, precision_of

# Keeps a native call for arguments of these names.
Keep = Callable[[Call | None, Sequence[str]], None]


@final
@dataclass(frozen=True, slots=True)
class Differentiated:
    """A program with its inputs at a point, and the arguments given there, in the caller's order.

    `results` makes what a caller gets of the program's outputs; `weights` makes one array for each output of what a
    caller gives, and `shapes` are those of the results, for messages.
    """

    name: str
    engine: Engine
    program: Program
    inputs: dict[str, Any]
    vectors: tuple[Vector, ...]
    results: Callable[[Sequence[np.ndarray]], Any]
    weights: Callable[[Sequence[np.ndarray]], Sequence[np.ndarray]]
    shapes: tuple[tuple[int, ...], ...]

    def outputs(
        self, derivatives: tuple[Derivative, ...], further: dict[str, np.ndarray], keep: Keep
    ) -> Sequence[np.ndarray]:
        """The outputs of the program with these derivatives, which reads `further` inputs."""
        inputs = {**self.inputs, **further}
        precision = precision_of(x for x in inputs.values() if isinstance(x, np.ndarray))
        program = reduce(with_derivative, derivatives, self.program)
        called = {vector.input: vector.name for vector in self.vectors}
        outputs, call = outputs_of(self.engine, program, inputs, precision, called=called)
        keep(call, [*(vector.input for vector in self.vectors), *further])
        return outputs


def nothing_kept(call: Call | None, names: Sequence[str]) -> None:
    """Keeps no call."""


def jvp(problem: Differentiated, along: Any, keep: Keep = nothing_kept) -> tuple[Any, Any]:
    """The results, and their rates along a direction: one for each argument, None where one does not change."""
    chosen = _chosen(problem, along, "jvp")
    tangents = {f"d:{vector.input}": vector.change(x) for vector, x in chosen}
    by = (Derivative("tangent", tuple(vector.input for vector, _ in chosen)),)
    outputs = problem.outputs(by, tangents, keep)
    own = len(problem.program.outputs)
    return problem.results(outputs[:own]), problem.results(outputs[own:])


def vjp(problem: Differentiated, weights: Any, keep: Keep = nothing_kept) -> tuple[Any, tuple[np.ndarray, ...]]:
    """The results, and the derivatives of their weighted sum by each argument."""
    whole = _weighted(problem, weights)
    by = (Derivative("gradient", tuple(vector.input for vector in problem.vectors)),)
    outputs = problem.outputs(by, whole, keep)
    own = len(problem.program.outputs)
    found = zip(problem.vectors, outputs[own:], strict=True)
    return problem.results(outputs[:own]), tuple(_handed_back(vector, x) for vector, x in found)


def hvp(
    problem: Differentiated, weights: Any, along: Any, keep: Keep = nothing_kept
) -> tuple[tuple[np.ndarray, ...], tuple[np.ndarray, ...]]:
    """The derivatives of the weighted sum of the results by each argument, and their rates along a direction."""
    chosen = _chosen(problem, along, "hvp")
    inputs = {**_weighted(problem, weights), **{f"d:{vector.input}": vector.change(x) for vector, x in chosen}}
    by = tuple(vector.input for vector in problem.vectors)
    both = Derivative("gradient", by), Derivative("tangent", tuple(v.input for v, _ in chosen))
    outputs = problem.outputs(both, inputs, keep)
    own, count = len(problem.program.outputs), len(by)
    first, second = outputs[own : own + count], outputs[2 * own + count :]
    found = [
        tuple(_handed_back(vector, x) for vector, x in zip(problem.vectors, many, strict=True))
        for many in (first, second)
    ]
    return found[0], found[1]


def _handed_back(vector: Vector, x: np.ndarray) -> np.ndarray:
    """What a caller gets of a derivative by a vector."""
    return x if vector.handed_back is None else vector.handed_back(x)


def _chosen(problem: Differentiated, along: Any, what: str) -> list[tuple[Vector, Any]]:
    """The vectors that change, with their directions."""
    directions = _listed(problem, along, what)
    chosen = [(vector, x) for vector, x in zip(problem.vectors, directions, strict=True) if x is not None]
    if not chosen:
        raise ArgumentError(f"{what} of {problem.name}: no direction is given; all of `along` is None")
    return chosen


def _weighted(problem: Differentiated, weights: Any) -> dict[str, np.ndarray]:
    """Weights as inputs of the program."""
    ports = ports_of(problem.program, problem.engine.model)[1]
    whole = problem.weights(_weights(problem, weights))
    return {f"w:{port.name}": x for port, x in zip(ports, whole, strict=True)}


def _listed(problem: Differentiated, along: Any, what: str) -> tuple[Any, ...]:
    names = ", ".join(vector.name for vector in problem.vectors)
    if not isinstance(along, tuple | list):
        raise ArgumentError(
            f"{what} of {problem.name}: along takes a tuple, a direction or None for each of ({names}); "
            f"got {along!r:.60}"
        )
    if len(along) != len(problem.vectors):
        raise ArgumentError(
            f"{what} of {problem.name}: along has {len(along)} directions; it takes one, or None, for each of ({names})"
        )
    return tuple(along)


def _weights(problem: Differentiated, weights: Any) -> list[np.ndarray]:
    several = len(problem.shapes) > 1
    if several and not (isinstance(weights, tuple | list) and len(weights) == len(problem.shapes)):
        raise ArgumentError(
            f"vjp of {problem.name}: weights takes a tuple with an array for each of its {len(problem.shapes)} results"
        )
    given = weights if several else (weights,)
    return [
        arguments.numbers("weights", x, *shape, meaning=f"one number for each entry of a result of {problem.name}")
        for x, shape in zip(given, problem.shapes, strict=True)
    ]
