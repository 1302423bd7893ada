"""Operations in an order that keeps few values waiting."""

from __future__ import annotations

import numpy as np

from native_cases import robot_named
from soadyn.engine.constants.constants import constants_of
from soadyn.engine.tracing import Graph
from soadyn.engine.tracing.schedule import depth_first
from soadyn.engine.tracing.traced import traced
from soadyn.programs.sweep.algorithms import without_external
from soadyn.theory.formula import dynamics


def most_waiting(graph: Graph, order: list[int], results: list[int]) -> int:
    """How many values of an order are alive at once, at most."""
    place = {node: i for i, node in enumerate(order)}
    last = {node: len(order) for node in results}
    for i, node in enumerate(order):
        for x in graph.nodes[node][1:]:
            if x in place:
                last.setdefault(x, i)
                last[x] = max(last[x], i)
    change = np.zeros(len(order) + 2, dtype=int)
    for node, end in last.items():
        change[place[node]] += 1
        change[end] -= 1
    return int(change.cumsum().max())


def test_every_operation_comes_once_and_after_its_operands_and_fewer_values_wait() -> None:
    robot = robot_named("every kind on a free base")
    trace = traced(without_external(dynamics.forward_dynamics()), constants_of(robot.model), {})
    graph = trace.graph
    nodes = [node for node in graph.live(trace.results) if graph.nodes[node][0] not in ("input", "constant")]
    results = [x.node for x in trace.results] + [x.node for x in graph.guards]
    order = depth_first(graph, nodes, {}, results)
    assert sorted(order) == nodes
    place = {node: i for i, node in enumerate(order)}
    assert all(place[x] < place[node] for node in order for x in graph.nodes[node][1:] if x in place)
    assert most_waiting(graph, order, results) < most_waiting(graph, nodes, results)


def test_the_operand_that_needs_more_registers_comes_first() -> None:
    graph = Graph()
    a, b, c, d = (graph.input(name) for name in "abcd")
    few, many = a + b, (a * c + b * d) * (a * d + b * c)
    total = few + many
    order = depth_first(
        graph, [node for node in graph.live([total]) if graph.nodes[node][0] != "input"], {}, [total.node]
    )
    assert order[-2:] == [few.node, total.node]
