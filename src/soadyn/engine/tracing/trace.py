"""A trace: what a program does on one robot, as recorded operations between arguments and results."""

from __future__ import annotations

import itertools
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from soadyn.engine.tracing import Graph, TooLongError
from soadyn.engine.tracing.ports import Port
from soadyn.engine.tracing.values import array_of
from soadyn.model.model import Model
from soadyn.programs.sweep.program import Program


@final
@dataclass(frozen=True, slots=True)
class Traced:
    """The graph, the scalars of each argument and result in row order, and the graph's length after each stage."""

    graph: Graph
    inputs: dict[Port, Sequence[Any]]
    outputs: dict[Port, Sequence[Any]]
    stages: tuple[tuple[str, int], ...]

    def argument(self, name: str) -> Sequence[Any]:
        """The scalars of the argument of that name."""
        return next(x for port, x in self.inputs.items() if port.name == name)

    @property
    def results(self) -> list[Any]:
        return [x for values in self.outputs.values() for x in values]

    @property
    def operations(self) -> int:
        """How many operations the results take."""
        return sum(self.counts().values())

    def counts(self) -> dict[str, int]:
        """How many of each operation the results take."""
        return self.graph.counts(self.results)

    def totals_by_stage(self) -> list[int]:
        """How many operations the results take of each stage; each is counted where it is first needed."""
        return [len(nodes) for _, nodes in self._by_stage()]

    def counts_by_stage(self) -> dict[str, dict[str, int]]:
        """How many of each operation, by the name of the stage's step."""
        counts: dict[str, Counter[str]] = {}
        for name, nodes in self._by_stage():
            counts.setdefault(name, Counter()).update(self.graph.nodes[node][0] for node in nodes)
        return {name: dict(found) for name, found in counts.items()}

    def _by_stage(self) -> list[tuple[str, list[int]]]:
        nodes = self.graph.operations(self.results)
        edges = [0, *(bisect_left(nodes, end) for _, end in self.stages)]
        return [(name, nodes[a:b]) for (name, _), (a, b) in zip(self.stages, itertools.pairwise(edges), strict=True)]


def recorded(graph: Graph, port: Port) -> np.ndarray[Any, Any]:
    """An argument's numbers, to be known later."""
    return array_of([graph.input(f"{port.label}{list(index)}") for index in np.ndindex(port.shape)], port.shape)


# The cheapest of several algorithms that compute the same, by operations counted on the robot


def cheapest_trace(program: Program, model: Model, trace: Callable[[Program], Traced]) -> Traced:
    """The trace of the program or of one of its alternatives, whichever takes the fewest operations.

    TooLongError if all of them are too long.
    """
    found: list[Traced] = []
    for same in candidates(program, model):
        with suppress(TooLongError):
            found.append(trace(same))
    if not found:
        raise TooLongError
    return min(found, key=lambda trace: trace.operations)


def candidates(program: Program, model: Model) -> list[Program]:
    """The program and the alternatives that are as accurate on a robot and worth trying on one of its size.

    Articulated bodies remove the directions in which a joint moves freely, without rounding if it has several
    components. A factored mass matrix leaves these directions as differences of large numbers.
    """
    single = all(joint.behaviour.nv == 1 for joint in model.joints)
    small = [x for x in program.alternatives if x.most_components is None or model.nv <= x.most_components]
    return [program, *(x for x in small if single or not any("all.mass" in stage.reads for stage in x.stages))]
