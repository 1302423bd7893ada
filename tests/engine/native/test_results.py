"""Straight-line code stores the same bits in place and gathered, however the caller's arrays lie in memory."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pytest

import soadyn as sd
from native_cases import random_state, robot_named
from soadyn.engine import policy
from soadyn.engine.native.kernel import Kernel
from soadyn.engine.native.llvm.machine_code import made
from soadyn.engine.native.llvm.module import FunctionText, module_text
from soadyn.engine.native.llvm.processor import processor
from soadyn.engine.native.llvm.vectors import Vectors
from soadyn.engine.native.rolled.robot_table import KernelTable
from soadyn.engine.native.straight import results
from soadyn.engine.native.straight.function import straight_function
from soadyn.engine.native.straight.long_function import long_function
from soadyn.engine.precision import Precision
from soadyn.engine.tracing import Scalar
from soadyn.engine.tracing.parts import Cut
from soadyn.engine.tracing.ports import Port
from soadyn.engine.tracing.traced import traced
from soadyn.programs.sweep.algorithms import without_external
from soadyn.quantities import QUANTITIES

pytestmark = pytest.mark.usefixtures("llvm")

STATES = 13
TREE = "tree on a free base"
PRECISIONS = ["float64", pytest.param("float32", marks=pytest.mark.slow)]


@pytest.fixture
def many_results(monkeypatch: pytest.MonkeyPatch) -> Any:
    """A function that sets from how many results on they are gathered; code kept on disk is not used."""
    monkeypatch.setenv("SOADYN_CACHE", "off")
    return lambda count: monkeypatch.setattr(policy, "MANY_RESULTS", count)


def functions_of(trace: Any, precision: Precision, write: Any) -> list[FunctionText]:
    """The code for several lanes and for one."""
    target = processor()
    vectors = Vectors(target.lanes(np.dtype(precision).itemsize), precision, target.fused)
    return [write(trace.graph, trace.inputs, trace.outputs, replace(vectors, lanes=n)) for n in (vectors.lanes, 1)]


def run(trace: Any, functions: list[FunctionText], precision: Precision, *arrays: np.ndarray) -> list[np.ndarray]:
    """The results of a batch, and of its first state alone, of rows whose numbers lie side by side and of others."""
    target = processor()
    ports = tuple(trace.inputs), tuple(trace.outputs)
    found: list[np.ndarray] = []
    for given, function in zip((list(arrays), [x[0] for x in arrays]), functions, strict=True):
        code = made(None, partial(module_text, function, target.x86), target)
        kernel = Kernel("stored", ports, code, KernelTable(), precision, work=1)
        apart = [np.stack([x, x], axis=-1)[..., 0] for x in given]
        assert all(x.flags.c_contiguous for x in given)
        assert not any(x.flags.c_contiguous for x in apart)
        for either in (given, apart):
            results, bad = kernel(*either)
            assert not bad
            found += results
    return found


@pytest.mark.parametrize("precision", PRECISIONS)
def test_results_in_place_and_gathered_have_the_same_bits(
    precision: Precision, rng: np.random.Generator, many_results: Any
) -> None:
    robot = robot_named(TREE)
    trace = traced(QUANTITIES["mass_matrix_factors"].program, robot.engine.constants, {})
    pieces = results.InPlace(trace.outputs, Vectors(8), 1).pieces
    assert any(not any(isinstance(x, Scalar) for x in piece.scalars) for piece in pieces)  # known numbers alone
    q = random_state(rng, robot, (STATES,))["q"].astype(precision)
    found = []
    for write, many in ((straight_function, 10**9), (long_function, 10**9), (long_function, 1)):
        many_results(many)
        functions = functions_of(trace, precision, write)
        text = "\n".join(line for f in functions for line in (*f.lines, *f.declarations))
        assert ("call void @turn." in text) == (many == 1)
        found.append([x.tobytes() for x in run(trace, functions, precision, q)])
    assert found[0] == found[1] == found[2]


@pytest.mark.filterwarnings("ignore:.*came out NaN:RuntimeWarning")
@pytest.mark.parametrize("precision", PRECISIONS)
def test_rows_without_an_answer_are_nan_also_where_results_are_gathered(
    precision: str, rng: np.random.Generator, many_results: Any
) -> None:
    """The derivatives of inverse dynamics, many of them zero."""
    model = robot_named(TREE).model
    state = {key: x.astype(precision) for key, x in random_state(rng, sd.Robot(model), (STATES,)).items()}
    state["q"][5, 0] = np.nan
    found, addresses = [], set()
    for many in (10**9, 1):
        many_results(many)
        robot = sd.Robot(model).specialize()
        found.append(robot.inverse_dynamics_derivatives(state["q"], state["v"], state["a"]))
        (used,) = robot.engine.kernels._made.values()  # type: ignore[union-attr]
        addresses.add(used.address)
    assert len(addresses) == 2
    in_place, gathered = found
    assert not gathered[0][0].all()
    assert [x.tobytes() for x in in_place] == [x.tobytes() for x in gathered]
    assert [np.isnan(x).all(axis=(1, 2)).nonzero()[0].tolist() for x in gathered] == [[5]] * 3


@pytest.mark.parametrize(("count", "gathered"), [(799, False), (800, True)])
def test_many_results_are_gathered(count: int, gathered: bool) -> None:
    assert results.are_gathered([Port("a", (count - 9,)), Port("b", (3, 3))]) == gathered


def test_what_two_joints_do_to_each_other_is_computed_at_once() -> None:
    """Numbers that tell two matrices, rows and columns apart, and one that belongs to no joint."""
    outputs = {
        Port("T_q", (3, 3)): [100.0 + x for x in range(9)],
        Port("energy", ()): [1.0],
        Port("T_v", (3, 3)): [200.0 + x for x in range(9)],
    }
    order = [piece.scalars[0] for piece in results.Gathered(outputs, Vectors(8), 0).pieces]
    assert order == [
        *(108, 208),
        *(105, 107, 205, 207),
        *(102, 106, 202, 206),
        *(104, 204),
        *(101, 103, 201, 203),
        *(100, 200),
        1,
    ]


def test_gathered_values_wait_for_fewer_others() -> None:
    """The order of gathering needs fewer slots than that of storing rows, and than that of their numbers."""
    robot = sd.chain(12)
    program = without_external(QUANTITIES["inverse_dynamics_derivatives"].program)
    trace = traced(program, robot.engine.constants, {})
    scalars = [x for row in trace.inputs.values() for x in row]
    vectors = Vectors(8, "float64", True)
    ways = (
        [piece.scalars for piece in results.Gathered(trace.outputs, vectors, len(trace.inputs)).pieces],
        [piece.scalars for piece in results.InPlace(trace.outputs, vectors, len(trace.inputs)).pieces],
        [[x] for row in trace.outputs.values() for x in row],
    )
    gathered, in_place, plain = (Cut(trace.graph, scalars, way, fused=True, size=300).slots for way in ways)
    assert gathered < 0.75 * min(in_place, plain)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("links", [29, 30])
def test_results_stored_past_the_cache_have_the_bits_of_others(
    links: int, dtype: type, llvm: None, rng: np.random.Generator
) -> None:
    """Rows of these begin anywhere in a line of the cache, and end anywhere."""
    robot, rows = sd.chain(links).specialize(), 2 * policy.PAST_THE_CACHE // (links * links * np.dtype(dtype).itemsize)
    q = robot.random_configuration(rng, rows).astype(dtype)
    large = robot.mass_matrix(q)
    assert large.nbytes > policy.PAST_THE_CACHE
    parts = np.array_split(q, 20)
    assert max(map(len, parts)) * large[0].nbytes < policy.PAST_THE_CACHE
    np.testing.assert_array_equal(large, np.concatenate([robot.mass_matrix(part) for part in parts]))
    np.testing.assert_array_equal(robot.mass_matrix(q[3:]), large[3:])
