"""Functions: a program on one engine, its arguments, its results, and the kernels that later calls find ready."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, final

import numpy as np

from soadyn.engine.engine import Engine, PassiveSet, Prepared
from soadyn.engine.tracing.ports import ports_of
from soadyn.errors import ArgumentError
from soadyn.programs.sweep.inputs import is_supplied
from soadyn.programs.sweep.program import Derivative, Program, with_derivative
from soadyn.robot.arguments.arguments import numbers
from soadyn.robot.arguments.inputs import Vector
from soadyn.robot.arguments.selection import Results
from soadyn.robot.calling.run_program import NO_VALUES, outputs_of, precision_of, unpacked

Arrays = Sequence[np.ndarray]


@final
class Function:
    """A program's results as a function of some of its inputs; the others are `fixed`.

    The kernels that serve a call are kept by size of batch, also those of derivatives. Then `quick` gives the results
    for arrays that need no checks, and None for all else. `results` is None where callers get the outputs as they are.
    Code may be made for a `passive` set.
    """

    def __init__(
        self,
        name: str,
        engine: Engine,
        program: Program,
        vectors: Sequence[Vector],
        fixed: Mapping[str, Any] = NO_VALUES,
        results: Results | None = None,
        passive: PassiveSet | None = None,
    ) -> None:
        self.name, self.engine, self.program, self.vectors = name, engine, program, tuple(vectors)
        self._fixed, self._results, self._passive = fixed, results, passive
        self._inputs = [vector.input for vector in vectors]
        self._called = {vector.input: vector.name for vector in vectors}
        self._ports = [(i, vector.port) for i, vector in enumerate(vectors) if vector.port]
        self._prepared = Prepared()
        self._others: dict[Any, Function] = {}  # of other programs: derivatives
        self._gives_parts = False

    @property
    def quick(self) -> Callable[..., Any]:
        """What later calls can try first."""
        return self._prepared.call if not self._ports and self._results is None else self._quick

    def _quick(self, *values: Any) -> Any:
        found = self._prepared.call(*self._arrays(values))
        if found is None or self._results is None:
            return found
        return self.taken(found if type(found) is tuple else (found,), self._gives_parts)

    def _arrays(self, values: Sequence[Any]) -> Sequence[Any]:
        """What kernels take."""
        arrays = list(values)
        for i, port in self._ports:
            arrays[i] = port(values[i])
        return arrays

    def __call__(self, *values: Any) -> Any:
        """The result, or the tuple of results, for a value of each vector."""
        found = self.quick(*values)
        return self.checked(*values) if found is None else found

    def checked(self, *values: Any, keep: bool = True) -> Any:
        """The same for arguments that have to be checked."""
        inputs = self.inputs(values)
        # Single precision if every array that was passed is.
        passed = [x for x in values if isinstance(x, np.ndarray)]
        read = [x for x in inputs.values() if isinstance(x, np.ndarray)]
        single = precision_of(passed or read) == "float32"
        precision = "float32" if single else precision_of(read, single=False)
        outputs, call = outputs_of(self.engine, self.program, inputs, precision, self._called, self._passive)
        if keep and call is not None:
            self._gives_parts = call.gives_parts
            self._prepared.keep(call, self._inputs)
        return self.taken(outputs, call is not None and call.gives_parts)

    def inputs(self, values: Sequence[Any]) -> dict[str, Any]:
        """What the program reads, from a checked value of each vector."""
        read = {vector.input: vector.read(x) for vector, x in zip(self.vectors, values, strict=True)}
        return {**read, **self._fixed}

    def taken(self, outputs: Arrays, are_parts: bool = False) -> Any:
        """What callers get of the program's outputs, or of those `parts` of them that a kernel gave."""
        if self._results is None:
            return unpacked(outputs)
        return unpacked(outputs if are_parts else self._results.take(outputs), self._results.each)

    # Derivatives: functions of the same vectors, of weights of the results, and of directions.

    def jvp(self, at: Sequence[Any], along: Any) -> tuple[Any, Any]:
        """The results, and their rates along a direction: one for each vector, None where one does not change."""
        outputs, own = self._differentiated("jvp", at, (), along), len(self.program.outputs)
        return self.taken(outputs[:own]), self.taken(outputs[own:])

    def vjp(self, at: Sequence[Any], weights: Any) -> tuple[Any, tuple[np.ndarray, ...]]:
        """The results, and the derivatives of their weighted sum by each vector."""
        outputs, own = self._differentiated("vjp", at, self._spread(weights), ()), len(self.program.outputs)
        return self.taken(outputs[:own]), self._handed_back(outputs[own:])

    def hvp(self, at: Sequence[Any], weights: Any, along: Any) -> tuple[tuple[np.ndarray, ...], tuple[np.ndarray, ...]]:
        """The derivatives of the weighted sum by each vector, and their rates along a direction."""
        outputs = self._differentiated("hvp", at, self._spread(weights), along)
        # The results, their derivatives by each vector, and the rates of all of them.
        own, half = len(self.program.outputs), len(outputs) // 2
        return self._handed_back(outputs[own:half]), self._handed_back(outputs[half + own :])

    def alike(self, program: Program) -> Function:
        """Another program as a function of the same vectors."""
        if program.name not in self._others:
            self._others[program.name] = Function(self.name, self.engine, program, self.vectors, self._fixed)
        return self._others[program.name]

    def _differentiated(self, what: str, at: Sequence[Any], weights: Arrays, along: Any) -> Arrays:
        """The program's outputs and their derivatives."""
        key = (what, *[d is None for d in along]) if isinstance(along, tuple | list) else what
        function = self._others.get(key)
        if function is None:
            function = self._others[key] = self._derivative(what, along)
        found = function(*at, *weights, *[d for d in along if d is not None])
        return found if type(found) is tuple else (found,)

    def _derivative(self, what: str, along: Any) -> Function:
        """The function that gives the program's outputs and derivatives, by what changes along a direction."""
        changing = [] if what == "vjp" else self._changing(what, along)
        program, vectors = self.program, list(self.vectors)
        if what != "jvp":
            program = with_derivative(program, Derivative("gradient", tuple(self._inputs)))
            ports = ports_of(self.program, self.engine.model)[1]
            read = [np.asarray if self._results else partial(self._weight, shape=port.shape) for port in ports]
            vectors += [Vector("weights", f"w:{port.name}", x, x) for port, x in zip(ports, read, strict=True)]
        if changing:
            program = with_derivative(program, Derivative("tangent", tuple(vector.input for vector in changing)))
            vectors += [vector.direction for vector in changing]
        return Function(self.name, self.engine, program, vectors, self._fixed)

    def _changing(self, what: str, along: Any) -> list[Vector]:
        """The vectors that have a direction."""
        check_directions(f"{what} of {self.name}", [vector.name for vector in self.vectors], along)
        return [vector for vector, d in zip(self.vectors, along, strict=True) if d is not None]

    def _spread(self, weights: Any) -> Arrays:
        """Weights of the program's outputs."""
        results = self._results
        count = len(results.shapes if results else self.program.outputs)
        if count == 1 and results is None:
            return (weights,)
        if count > 1 and not (isinstance(weights, tuple | list) and len(weights) == count):
            raise ArgumentError(
                f"vjp of {self.name}: weights takes a tuple with an array for each of its {count} results"
            )
        given = weights if count > 1 else (weights,)
        if results is None:
            return tuple(given)
        return results.spread([self._weight(x, shape) for x, shape in zip(given, results.shapes, strict=True)])

    def _weight(self, x: Any, shape: tuple[int, ...]) -> np.ndarray:
        return numbers("weights", x, *shape, meaning=f"one number for each entry of a result of {self.name}")

    def _handed_back(self, found: Arrays) -> tuple[np.ndarray, ...]:
        """What callers get of the derivatives by each vector."""
        pairs = zip(self.vectors, found, strict=True)
        return tuple(x if vector.handed_back is None else vector.handed_back(x) for vector, x in pairs)


