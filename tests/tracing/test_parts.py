"""A trace cut into parts computes what the whole does."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from native_cases import robot_named
from soadyn.engine.constants.constants import constants_of
from soadyn.engine.tracing import Graph, Scalar
from soadyn.engine.tracing.parts import Cut
from soadyn.engine.tracing.schedule import fused_products
from soadyn.engine.tracing.trace import Traced
from soadyn.engine.tracing.traced import traced
from soadyn.programs.sweep.algorithms import without_external
from soadyn.theory.formula import dynamics

OPERATIONS: dict[str, Any] = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "max": max,
    "pivot": lambda a, b: a,
    "norm": lambda a, b: a,
    "negative": lambda a, b: -a,
    "reciprocal": lambda a, b: 1 / a,
    "sqrt": lambda a, b: np.sqrt(a),
    "sin": lambda a, b: np.sin(a),
    "cos": lambda a, b: np.cos(a),
}


def values_of(graph: Graph, inputs: dict[Any, float]) -> list[float]:
    """The value of every node; inputs by name."""
    found: list[float] = []
    for operation, a, b in graph.nodes:
        match operation:
            case "input":
                found.append(inputs[a])
            case "constant":
                found.append(a)
            case _:
                found.append(OPERATIONS[operation](found[a], None if b is None else found[b]))
    return found


def value(x: Any, values: list[float]) -> float:
    return (-1 if x.negative else 1) * values[x.node] if isinstance(x, Scalar) else float(x)


@pytest.fixture(scope="module")
def trace() -> Traced:
    robot = robot_named("every kind on a free base")
    return traced(without_external(dynamics.forward_dynamics()), constants_of(robot.model), {})


def cut_of(trace: Traced, size: int, fused: bool = True) -> tuple[Cut, list[Scalar], list[list[Any]]]:
    inputs = [x for row in trace.inputs.values() for x in row]
    results = trace.results
    pieces = [results[i : i + 4] for i in range(0, len(results), 4)]
    return Cut(trace.graph, inputs, pieces, fused, size), inputs, pieces


@pytest.mark.parametrize("size", [1, 7, 100, 1000, 10**6])
def test_parts_run_one_after_the_other_give_the_results_of_the_whole(
    trace: Traced, size: int, rng: np.random.Generator
) -> None:
    cut, inputs, pieces = cut_of(trace, size)
    given = rng.uniform(0.5, 1.5, len(inputs)).tolist()
    whole = values_of(trace.graph, {trace.graph.nodes[x.node][1]: g for x, g in zip(inputs, given, strict=True)})
    memory = {**dict(enumerate(given))}
    seen = []
    for part in cut.parts:
        # A slot is written when its value is there: what the part still reads must not be lost.
        values = values_of(part.graph, memory)
        for block, (where, number) in zip(part.blocks, part.goes, strict=True):
            found = [value(x, values) for x in block]
            if where == "slot":
                memory[number] = found[0]
            else:
                assert found == [value(x, whole) for x in pieces[number]]
                seen.append(number)
    assert sorted(seen) == list(range(len(pieces)))
    assert max(memory) < cut.slots


@pytest.mark.parametrize("size", [3, 50, 1000])
def test_no_part_writes_a_slot_that_it_reads(trace: Traced, size: int) -> None:
    for part in cut_of(trace, size)[0].parts:
        read = {node[1] for node in part.graph.nodes if node[0] == "input"}
        assert not read & {number for where, number in part.goes if where == "slot"}


@pytest.mark.parametrize("size", [1, 50, 1000])
def test_the_same_products_fuse_with_sums_as_in_the_whole(trace: Traced, size: int) -> None:
    graph, results = trace.graph, trace.results
    in_all = len(fused_products(graph, graph.live(results), results))
    found = 0
    for part in cut_of(trace, size)[0].parts:
        wanted = [x for block in part.blocks for x in block]
        found += len(fused_products(part.graph, part.graph.live(wanted), wanted))
    assert found == in_all


def test_every_operation_and_guard_is_in_one_part(trace: Traced) -> None:
    cut, _, _ = cut_of(trace, 50)
    operations = [node for part in cut.parts for node in part.graph.nodes if node[0] not in ("input", "constant")]
    assert len(operations) == trace.operations
    assert sum(len(part.graph.guards) for part in cut.parts) == len(trace.graph.guards)


def test_slots_are_used_again(trace: Traced) -> None:
    cut, inputs, _ = cut_of(trace, 50)
    written = [number for part in cut.parts for where, number in part.goes if where == "slot"]
    assert len(set(written)) < len(written)
    assert cut.slots < len(inputs) + len(written) / 2


def test_a_trace_without_operations_is_one_part() -> None:
    graph = Graph()
    x = graph.input("x")
    cut = Cut(graph, [x], [[x, -x, 2.0]], True, 100)
    assert [part.goes for part in cut.parts] == [[("piece", 0)]]
