"""Functions: a program on one engine, its arguments, its results, and the kernels that later calls find ready."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, final

import numpy as np

from soadyn.engine.engine import Engine, Memory, PassiveSet, Prepared
from soadyn.engine.tracing.ports import ports_of
from soadyn.programs.sweep.program import Program
from soadyn.robot.arguments.inputs import Vector
from soadyn.robot.calling import differentiation
from soadyn.robot.calling.differentiation import Differentiated
from soadyn.robot.calling.run_program import outputs_of, precision_of, unpacked

NO_VALUES: Mapping[str, Any] = MappingProxyType({})
Arrays = Sequence[np.ndarray]


@final
@dataclass(frozen=True, slots=True)
class Results:
    """What callers get of a program's outputs: `take` makes it, `spread` is its adjoint, and `shapes` are its shapes.

    `each` results form a tuple of their own, if it is not 0.
    """

    take: Callable[[Arrays], Arrays]
    spread: Callable[[Arrays], Arrays]
    shapes: tuple[tuple[int, ...], ...]
    each: int = 0


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
        self._has_half = any(vector.is_half for vector in vectors)
        self._prepared = Prepared()
        self._derivatives: dict[Any, Prepared] = {}
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
        if not self._ports:
            return values
        arrays = list(values)
        for i, port in self._ports:
            arrays[i] = port(values[i])
        return arrays

    def __call__(self, *values: Any) -> Any:
        """The result, or the tuple of results, for a value of each vector."""
        found = self.quick(*values)
        return self.checked(*values) if found is None else found

    def checked(self, *values: Any, memory: Memory | None = None, keep: bool = True) -> Any:
        """The same for arguments that have to be checked; `memory` is the reference's at the same state."""
        inputs = self.inputs(values)
        # Single precision if every array that was passed is.
        passed = [x for x in values if isinstance(x, np.ndarray)]
        read = [x for x in inputs.values() if isinstance(x, np.ndarray)]
        single = precision_of(passed or read) == "float32"
        precision = "float32" if single else precision_of(read, single=False)
        outputs, call = outputs_of(self.engine, self.program, inputs, precision, memory, self._called, self._passive)
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

    # Derivatives

    def at(self, values: Sequence[Any]) -> Differentiated:
        """The function at a point, to be differentiated."""
        results = self._results
        ports = ports_of(self.program, self.engine.model)[1]
        return Differentiated(
            self.name,
            self.engine,
            self.program,
            self.inputs(values),
            self.vectors,
            lambda outputs: unpacked(results.take(outputs) if results else outputs),
            results.spread if results else list,
            results.shapes if results else tuple(port.shape for port in ports),
        )

    def jvp(self, at: Sequence[Any], along: Any) -> tuple[Any, Any]:
        """The results, and their rates along a direction: one for each vector, None where one does not change."""
        kept, found = self._derivative("jvp", at, (), along)
        if found is None:
            return differentiation.jvp(self.at(at), along, kept.keep)
        own = len(found) // 2
        return unpacked(found[:own]), unpacked(found[own:])

    def vjp(self, at: Sequence[Any], weights: Any) -> tuple[Any, tuple[np.ndarray, ...]]:
        """The results, and the derivatives of their weighted sum by each vector."""
        kept, found = self._derivative("vjp", at, weights, ())
        if found is None:
            return differentiation.vjp(self.at(at), weights, kept.keep)
        own = len(found) - len(at)
        return unpacked(found[:own]), tuple(found[own:])

    def hvp(self, at: Sequence[Any], weights: Any, along: Any) -> tuple[tuple[np.ndarray, ...], tuple[np.ndarray, ...]]:
        """The derivatives of the weighted sum by each vector, and their rates along a direction."""
        kept, found = self._derivative("hvp", at, weights, along)
        if found is None:
            return differentiation.hvp(self.at(at), weights, along, kept.keep)
        # The results, their derivatives by each vector, and the rates of all of them.
        count, half = len(at), len(found) // 2
        return tuple(found[half - count : half]), tuple(found[-count:])

    def _derivative(self, what: str, at: Sequence[Any], weights: Any, along: Any) -> tuple[Prepared, Arrays | None]:
        """What keeps a derivative's kernels, and the outputs if they serve such arrays."""
        are_tuples = type(along) is tuple and type(at) is tuple and len(at) == len(self.vectors)
        if self._results or not are_tuples or self._has_half:
            return Prepared(), None
        key = (what, *[d is None for d in along])
        kept = self._derivatives.get(key)
        if kept is None:
            kept = self._derivatives[key] = Prepared()
        several = weights if type(weights) is tuple else (weights,)
        found = kept.call(*self._arrays(at), *several, *[d for d in along if d is not None])
        return kept, found if found is None or type(found) is tuple else (found,)


def program_function(engine: Engine, program: Program, values: Mapping[str, Any] = NO_VALUES) -> Function:
    """A program as a function of arrays in the order of its inputs, each with batch axes in front; nothing is checked.

    `values` are those of an engine's parameters.

    >>> from soadyn.loading import load_model
    >>> from soadyn.programs.sweep.moving import INTEGRATE
    >>> integrate = program_function(Engine(load_model("planar_two_link")), INTEGRATE)
    >>> integrate(np.array([0.0, 0.5]), np.array([0.1, 0.2]))
    array([0.1, 0.7])
    """
    return Function(program.name, engine, program, [as_it_is(name) for name in program.inputs], values)


def as_it_is(name: str, called: str | None = None) -> Vector:
    """An argument that was checked before, by the program's name for it and by the caller's."""
    return Vector(called or name, name, np.asarray, np.asarray)