def check_point(of: str, names: Sequence[str], at: Any, fewest: int | None = None) -> None:
    """Refuse what is no value for each of these vectors, of which those behind the `fewest` may be left out."""
    listed = isinstance(at, tuple | list)
    if not listed or not (len(names) if fewest is None else fewest) <= len(at) <= len(names):
        got = f"{len(at)} values" if listed else f"{at!r:.60}"
        raise ArgumentError(f"{of} is differentiated at a tuple ({', '.join(names)}); got {got}")


def check_directions(of: str, names: Sequence[str], along: Any) -> None:
    """Refuse what is no direction for each of these vectors; those that do not change have None."""
    told = f"for each of ({', '.join(names)})"
    if not isinstance(along, tuple | list):
        raise ArgumentError(f"{of}: along takes a tuple, a direction or None {told}; got {along!r:.60}")
    if len(along) != len(names):
        raise ArgumentError(f"{of}: along has {len(along)} directions; it takes one, or None, {told}")
    if all(d is None for d in along):
        raise ArgumentError(f"{of}: no direction is given; all of `along` is None")


def program_function(engine: Engine, program: Program, values: Mapping[str, Any] = NO_VALUES) -> Function:
    """A program as a function of arrays in the order of its inputs, each with batch axes in front; nothing is checked.

    `values` are those of an engine's parameters.

    >>> from soadyn.loading import load_model
    >>> from soadyn.programs.sweep.moving import INTEGRATE
    >>> integrate = program_function(Engine(load_model("planar_two_link")), INTEGRATE)
    >>> integrate(np.array([0.0, 0.5]), np.array([0.1, 0.2]))
    array([0.1, 0.7])
    """
    return Function(program.name, engine, program, [as_it_is(name) for name in own_inputs(program)], values)


def own_inputs(program: Program) -> list[str]:
    """A program's inputs but for those that the model supplies."""
    return [name for name in program.inputs if not is_supplied(name)]


def as_it_is(name: str, called: str | None = None) -> Vector:
    """An argument that was checked before, by the program's name for it and by the caller's."""
    return Vector(called or name, name, np.asarray, np.asarray)
