"""A value that comes out of a program several times has a place of its own each time."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import numpy as np
import pytest

import soadyn as sd
from combining import combined
from soadyn.engine.tracing.ports import own_ports, ports_of
from soadyn.programs.sweep.algorithms import MASS_MATRIX
from soadyn.programs.sweep.program import Derivative, Output, Program, with_derivative
from soadyn.robot.calling.run_program import outputs_of

TWICE = replace(MASS_MATRIX, outputs=(*MASS_MATRIX.outputs, Output("mass", "matrix"), *MASS_MATRIX.outputs))


def test_ports_of_one_value_have_different_names() -> None:
    model = sd.load("ur5").model
    assert [port.name for port in own_ports(MASS_MATRIX, model)[1]] == ["mass"]
    assert [port.name for port in own_ports(TWICE, model)[1]] == ["mass@0", "mass@1", "mass@2"]
    derived = with_derivative(TWICE, Derivative("tangent", ("q",)))
    assert [port.name for port in ports_of(derived, model)[1]][3:] == ["d:mass@0", "d:mass@1", "d:mass@2"]


@pytest.mark.parametrize("backend", ["numpy", "rolled", "straight"])
@pytest.mark.heavy(2)
def test_each_of_them_is_filled(
    backend: Literal["numpy", "rolled", "straight"], rng: np.random.Generator, llvm: None
) -> None:
    robot = sd.load("ur5").with_backend(backend)
    q = robot.random_configuration(rng, 5)
    first, upper, last = outputs_of(robot.engine, TWICE, {"q": q}, "float64")[0]
    M = robot.mass_matrix(q)
    assert np.abs(first - M).max() <= 1e-13 * np.abs(M).max()
    assert np.array_equal(first, last)
    assert np.array_equal(upper, np.triu(first))
    assert not np.shares_memory(first, last)


@pytest.mark.parametrize("backend", ["numpy", "auto"])
@pytest.mark.heavy(2)
def test_each_of_them_has_its_derivative(
    backend: Literal["numpy", "auto"], rng: np.random.Generator, llvm: None
) -> None:
    robot = sd.load("ur5").with_backend(backend)
    q, dq = robot.random_configuration(rng), rng.standard_normal(6)
    derived = with_derivative(TWICE, Derivative("tangent", ("q",)))
    *_, first, upper, last = outputs_of(robot.engine, derived, {"q": q, "d:q": dq}, "float64")[0]
    rate = robot.jvp("mass_matrix", (q,), (dq,))[1]
    assert np.abs(first - rate).max() <= 1e-12 * np.abs(rate).max()
    assert np.array_equal(first, last)
    assert np.abs(upper - np.triu(rate)).max() <= 1e-12 * np.abs(rate).max()


def test_programs_with_the_same_result_are_combined(rng: np.random.Generator, llvm: None) -> None:
    robot = sd.load("ur5")
    q = robot.random_configuration(rng, 3)
    again = Program("again", MASS_MATRIX.stages, MASS_MATRIX.outputs, joint_space=True)
    one, other = outputs_of(robot.engine, combined((MASS_MATRIX, again)), {"q": q}, "float64")[0]
    assert np.array_equal(one, other)
    assert np.abs(one - robot.mass_matrix(q)).max() <= 1e-13 * np.abs(one).max()


def test_a_formula_asked_for_twice_is_given_twice(rng: np.random.Generator) -> None:
    from soadyn.algebra import T, inv, mass

    arm = sd.load("ur5")
    q, tau = arm.random_configuration(rng), rng.standard_normal(6)
    one, other = sd.compile([inv(mass) @ T, inv(mass) @ T], arm)(q, tau)
    assert np.array_equal(one, other)
    assert np.abs(one - arm.mass(q).solve(tau)).max() <= 1e-12 * np.abs(one).max()
