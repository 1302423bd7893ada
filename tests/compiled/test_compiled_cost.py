"""Compiled formulas beside sweeps put together by hand: the same numbers, and no more operations than they may take."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pytest

import soadyn as sd
from corpus import corpus_urdfs
from hand_written import ALGORITHM_3, FORWARD, INVERSE, INVERSE_MASS_TIMES, REPLACED, long_tree
from named_formulas import MATRICES, OTHERS, VECTORS, Named, State
from random_robots import random_model
from soadyn.algebra import H, M, T, inv, mass, phi
from soadyn.engine.cache import code_cache
from soadyn.engine.reference import run as reference
from soadyn.engine.tracing.trace import cheapest_trace
from soadyn.engine.tracing.traced import traced
from soadyn.programs.sweep.algorithms import without_external
from soadyn.programs.sweep.program import Program
from soadyn.quantities import QUANTITIES
from soadyn.robot import Robot
from soadyn.robot.compiled import choice
from soadyn.theory.oracle.dense_robot import DenseRobot

MOST = 1.15
HAND_WRITTEN = [
    (INVERSE, INVERSE_MASS_TIMES),
    (FORWARD, ALGORITHM_3),
    (FORWARD, without_external(REPLACED["forward_dynamics"])),
]


@cache
def robot_named(name: str) -> Robot:
    match name:
        case "ur5":
            return sd.load("ur5").with_backend("numpy")
        case "humanoid":
            found = [path for path in corpus_urdfs() if path.stem == "talos_reduced"]
            if not found:
                pytest.skip("example-robot-data is not installed")
            return sd.load(found[0], root="free").with_backend("numpy")
        case _:
            return Robot(long_tree(), backend="numpy")


@cache
def random_robot(seed: int) -> Robot:
    rng = np.random.default_rng(seed)
    root = "free" if seed % 2 else "fixed"
    return Robot(random_model(rng, 6, root=root, armature=seed % 3 != 0), backend="numpy")


def operations(program: Program, arm: Robot) -> int:
    return cheapest_trace(program, arm.model, lambda same: traced(same, arm.engine.constants, {})).operations


def state_of(arm: Robot) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(7)
    return {"q": arm.random_configuration(rng), "v": rng.normal(size=arm.nv), "tau": 10 * rng.normal(size=arm.nv)}


def norm(x: np.ndarray) -> float:
    """The infinity norm."""
    return float(abs(x).sum(axis=-1).max() if x.ndim == 2 else abs(x).max())


@pytest.mark.parametrize("robot", ["ur5", "long tree"])
@pytest.mark.parametrize(("formula", "program"), HAND_WRITTEN, ids=lambda x: x.name if isinstance(x, Program) else "")
@pytest.mark.heavy(2)
def test_a_formula_costs_no_more_than_sweeps_written_by_hand(formula, program, robot):
    arm = robot_named(robot)
    found = sd.compile(formula, arm)
    assert sum(found.operation_counts().values()) <= MOST * operations(program, arm)
    state = state_of(arm)
    (by_hand,), _ = reference.run(program, arm.engine.constants, {x: state[x] for x in program.inputs}, ())
    computed = found(**{x.name: state["tau" if x.name == "T" else x.name] for x in found.arguments})
    assert abs(computed - by_hand).max() <= 1e-11 * abs(by_hand).max()


@pytest.mark.parametrize("robot", ["ur5", "long tree"])
@pytest.mark.heavy(2)
def test_formulas_that_solve_leave_no_residual(robot):
    arm = robot_named(robot)
    state = state_of(arm)
    dense = DenseRobot(arm.model, state["q"], state["v"])
    Mass, bias = dense.mass_matrix, dense.H_phi @ (dense.M @ dense.phi.T @ (dense.a + dense.a_g) + dense.b)
    for formula, force in ((INVERSE, state["tau"]), (FORWARD, state["tau"] - bias)):
        f = sd.compile(formula, arm)
        x = f(**{y.name: state["tau" if y.name == "T" else y.name] for y in f.arguments})
        size = norm(Mass) * norm(x) + norm(state["tau"]) + norm(bias)
        assert norm(Mass @ x - force) <= 1e-12 * size
        assert norm(Mass @ np.linalg.solve(Mass, force) - force) <= 1e-12 * size


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("x", [*VECTORS, *MATRICES, *OTHERS], ids=lambda x: f"{x.quantity}: {x.formula}"[:60])
@pytest.mark.heavy
def test_a_named_quantity_is_its_formula(x: Named, seed):
    state = State(random_robot(seed), seed)
    expected, computed = np.asarray(x.value(state)), x.computed(state)
    assert computed.shape == expected.shape
    assert abs(computed - expected).max() <= 1e-12 * abs(expected).max()


@pytest.mark.parametrize("robot", ["ur5", "humanoid", "long tree"])
@pytest.mark.parametrize("x", VECTORS, ids=lambda x: x.quantity)
@pytest.mark.heavy(2)
def test_named_quantities_and_their_formulas_cost_nearly_the_same(x: Named, robot):
    arm = robot_named(robot)
    by_hand = operations(_program(x.quantity), arm)
    by_formula = sum(x.compiled(State(arm, 0)).operation_counts().values())
    assert by_hand <= 1.07 * by_formula
    # By hand, products of velocities and accelerations are shared that no rewriting of the formula brings together, and
    # small arms factor their mass matrix.
    assert by_formula <= 1.25 * by_hand


@pytest.mark.parametrize("robot", ["ur5", "humanoid", "long tree"])
@pytest.mark.parametrize("x", MATRICES, ids=lambda x: x.quantity)
@pytest.mark.heavy(2)
def test_named_matrices_cost_less_than_their_columns(x: Named, robot):
    """Why matrices are ordered by hand: most of a column's entries are shared with others, or zero."""
    arm = robot_named(robot)
    column = sum(x.compiled(State(arm, 0)).operation_counts().values())
    assert operations(_program(x.quantity), arm) <= column * arm.nv / 3.5


