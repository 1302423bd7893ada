"""Recorded scalars: what folds, what merges, what is counted, and that the record computes what was meant."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

import soadyn as sd
from every_quantity import results
from native_cases import (
    Call,
    called,
    calls,
    corpus_robot,
    depth,
    error,
    random_robot,
    random_state,
    robot_named,
    tried_on,
)
from soadyn.engine.tracing import Graph, Scalar
from soadyn.engine.tracing.ports import port_array
from soadyn.engine.tracing.schedule import rounds_of_angles
from soadyn.engine.tracing.trace import Traced, cheapest_trace
from soadyn.engine.tracing.traced import traced
from soadyn.mechanics.spatial.arithmetic import PIVOT_ROUNDINGS, cos_of, maximum_of, norm_of, pivot_of, sin_of, sqrt_of
from soadyn.programs.sweep.algorithms import without_external
from soadyn.programs.sweep.inputs import is_frame
from soadyn.quantities import QUANTITIES
from soadyn.robot.arguments.inputs import inputs_of, program_for
from soadyn.robot.calling.quantity_functions import quantity_function

ARITHMETIC = ("add", "sub", "mul", "reciprocal")


@pytest.fixture
def graph() -> Graph:
    return Graph()


def same(x: Any, y: Any) -> bool:
    """Are two references to the same node with the same sign?"""
    return isinstance(x, Scalar) and isinstance(y, Scalar) and (x.node, x.negative) == (y.node, y.negative)


# Folding


def test_zeros_and_ones_vanish(graph: Graph) -> None:
    x = graph.input("x")
    before = len(graph.nodes)
    assert x * 0 == 0.0
    assert 0.0 * x == 0.0
    assert same(x * 1, x)
    assert same(1.0 * x, x)
    assert same(x + 0, x)
    assert same(0.0 + x, x)
    assert same(x - 0.0, x)
    assert same(x / 1.0, x)
    assert same(x * -1.0, -x)
    assert same(0 - x, -x)
    assert len(graph.nodes) == before


def test_a_difference_with_itself_is_zero_and_a_sum_is_twice(graph: Graph) -> None:
    x = graph.input("x")
    assert x - x == 0.0
    assert -x + x == 0.0
    assert same(x + x, 2.0 * x)
    assert same(-x - x, -2.0 * x)


def test_constants_gather_in_one_factor(graph: Graph) -> None:
    x = graph.input("x")
    assert same(2.0 * (3.0 * x), 6.0 * x)
    assert same((x * 0.5) * 2.0, x)
    assert same((x / 4.0) * -4.0, -x)


def test_an_operation_done_twice_is_recorded_once(graph: Graph) -> None:
    x, y = graph.input("x"), graph.input("y")
    assert same(x * y, y * x)
    assert same(x + y, y + x)
    assert same(x - y, -(y - x))
    assert same(-x - y, -(x + y))
    assert same(sin_of(x), sin_of(x))
    assert same(x / y, x / y)
    assert len(graph.nodes) == 2 + 5 + 1  # x, y; product, sum, difference, sine, reciprocal, quotient
    assert same(graph.input("x"), x)


def test_signs_cost_nothing(graph: Graph) -> None:
    x, y = graph.input("x"), graph.input("y")
    minus = -x
    assert same(-minus, x)
    assert same((-x) * (-y), x * y)
    assert same((-x) * y, -(x * y))
    assert same(sin_of(-x), -sin_of(x))
    assert same(cos_of(-x), cos_of(x))
    assert same(1.0 / -x, -(1.0 / x))
    assert "negative" not in graph.counts([x * y, sin_of(x), 1 / x])


def test_known_numbers_stay_numbers() -> None:
    for function, plain in ((sin_of, math.sin), (cos_of, math.cos), (sqrt_of, math.sqrt)):
        assert function(0.7) == plain(0.7)


def test_one_division_serves_every_use_of_a_denominator(graph: Graph) -> None:
    x, y, z = (graph.input(name) for name in "xyz")
    assert graph.counts([x / z, y / z, 3.0 / z]) == {"reciprocal": 1, "mul": 3}


def test_sines_of_angles_that_need_sines_come_in_a_later_round(graph: Graph) -> None:
    x, y = graph.input("x"), graph.input("y")
    inner = sin_of(x) * y
    outputs = [cos_of(inner), sin_of(y), sin_of(inner), sin_of(cos_of(inner) + x)]
    outer = cos_of(inner) + x
    assert rounds_of_angles(graph, graph.live(outputs)) == [[x.node, y.node], [inner.node], [outer.node]]
    assert rounds_of_angles(graph, graph.live([x * y])) == []


def test_only_what_results_depend_on_is_counted(graph: Graph) -> None:
    x, y = graph.input("x"), graph.input("y")
    _ = sin_of(x) * y
    assert graph.counts([x + y]) == {"add": 1}
    assert graph.counts([3.0]) == {}
    assert graph.live([x + y]) == sorted(graph.live([x + y]))


def test_guards_are_live_whatever_the_results_are(graph: Graph) -> None:
    x, y = graph.input("x"), graph.input("y")
    pivot_of(x, y)
    norm_of(y * y)
    assert graph.counts([x]) == {"pivot": 1, "norm": 1, "mul": 1}


def test_arrays_of_recorded_scalars_multiply_like_arrays(graph: Graph, rng: np.random.Generator) -> None:
    numbers = rng.standard_normal((3, 3))
    unknown = np.array([[graph.input(f"{i}{j}") for j in range(3)] for i in range(3)], dtype=object)
    values = rng.standard_normal((3, 3))
    given = {unknown[i, j].node: values[i, j] for i in range(3) for j in range(3)}
    product = numbers @ unknown + np.eye(3)
    found = interpreted(graph, list(product.flat), given)
    assert np.abs(np.reshape(found, (3, 3)) - (numbers @ values + np.eye(3))).max() < 1e-14


# Interpreting


def interpreted(graph: Graph, outputs: list[Any], given: Mapping[int, Any]) -> list[Any]:
    """The numbers that a record stands for."""
    value = dict(given)
    for node in graph.live(outputs):
        operation, a, b = graph.nodes[node]
        if node in value:
            continue
        match operation:
            case "constant":
                value[node] = a
            case "add":
                value[node] = value[a] + value[b]
            case "sub":
                value[node] = value[a] - value[b]
            case "mul":
                value[node] = value[a] * value[b]
            case "reciprocal":
                value[node] = 1.0 / value[a]
            case "negative":
                value[node] = -value[a]
            case "sin" | "cos" | "sqrt" | "log" | "exp":
                value[node] = getattr(np, operation)(value[a])
            case "max":
                value[node] = np.maximum(value[a], value[b])
            case "pivot" | "norm":
                value[node] = value[a]
            case _:
                raise AssertionError(operation)
    signed = {True: -1.0, False: 1.0}
    return [signed[x.negative] * value[x.node] if isinstance(x, Scalar) else x for x in outputs]


def test_every_operation_means_what_it_says(graph: Graph) -> None:
    x, y = graph.input("x"), graph.input("y")
    outputs = [
        x + y,
        x - y,
        y - x,
        x * y,
        x / y,
        2 - x,
        3 / y,
        sin_of(x),
        cos_of(-y),
        sqrt_of(x),
        maximum_of(-x, y),
        x * x,
    ]
    found = interpreted(graph, outputs, {x.node: 0.3, y.node: 0.7})
    expected = [1.0, -0.4, 0.4, 0.21, 3 / 7, 1.7, 3 / 0.7, np.sin(0.3), np.cos(0.7), np.sqrt(0.3), 0.7, 0.09]
    assert np.allclose(found, expected, rtol=1e-15, atol=0)


def trace_of(robot: sd.Robot, call: Call) -> tuple[Traced, dict[int, Any], dict[str, Any]]:
    """A call's record, the numbers of its inputs with their batch axes, and all its arguments."""
    name, arguments = call
    missing = {
        key: "world" if key == "axes" else None for key in ("axes", "external", "a", "tau") if key not in arguments
    }
    given_all = {**missing, **arguments}
    program = program_for(QUANTITIES[name], given_all, robot.model)
    inputs = inputs_of(robot.engine, QUANTITIES[name], given_all)
    links = {key: inputs[key][0] for key in inputs if is_frame(key)}
    trace = traced(program, robot.engine.constants, links)
    given = {}
    for port, scalars in trace.inputs.items():
        array = port_array(port, inputs[port.name], "float64")
        flat = array.reshape(*array.shape[: array.ndim - len(port.shape)], -1)
        given.update((scalar.node, flat[..., i]) for i, scalar in enumerate(scalars))
    return trace, given, given_all


