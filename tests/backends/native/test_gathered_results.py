"""Straight-line code that gathers its results first stores the same numbers, however they lie in memory."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import soadyn as sd
from native_cases import random_state, robot_named
from soadyn.backends.native import kernel, result_memory
from soadyn.backends.native.kernel import Kernel
from soadyn.backends.native.llvm.vectors import Vectors
from soadyn.backends.native.straight import gathering
from soadyn.backends.native.straight import long_function as kernel_functions
from soadyn.backends.native.straight.storing import pieces_of
from soadyn.backends.native.threads import limits
from soadyn.backends.ports import Port
from soadyn.backends.traced import traced
from soadyn.quantities import QUANTITIES
from soadyn.sweep.algorithms import without_external
from soadyn.tracing.parts import Cut

pytestmark = pytest.mark.usefixtures("llvm")

STATES = 13


def matrices(model: Any, state: dict[str, Any]) -> tuple[list[np.ndarray], Kernel]:
    """The derivatives of inverse dynamics, many of them zero, by straight-line code, and its kernel."""
    robot = sd.Robot(model).specialize()
    found = robot.inverse_dynamics_derivatives(state["q"], state["v"], state["a"])
    (used,) = robot.engine.kernels._made.values()  # type: ignore[union-attr]
    assert isinstance(used, Kernel)
    return list(found), used


@pytest.fixture
def gathered(monkeypatch: pytest.MonkeyPatch) -> None:
    """Batches of any size and results of any number are gathered, and start where they may be stored past the cache."""
    monkeypatch.setattr(limits, "vast", 2)
    monkeypatch.setattr(limits, "huge", 2)
    monkeypatch.setattr(limits, "large", 2)
    monkeypatch.setattr(gathering, "MANY", 1)
    monkeypatch.setattr(gathering, "FEW", 1)
    monkeypatch.setattr(result_memory, "ALIGNED", 1)


@pytest.mark.filterwarnings("ignore:.*came out NaN:RuntimeWarning")
@pytest.mark.parametrize("precision", ["float64", pytest.param("float32", marks=pytest.mark.slow)])
def test_gathered_results_have_the_same_bits(
    precision: str, rng: np.random.Generator, request: pytest.FixtureRequest
) -> None:
    model = robot_named("tree on a free base").model
    state = {key: x.astype(precision) for key, x in random_state(rng, sd.Robot(model), (STATES,)).items()}
    state["q"][5, 0] = np.nan
    before, stored = matrices(model, state)
    request.getfixturevalue("gathered")
    after, used = matrices(model, state)
    assert used.address != stored.address
    assert not after[0][0].all()
    assert [x.tobytes() for x in before] == [x.tobytes() for x in after]
    assert [np.isnan(x).all(axis=(1, 2)).nonzero()[0].tolist() for x in after] == [[5]] * 3
    rooms = [np.zeros((*x.shape, 2), x.dtype) for x in after]
    used.call(*(state[name] for name in ("q", "v", "a")), out=tuple(room[..., 0] for room in rooms))
    for room, expected in zip(rooms, after, strict=True):
        assert room[..., 0].tobytes() == expected.tobytes()
        assert not room[..., 1].any()


@pytest.mark.parametrize(
    ("count", "vast", "gathers"),
    [
        (799, True, False),
        (800, True, True),
        (1_999, False, False),
        (2_000, False, True),
        (15_999, False, True),
        (16_000, True, False),
    ],
)
def test_many_results_are_gathered_and_all_too_many_are_not(count: int, vast: bool, gathers: bool) -> None:
    assert gathering.pays([Port("a", (count - 9,)), Port("b", (3, 3))], vast) == gathers


@pytest.mark.parametrize(
    ("operations", "is_long", "by_calls", "gathers"),
    [
        (5_400, False, False, True),
        (5_401, False, False, False),
        (5_401, True, False, True),
        (5_401, False, True, True),
    ],
)
def test_short_code_that_computes_much_stores_its_results_in_place(
    operations: int, is_long: bool, by_calls: bool, gathers: bool
) -> None:
    assert gathering.serves([Port("M", (30, 30))], "vast", operations, is_long, by_calls) == gathers


SMALL, LARGE, HUGE, VAST = 2, limits.large, limits.huge, limits.vast
LONG, SHORT = 0, 10**9  # operations up to which a trace is not long


@pytest.mark.parametrize(
    ("quantity", "states", "longest", "gathers"),
    [
        ("mass_matrix", SMALL, LONG, True),  # a matrix over the joints: the order of computing it pays
        ("mass_matrix", SMALL, SHORT, False),
        ("center_of_mass_jacobian", SMALL, LONG, False),
        ("center_of_mass_jacobian", LARGE, LONG, True),
        ("center_of_mass_jacobian", LARGE, SHORT, False),
        ("center_of_mass_jacobian", HUGE, SHORT, True),  # leave the cache anyway
        ("center_of_mass_jacobian", VAST, SHORT, True),
    ],
)
def test_very_many_results_are_gathered_where_that_pays(
    quantity: str,
    states: int,
    longest: int,
    gathers: bool,
    rng: np.random.Generator,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    written: list[bool] = []

    def long_function(*arguments: Any, gathered_results: bool = False) -> Any:
        written.append(gathered_results)
        return kernel_functions.long_function(*arguments, gathered_results)

    monkeypatch.setattr(kernel, "ONE_FUNCTION", longest)
    monkeypatch.setattr(kernel, "long_function", long_function)
    monkeypatch.setattr(gathering, "MANY", 1)
    monkeypatch.setattr(gathering, "VERY_MANY", 1)
    monkeypatch.setenv("SOADYN_CACHE", "off")
    robot = sd.load("planar_two_link").with_gravity((0.0, -rng.random(), 0.0)).specialize()  # not in memory yet
    getattr(robot, quantity)(robot.random_configuration(rng, states))
    assert written == [gathers] * (gathers or longest == LONG)


def test_few_states_results_stay_in_the_cache() -> None:
    trace = traced(QUANTITIES["mass_matrix"].program, sd.load("planar_two_link").engine.constants, {})
    vectors = Vectors(8, "float64", True)
    function = kernel_functions.long_function(trace.graph, trace.inputs, trace.outputs, vectors, gathered_results=True)
    (many,) = [line.split(" = ")[0].strip() for line in function.lines if f"icmp sge i64 %n, {gathering.FEW}" in line]
    assert any(f"and i1 {many}, %packed1" in line for line in function.lines)


def test_vast_batches_find_the_long_code_of_smaller_ones(
    rng: np.random.Generator, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kernel, "ONE_FUNCTION", 0)
    monkeypatch.setattr(gathering, "MANY", 1)
    monkeypatch.setattr(gathering, "VERY_MANY", 1)
    kernels = sd.load("planar_two_link").engine.kernels
    program = QUANTITIES["mass_matrix"].program
    assert kernels is not None
    kernels.choose(program, "float64", {}, "huge")
    monkeypatch.setattr(kernel, "compiled", None)  # whatever would have to be compiled fails
    kernels.choose(program, "float64", {}, "vast")


def test_what_two_joints_do_to_each_other_is_computed_at_once() -> None:
    """Numbers that tell two matrices, rows and columns apart, and one that belongs to no joint."""
    outputs = {
        Port("T_q", (3, 3)): [100.0 + x for x in range(9)],
        Port("energy", ()): [1.0],
        Port("T_v", (3, 3)): [200.0 + x for x in range(9)],
    }
    order = [piece.scalars[0] for piece in gathering.number_by_number(outputs)]
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
    """The order of gathering needs fewer slots than the order of storing rows."""
    robot = sd.Robot(robot_named("tree on a free base").model)
    program = without_external(QUANTITIES["inverse_dynamics_derivatives"].program)
    trace = traced(program, robot.engine.constants, {})
    scalars = [x for row in trace.inputs.values() for x in row]
    slots = [
        Cut(trace.graph, scalars, [piece.scalars for piece in pieces], fused=True, size=300).slots
        for pieces in (
            gathering.number_by_number(trace.outputs),
            pieces_of(trace.graph, trace.outputs, Vectors(8, "float64", True)),
        )
    ]
    assert slots[0] < 0.75 * slots[1]