def _program(quantity: str) -> Program:
    program = QUANTITIES[quantity].program
    return without_external(program) if "external" in program.inputs else program


@pytest.mark.parametrize("robot", ["ur5", "humanoid", "long tree"])
@pytest.mark.parametrize("name", REPLACED)
@pytest.mark.heavy(2)
def test_named_quantities_that_are_formulas_cost_no_more_than_what_they_replaced(name, robot):
    arm, program = robot_named(robot), REPLACED[name]
    before = operations(without_external(program), arm)
    assert operations(without_external(QUANTITIES[name].program), arm) <= 1.02 * before
    state = {**state_of(arm), "vdot": np.ones(arm.nv), "external": np.ones((len(arm.link_names), 6))}
    inputs = {x: state[x] for x in program.inputs}
    assert set(QUANTITIES[name].program.inputs) == set(inputs)
    (found,), _ = reference.run(QUANTITIES[name].program, arm.engine.constants, inputs, ())
    (by_hand,), _ = reference.run(program, arm.engine.constants, inputs, ())
    assert abs(found - by_hand).max() <= 1e-10 * abs(by_hand).max()


def test_which_form_is_cheapest_is_counted_once_and_kept_on_disk(
    llvm: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOADYN_CACHE", str(tmp_path / "cache"))
    formula = M @ phi.T @ H.T @ inv(mass) @ T

    def taken() -> str:
        monkeypatch.setattr(code_cache, "_memory", {})
        form = sd.compile(formula, sd.load("panda")).form
        assert form is not None
        return str(form.formulas)

    first = taken()
    monkeypatch.setattr(choice, "planned_operations", None)
    assert taken() == first
    with pytest.raises(TypeError):  # another robot's are counted
        sd.compile(formula, sd.load("ur5"))
