"""Results are arrays of their own: contiguous, sharing no memory, and either the caller's to change or frozen."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pytest

import soadyn as sd
from agreement import random_state
from every_quantity import called, results
from native_cases import robot_named
from soadyn.algebra import T, V, formula, inv, mass
from soadyn.quantities import QUANTITIES

BATCHES = [(), (2, 3), *(pytest.param((n,), marks=pytest.mark.slow) for n in (3, 300))]
LARGE = 40_000  # states whose mass matrices take more than 32 MB, so that their memory is kept for the next call
TOGETHER = ("mass_matrix", "mass_matrix_factors", "bias_force", "poses", "kinetic_energy", ("jacobian", "tool"))


@pytest.fixture(params=["numpy", "auto"])
def robot(request: pytest.FixtureRequest) -> sd.Robot:
    return robot_named("tree on a free base").with_backend(request.param)


def assert_own(arrays: tuple[Any, ...], *others: Any, writeable: bool = True) -> None:
    arrays = tuple(map(np.asarray, arrays))
    for x in arrays:
        assert x.flags.c_contiguous
        assert x.flags.writeable == writeable or x.ndim == 0
    for x, y in combinations((*arrays, *others), 2):
        assert not np.shares_memory(x, y)


@pytest.mark.parametrize("batch", BATCHES, ids=str)
@pytest.mark.parametrize("name", QUANTITIES)
@pytest.mark.heavy
def test_a_quantity(name: str, batch: tuple[int, ...], robot: sd.Robot, rng: np.random.Generator) -> None:
    state = random_state(rng, robot, batch)
    first = called(robot, name, state)
    assert_own(first, *state.values())
    assert_own((*called(robot, name, state), *first))  # of the prepared call


def test_a_large_batch(rng: np.random.Generator) -> None:
    robot = sd.load("ets_vii")
    q = robot.random_configuration(rng, LARGE)
    first = robot.mass_matrix(q)
    assert_own((robot.mass_matrix(q), first))
    del first
    assert_own((robot.mass_matrix(q), robot.mass_matrix_inverse(q), *robot.mass_matrix_factors(q)))


@pytest.mark.parametrize("batch", [*BATCHES, (LARGE // 4,)], ids=str)
@pytest.mark.heavy(2)
def test_quantities_of_a_state(batch: tuple[int, ...], robot: sd.Robot, rng: np.random.Generator) -> None:
    if robot.backend == "numpy" and batch == (LARGE // 4,):
        pytest.skip("the reference has one way for all sizes, and is slow")
    q, v = robot.random_configuration(rng, batch), rng.standard_normal((*batch, robot.nv))
    for _ in range(2):
        for state in (robot.at(q, v), robot.at(q, v, together=TOGETHER)):
            found = [getattr(state, name) for name in TOGETHER if isinstance(name, str)]
            arrays = tuple(x for result in found for x in results(result))
            assert_own((*arrays, state.jacobian("tool")), q, v, writeable=False)


FORMULAS = {
    "joint vector": "inv(mass) @ T",
    "link vectors": "phi.T @ H.T @ theta_dot",
    "task vector": "B.T @ V",
    "number": "theta_dot.T @ mass @ theta_dot / 2",
    "passive part": "inv(D_p) @ (T_p - H_p @ psi @ K_p @ T_p)",
}
OPERATORS = {"joint operator": "inv(mass)", "link operator": "phi", "Jacobian": "B.T @ phi.T @ H.T"}
OPTIONS = {"task vector": {"frames": ["tool"]}, "Jacobian": {"frames": ["tool"]}, "passive part": {"passive": ["root"]}}


def state_of(f: sd.Compiled, batch: tuple[int, ...], rng: np.random.Generator) -> list[np.ndarray]:
    found = [rng.standard_normal((*batch, *f.setting.shape(argument.space))) for argument in f.arguments[1:]]
    return [f.robot.random_configuration(rng, batch), *found]


@pytest.mark.parametrize("batch", BATCHES, ids=str)
@pytest.mark.parametrize("name", [*FORMULAS, "several"])
@pytest.mark.heavy
def test_a_compiled_formula(name: str, batch: tuple[int, ...], robot: sd.Robot, rng: np.random.Generator) -> None:
    written = [inv(mass) @ T, V] if name == "several" else formula(FORMULAS[name])
    f = sd.compile(written, robot, **OPTIONS.get(name, {}))
    state = state_of(f, batch, rng)
    first = results(f(*state))
    assert_own(first, *state)
    assert_own((*results(f(*state)), *first))


@pytest.mark.parametrize("batch", BATCHES, ids=str)
@pytest.mark.parametrize("name", OPERATORS)
@pytest.mark.heavy(2)
def test_a_compiled_operator(name: str, batch: tuple[int, ...], robot: sd.Robot, rng: np.random.Generator) -> None:
    f = sd.compile(formula(OPERATORS[name]), robot, **OPTIONS.get(name, {}))
    q = robot.random_configuration(rng, batch)
    X, x = f(q), rng.standard_normal((*batch, *f.setting.shape(f.formulas[0].domain)))
    in_paper_order = () if name == "Jacobian" else (X.dense(order="paper"),)
    assert_own((X @ x, X @ x, X.dense(), X.T.dense(), *in_paper_order), q, x)


@pytest.mark.heavy(2)
def test_a_block(robot: sd.Robot, rng: np.random.Generator) -> None:
    block = sd.compile(formula("psi"), robot)(robot.random_configuration(rng, 3)).block(*robot.link_names[:2])
    assert_own((block,))
