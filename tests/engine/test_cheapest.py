"""Several algorithms for one quantity: the same results, and the cheapest one is compiled."""

from __future__ import annotations

import numpy as np
import pytest

import soadyn as sd
from random_robots import ALL_KINDS, random_model, random_q
from soadyn.engine.constants.constants import constants_of
from soadyn.engine.constants.regrouping import regrouped
from soadyn.engine.reference import run as reference
from soadyn.engine.tracing.trace import Traced, cheapest_trace
from soadyn.engine.tracing.traced import traced
from soadyn.programs.sweep.algorithms import INVERSE_BY_FACTORS, MASS_MATRIX_INVERSE, without_external
from soadyn.programs.sweep.newton_euler import FORWARD_BY_FILTER, FORWARD_BY_MATRIX, MOST_COMPONENTS
from soadyn.programs.sweep.program import Program
from soadyn.theory.formula.dynamics import forward_dynamics
from soadyn.theory.oracle.dense_robot import DenseRobot


@pytest.mark.parametrize("program", forward_dynamics().alternatives, ids=["filter", "matrix"])
@pytest.mark.parametrize("root", ["fixed", "free"])
@pytest.mark.heavy(2)
def test_alternatives_agree_with_articulated_bodies(program: Program, root: str) -> None:
    rng = np.random.default_rng(8)
    for _ in range(10):
        model = random_model(rng, 6, ALL_KINDS, root=root, armature=True)  # type: ignore[arg-type]
        constants = constants_of(model)
        q = np.stack([random_q(rng, model) for _ in range(3)])
        v, tau = rng.normal(size=(2, 3, model.nv))
        external = rng.normal(size=(3, len(model.visible), 6))
        inputs = {"q": q, "v": v, "tau": tau, "external": external}
        (expected,), faults = reference.run(forward_dynamics(), constants, inputs, (3,))
        assert not faults
        for own in (constants, regrouped(constants)):
            (found,), _ = reference.run(program, own, inputs, (3,))
            np.testing.assert_allclose(found, expected, rtol=1e-8, atol=1e-8 * abs(expected).max())


@pytest.mark.parametrize("root", ["fixed", "free"])
@pytest.mark.heavy(2)
def test_the_inverse_by_factors_is_that_of_the_explicit_mass_matrix(root: str) -> None:
    rng = np.random.default_rng(9)
    for _ in range(10):
        model = random_model(rng, 7, ALL_KINDS, root=root, armature=True)  # type: ignore[arg-type]
        q = random_q(rng, model)
        expected = np.linalg.inv(DenseRobot(model, q).mass_matrix)
        for own in (constants_of(model), regrouped(constants_of(model, slid=True))):
            (found,), faults = reference.run(INVERSE_BY_FACTORS, own, {"q": q}, ())
            assert not faults
            np.testing.assert_allclose(found, expected, rtol=1e-8, atol=1e-8 * abs(expected).max())


def test_large_batches_of_inverses_are_computed_by_factors(rng: np.random.Generator) -> None:
    for name in ("ur5", "free_flyer"):
        robot = sd.load(name)
        q = robot.random_configuration(rng, 300)
        forms = (MASS_MATRIX_INVERSE, INVERSE_BY_FACTORS)
        tried = {program: traced(program, robot.engine.constants, {}) for program in forms}
        assert cheapest_trace(MASS_MATRIX_INVERSE, robot.model, tried.__getitem__) is tried[INVERSE_BY_FACTORS]
        one = robot.mass_matrix_inverse(q[7])  # one state: by a smoother for every column
        np.testing.assert_allclose(robot.mass_matrix_inverse(q)[7], one, rtol=1e-10, atol=1e-11 * abs(one).max())


def chosen(robot: sd.Robot) -> str:
    """Which form of forward dynamics a robot's straight-line code has."""
    names: list[str] = []
    forms = {FORWARD_BY_FILTER: "filter", FORWARD_BY_MATRIX: "matrix"}
    programs = {without_external(program): name for program, name in forms.items()}
    traces: dict[int, str] = {}

    def trace(program: Program) -> Traced:
        found = traced(program, robot.engine.constants, {})
        traces[id(found)] = programs.get(program, "articulated")
        names.append(traces[id(found)])
        return found

    best = cheapest_trace(without_external(forward_dynamics()), robot.model, trace)
    # A mass matrix is not formed where a joint has several components: articulated bodies are more accurate there.
    several = any(joint.behaviour.nv > 1 for joint in robot.model.joints)
    assert len(names) == (3 - several if robot.nv <= MOST_COMPONENTS else 1)
    return traces[id(best)]


def test_small_arms_take_the_matrix_and_long_ones_the_recursion() -> None:
    assert chosen(sd.load("ur5")) == "matrix"
    assert chosen(sd.load("free_flyer")) == "filter"
    assert chosen(sd.chain(17)) == "articulated"


def test_a_batch_and_a_state_agree_whichever_form_they_take(rng: np.random.Generator) -> None:
    for name in ("ur5", "panda", "free_flyer"):
        robot = sd.load(name)
        q = robot.random_configuration(rng, 300)
        v, tau = rng.normal(size=(2, 300, robot.nv))
        batch = robot.forward_dynamics(q, v, tau)
        for i in (0, 150, 299):
            one = robot.forward_dynamics(q[i], v[i], tau[i])
            np.testing.assert_allclose(batch[i], one, rtol=1e-10, atol=1e-11 * abs(one).max())