def unanswered(graph: Graph, given: Mapping[int, Any], batch: tuple[int, ...]) -> np.ndarray:
    """The rows in which a pivot vanishes beside its scale."""
    rows = np.zeros(batch, dtype=bool)
    for guard in graph.guards:
        operation, a, b = graph.nodes[guard.node]
        if operation == "pivot":
            pivot, scale = interpreted(graph, [Scalar(graph, a, False), Scalar(graph, b, False)], given)
            rows |= ~np.asarray(pivot > PIVOT_ROUNDINGS * np.finfo(float).eps * scale)
    return rows


def evaluated(robot: sd.Robot, call: Call, batch: tuple[int, ...]) -> tuple[np.ndarray, ...]:
    """A call's results, from the record."""
    trace, given, given_all = trace_of(robot, call)
    if trace.graph.hopeless:  # there is no answer at any state
        return tuple(np.full((*batch, *port.shape), np.nan) for port in trace.outputs)
    with np.errstate(all="ignore"):
        numbers = iter(interpreted(trace.graph, trace.results, given))
        bad = unanswered(trace.graph, given, batch)
    found = []
    for port in trace.outputs:
        columns = [np.broadcast_to(next(numbers), batch) for _ in range(port.count)]
        found.append(
            np.stack(columns, axis=-1).reshape(*batch, *port.shape) if columns else np.zeros((*batch, *port.shape))
        )
        found[-1][bad] = np.nan
    return results(quantity_function(robot.engine, QUANTITIES[call[0]], given_all).taken(found))


