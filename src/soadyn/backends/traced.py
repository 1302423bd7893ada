"""A program traced on one robot: its link functions run once on recorded scalars, the robot's constants known."""

from __future__ import annotations

import itertools
from bisect import bisect_left
from collections import Counter
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from soadyn.backends.constants import Constants
from soadyn.backends.layout import laid_out
from soadyn.backends.numpy import Evaluation
from soadyn.backends.ports import Port, ports_of
from soadyn.backends.regrouping import constants_for
from soadyn.model.model import Model
from soadyn.spatial.transform import Transform
from soadyn.sweep.program import COLUMNS, FRAMES, NUMBERS, Program, step_of
from soadyn.tracing import Graph, tracing_into

# The world's own frame, as the reference takes it: the link that carries it, and its placement there.
WORLD = (0, Transform.identity())
# Inputs that follow from the frame's link, which is known in a trace.
MARKS = ("on_path", "at_frame")
# Of so many recorded operations at least one is needed for the results.
RECORDED = 2


class TooLongError(Exception):
    """A trace has more operations than wanted."""


@final
@dataclass(frozen=True, slots=True)
class Traced:
    """The graph, the scalars of each argument and result in row order, and the graph's length after each stage."""

    graph: Graph
    inputs: dict[Port, Sequence[Any]]
    outputs: dict[Port, Sequence[Any]]
    stages: tuple[tuple[str, int], ...]

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
    array = np.empty(port.shape, dtype=object)
    for index in np.ndindex(port.shape):
        array[index] = graph.input(f"{port.name}{list(index)}")
    return array


def traced(
    program: Program,
    constants: Constants,
    links: Mapping[str, int],
    graph: Graph | None = None,
    parameters: Mapping[Port, np.ndarray[Any, Any]] | None = None,
    known: Mapping[str, Any] | None = None,
    longest: int | None = None,
) -> Traced:
    """The trace of a program on a robot; `links` says which link carries each frame.

    Inputs in `known` are no arguments: their values, in the form that the reference takes, are folded in. `parameters`
    are further arguments, recorded in `graph` already, on which constants or `known` values depend. TooLongError is
    raised if there are more than `longest` operations, as soon as that is certain enough.
    """
    known = known or {}
    graph = graph or Graph()
    constants = constants_for(program, constants)
    inputs, outputs = ports_of(program, constants.model)
    given: dict[str, Any] = {}
    scalars: dict[Port, Sequence[Any]] = {}
    for port in inputs:
        if port.name in known:
            given[port.name] = known[port.name]
            continue
        if port.name in MARKS:
            carrier = links["frame"]
            links_marked = set(constants.model.ancestors(carrier)) if port.name == "on_path" else {carrier}
            given[port.name] = [float(k in links_marked) for k in range(constants.model.n + 1)]
            continue
        array = recorded(graph, port)
        scalars[port] = list(array.flat)
        given[port.name] = _as_value(port, array, links)
    scalars.update((port, list(array.flat)) for port, array in (parameters or {}).items())
    evaluation = Evaluation(constants, given)
    stages = []
    token = tracing_into.set(graph)
    try:
        for stage in program.stages:
            evaluation.values.update(evaluation.written_by(stage))
            stages.append((step_of(stage).__name__, len(graph.nodes)))
            if longest is not None and len(graph.nodes) > RECORDED * longest:
                raise TooLongError
    finally:
        tracing_into.reset(token)
    results: dict[Port, Sequence[Any]] = {}
    for port, output in zip(outputs, program.outputs, strict=True):
        value = laid_out(evaluation.values[output.value], output.layout, constants, ())
        results[port] = list(np.asarray(value).flat)
    trace = Traced(graph, scalars, results, (*stages[:-1], (stages[-1][0], len(graph.nodes))))
    if longest is not None and trace.operations > longest:
        raise TooLongError
    return trace


def arguments_of(program: Program, model: Model, known: Container[str]) -> list[Port]:
    """The arguments that are left of a program's inputs in its trace, without parameters."""
    return [port for port in ports_of(program, model)[0] if port.name not in known and port.name not in MARKS]


def _as_value(port: Port, array: Any, links: Mapping[str, int]) -> Any:
    """A port's scalars in the form that the reference takes."""
    match port.name:
        case name if name in FRAMES:
            return links[port.name], Transform(array[1:10].reshape(3, 3), array[10:].reshape(3, 1))
        case name if name in COLUMNS:
            return array[:, None]
        case name if name in NUMBERS:
            return array[0]
        case _:
            return array
