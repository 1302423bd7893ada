"""A program traced on one robot: its link functions run once on recorded scalars, the robot's constants known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from soadyn.engine import policy
from soadyn.engine.constants.constants import Constants
from soadyn.engine.constants.regrouping import constants_for
from soadyn.engine.constants.supplied import supplied
from soadyn.engine.reference.layout import laid_out
from soadyn.engine.reference.run import Evaluation
from soadyn.engine.tracing import Graph, TooLongError, tracing_into
from soadyn.engine.tracing.differentiated import with_derivatives, with_first_derivatives
from soadyn.engine.tracing.implicit import ImplicitSolution
from soadyn.engine.tracing.passive_set import PassiveSet
from soadyn.engine.tracing.ports import Port, own_ports
from soadyn.engine.tracing.trace import Traced, recorded
from soadyn.mechanics.spatial.transform import Transform
from soadyn.programs.sweep.combine import one_unit
from soadyn.programs.sweep.inputs import NUMBERS, columns_of, is_frame, marked_by
from soadyn.programs.sweep.program import Program, step_of

# The world's own frame, as the reference takes it: the link that carries it, and its placement there.
WORLD = (0, Transform.identity())


def traced(
    program: Program,
    constants: Constants,
    links: Mapping[str, int],
    graph: Graph | None = None,
    parameters: Mapping[Port, Sequence[Any]] | None = None,
    known: Mapping[str, Any] | None = None,
    longest: int | None = None,
    passive: PassiveSet | None = None,
) -> Traced:
    """The trace of a program on a robot; `links` says which link carries each frame.

    Inputs in `known` are no arguments: their values, in the form that the reference takes, are folded in. `parameters`
    are further arguments, recorded in `graph` already, on which constants or `known` values depend. If the set
    `passive` is known, the results are its parts of the outputs. TooLongError is raised if there are more than
    `longest` operations, as soon as that is certain enough.
    """
    graph = graph or Graph()
    plain, constants = constants, constants_for(program, constants)
    own = {"passive": np.array(passive.mask)} if passive else {}
    known = {**supplied(program, constants), **(known or {}), **own}
    inputs, _ = own_ports(program, constants.model)
    given: dict[str, Any] = {}
    scalars: dict[Port, Sequence[Any]] = {}
    for port in inputs:
        if port.name in known:
            given[port.name] = known[port.name]
            continue
        if (frame := marked_by(port.name)) is not None:  # follows from the frame's link, which is known in a trace
            carrier = links[frame]
            links_marked = set(constants.model.ancestors(carrier)) if port.name == "on_path" else {carrier}
            given[port.name] = [float(k in links_marked) for k in range(constants.model.n + 1)]
            continue
        array = recorded(graph, port)
        scalars[port] = list(array.flat)
        given[port.name] = _as_value(port, array, links)
    scalars.update((port, list(x)) for port, x in (parameters or {}).items())
    if longest is not None:
        graph.longest = policy.MOST_RECORDED * longest + len(graph.nodes)
    results, stages = _recorded_results(program, constants, given, graph)
    results = passive.taken(results) if passive else results
    trace = Traced(graph, scalars, results, (*stages[:-1], (stages[-1][0], len(graph.nodes))))

    def retrace(same: Program, known: Mapping[str, Any]) -> Traced:
        return traced(same, plain, links, graph, known=known)

    rule, model = program.implicit, constants.model
    for i, derivative in enumerate(program.derivatives):
        if derivative.mode == "first":
            assert rule is not None
            trace = with_first_derivatives(trace, rule, given, model, retrace)
            continue
        solves = rule is not None and i == 0 and derivative.mode != "jacobian"
        solution = ImplicitSolution(trace, rule, given, model.nv, retrace) if rule and solves else None
        trace = with_derivatives(trace, derivative, model, solution)
    if longest is not None and trace.operations > longest:
        raise TooLongError
    return trace


def _recorded_results(
    program: Program, constants: Constants, given: Mapping[str, Any], graph: Graph
) -> tuple[dict[Port, Sequence[Any]], list[tuple[str, int]]]:
    """The scalars of each result, and the graph's length after each stage."""
    outputs = own_ports(program, constants.model)[1]
    if program.units:
        columns = []
        for unit in np.eye(constants.model.nv):
            wider = {**given, program.units: unit}
            columns.append(_recorded_results(one_unit(program), constants, wider, graph))
        results: dict[Port, Sequence[Any]] = {
            port: list(np.stack([list(found.values())[i] for found, _ in columns], axis=-1).flat)
            for i, port in enumerate(outputs)
        }
        return results, [stage for _, stages in columns for stage in stages]
    evaluation = Evaluation(constants, given)
    stages: list[tuple[str, int]] = []
    token = tracing_into.set(graph)
    try:
        for stage in program.stages:
            evaluation.values.update(evaluation.written_by(stage))
            stages.append((step_of(stage).__name__, len(graph.nodes)))
    finally:
        tracing_into.reset(token)
    results = {}
    for port, output in zip(outputs, program.outputs, strict=True):
        value = laid_out(evaluation.values[output.value], output, constants, ())
        results[port] = list(np.asarray(value).flat)
    return results, stages


def _as_value(port: Port, array: Any, links: Mapping[str, int]) -> Any:
    """A port's scalars in the form that the reference takes."""
    match port.name:
        case name if is_frame(name):
            return links[port.name], Transform(array[1:10].reshape(3, 3), array[10:].reshape(3, 1))
        case name if columns_of(name) is not None:
            return array[:, None]
        case name if name in NUMBERS:
            return array[0]
        case _:
            return array