@pytest.mark.parametrize(
    "name",
    [
        "ur5",
        pytest.param("puma560", marks=pytest.mark.slow),
        "universal joints",
        "tree on a free base",
        *("helical", "cylindrical", "planar", "spherical"),
        pytest.param("every kind", marks=pytest.mark.slow),
        pytest.param("every kind on a free base", marks=pytest.mark.slow),
        pytest.param("massless links", marks=pytest.mark.slow),
    ],
)
@pytest.mark.heavy(2)
def test_the_record_computes_what_the_reference_does(name: str, rng: np.random.Generator) -> None:
    robot = robot_named(name)
    reference = robot.with_backend("numpy")
    tried = set()
    for call in calls(robot, random_state(rng, robot, (3,)), rng):
        found = evaluated(robot, call, (3,))
        assert [x.shape for x in found] == [x.shape for x in called(reference, call)]
        assert error(reference, call, found) <= 8 * (4 + depth(robot)) * 2.0**-52, call[0]
        tried.add(call[0])
    assert tried == set(tried_on(robot))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(30))
def test_the_record_computes_what_the_reference_does_on_many_trees(seed: int) -> None:
    rng = np.random.default_rng(seed)
    robot = random_robot(
        seed, int(rng.integers(1, 20)), root=str(rng.choice(["fixed", "free"])), armature=bool(seed % 2)
    )
    for call in calls(robot, random_state(rng, robot, (2,)), rng):
        found = evaluated(robot, call, (2,))
        assert error(robot.with_backend("numpy"), call, found) <= 16 * (4 + depth(robot)) * 2.0**-52, call[0]


# Counting


def operations(robot: sd.Robot, quantity: str) -> int:
    program = QUANTITIES[quantity].program
    if "external" in QUANTITIES[quantity].arguments:
        program = without_external(program)
    counts = cheapest_trace(program, robot.model, lambda same: traced(same, robot.engine.constants, {})).counts()
    return sum(counts.get(operation, 0) for operation in ARITHMETIC)


@pytest.mark.parametrize(
    ("quantity", "most"), [("forward_dynamics", 520), ("inverse_dynamics", 270), ("mass_matrix", 145)]
)
def test_ur5_takes_few_operations(quantity: str, most: int) -> None:
    try:
        robot = corpus_robot("ur/ur5_robot")
    except LookupError as missing:
        pytest.skip(str(missing))
    assert operations(robot, quantity) <= most


def test_operations_of_a_chain_grow_with_its_length_alone() -> None:
    few, more, most = (operations(sd.chain(n), "forward_dynamics") for n in (20, 30, 40))
    assert most - more == pytest.approx(more - few, rel=0.01)


def test_a_robot_tells_its_operation_counts() -> None:
    robot = sd.load("ur5")
    counts = robot.operation_counts("forward_dynamics")
    total = sum(n for stage in counts.values() for operation, n in stage.items() if operation in ARITHMETIC)
    assert total == operations(robot, "forward_dynamics")
