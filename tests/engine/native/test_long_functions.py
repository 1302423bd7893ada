"""Straight-line code in several functions gives the bits of one function."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import soadyn as sd
from native_cases import called, calls, random_robot, random_state, robot_named
from soadyn.engine import policy
from soadyn.engine.cache import code_cache
from soadyn.engine.native.kernels import Kernels, size_of
from soadyn.programs.sweep.algorithms import without_external
from soadyn.quantities import QUANTITIES

pytestmark = pytest.mark.usefixtures("llvm")

FORWARD = without_external(QUANTITIES["forward_dynamics"].program)
NAMES = ("ur5", "universal joints", "tree on a free base", pytest.param("massless links", marks=pytest.mark.slow))


@pytest.fixture
def in_parts(monkeypatch: pytest.MonkeyPatch) -> Any:
    """A function that makes all straight-line code functions of so many operations; 0 makes it one function."""

    def choose(operations: int) -> None:
        monkeypatch.setattr(policy, "PART", operations)
        monkeypatch.setattr(policy, "ONE_FUNCTION", -1 if operations else 10**9)

    monkeypatch.setattr(policy, "MANY_RESULTS", 10**9)
    monkeypatch.setenv("SOADYN_CACHE", "off")  # code on disk may be in one function or in several
    return choose


def straight(robot: sd.Robot) -> sd.Robot:
    """A robot of its own, with no kernels yet."""
    return sd.Robot(robot.model).with_backend("straight")


def bits(found: Any) -> list[bytes]:
    return [np.ascontiguousarray(x).tobytes() for x in found]


def same_in_parts(robot: sd.Robot, chosen: list[Any], in_parts: Any, sizes: tuple[int, ...]) -> None:
    in_parts(0)
    whole = [bits(called(straight(robot), call)) for call in chosen]
    for size in sizes:
        in_parts(size)
        for call, expected in zip(chosen, whole, strict=True):  # new robots: each passive set has code of its own
            assert bits(called(straight(robot), call)) == expected, (call[0], size)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("precision", ["float64", pytest.param("float32", marks=pytest.mark.slow)])
@pytest.mark.heavy(2)
def test_the_bits_are_those_of_one_function(name: str, precision: str, in_parts: Any, rng: np.random.Generator) -> None:
    robot = robot_named(name)
    batch = random_state(rng, robot, (19,))
    chosen = []
    for quantity in ("forward_dynamics", "mass_matrix"):
        needed = {argument: batch[argument] for argument in QUANTITIES[quantity].arguments if argument in batch}
        needed.pop("external", None)
        chosen.append((quantity, {key: np.asarray(x, dtype=precision) for key, x in needed.items()}))
    with sd.errstate("ignore"):
        same_in_parts(robot, chosen, in_parts, (120,))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_every_quantity_of_random_trees_has_the_bits_of_one_function(
    seed: int, in_parts: Any, rng: np.random.Generator
) -> None:
    robot = random_robot(seed, 6, root=("fixed", "free")[seed % 2], armature=True)
    chosen = list(calls(robot, random_state(rng, robot, (11,)), rng))
    same_in_parts(robot, chosen, in_parts, (200,))


def test_rows_without_an_answer_are_those_of_one_function(in_parts: Any, rng: np.random.Generator) -> None:
    robot = robot_named("tree on a free base")
    state = random_state(rng, robot, (21,))
    q, v, tau = state["q"], state["v"], state["tau"]
    q[[1, 4, 8], [0, 3, 7]] = [np.nan, np.inf, -np.inf]
    q[6, :4] = 0.0
    tau[12, 2] = np.nan
    v[13, 1] = 1e300
    q[15, 7] = 1e9  # slides so far out that rounding decides whether a pivot is negligible beside its link's inertia
    with sd.errstate("ignore"), np.errstate(all="ignore"):
        call = "forward_dynamics", {"q": q, "v": v, "tau": tau}
        same_in_parts(robot, [call], in_parts, (50,))
        found = called(straight(robot), call)[0]
    without = set(np.isnan(found).all(axis=1).nonzero()[0].tolist())
    assert without - {15} == {1, 4, 6, 8, 12, 13}


@pytest.mark.parametrize("on_stack", [0, 10**9])
def test_slots_lie_on_the_heap_or_on_the_stack(
    on_stack: int, in_parts: Any, rng: np.random.Generator, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(policy, "ON_STACK", on_stack)
    robot = robot_named("ur5")
    in_parts(31)
    q = robot.random_configuration(rng, 300)
    assert np.abs(straight(robot).mass_matrix(q) - robot.with_backend("rolled").mass_matrix(q)).max() < 1e-13


# The rule


def test_batches_have_one_some_or_many_states() -> None:
    sizes = {"one": [(), (1,), (1, 1)], "some": [(2,), (255,)], "many": [(256,), (16, 16), (4096,)]}
    assert {size: {size_of(batch) for batch in batches} for size, batches in sizes.items()} == {
        size: {size} for size in sizes
    }


def test_the_batch_and_the_trace_decide_the_form(monkeypatch: pytest.MonkeyPatch) -> None:
    constants = sd.load("ur5").engine.constants
    operations = Kernels(constants, "straight").choose(FORWARD, "float64", {}, "one").work  # type: ignore[union-attr]

    def forms() -> list[str]:
        kernels = Kernels(constants, "auto")
        chosen = [kernels.choose(FORWARD, "float64", {}, size) for size in ("one", "some", "many")]
        return ["straight" if kernel is not None and kernel.work == operations else "rolled" for kernel in chosen]

    assert forms() == ["rolled", "rolled", "straight"]
    monkeypatch.setattr(policy, "LONGEST_TRACE", operations)
    assert forms() == ["rolled", "rolled", "straight"]
    monkeypatch.setattr(policy, "LONGEST_TRACE", operations - 1)
    assert forms() == ["rolled", "rolled", "rolled"]


@pytest.mark.parametrize("form", ["rolled", "straight"])
def test_single_states_and_batches_have_code_of_their_own(form: Any) -> None:
    kernels = Kernels(sd.load("ur5").engine.constants, form)
    one, some = (kernels.choose(FORWARD, "float64", {}, size) for size in ("one", "some"))
    assert one is not some


def test_a_trace_that_is_far_too_long_is_given_up_early(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A chain of two thousand links would take seconds to trace; its first sweep alone is too long."""
    from soadyn.engine.tracing import traced

    stages: list[Any] = []
    written_by = traced.Evaluation.written_by

    def counted(self: Any, stage: Any) -> Any:
        stages.append(stage)
        return written_by(self, stage)

    monkeypatch.setattr(traced.Evaluation, "written_by", counted)
    monkeypatch.setattr(code_cache, "_memory", {})
    monkeypatch.setenv("SOADYN_CACHE", str(tmp_path / "cache"))
    constants = sd.chain(2000).engine.constants
    assert Kernels(constants, "auto").choose(FORWARD, "float64", {}, "many") is not None
    tried = len(stages)
    assert 0 < tried < len(FORWARD.stages)
    monkeypatch.setattr(code_cache, "_memory", {})  # a new process finds on disk that it is too long
    assert Kernels(constants, "auto").choose(FORWARD, "float64", {}, "many") is not None
    assert len(stages) == tried


def test_loops_compute_all_too_many_results(monkeypatch: pytest.MonkeyPatch) -> None:
    kernels = Kernels(sd.load("ur5").engine.constants, "auto")
    mass = QUANTITIES["mass_matrix"].program
    straight = kernels.choose(mass, "float64", {}, "many")
    monkeypatch.setattr(policy, "MOST_RESULTS", 36)
    assert kernels.choose(mass, "float64", {}, "many") is not straight
