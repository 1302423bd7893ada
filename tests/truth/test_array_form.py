"""The root of the mass matrix by the array form of the filter: right everywhere, and where it is better."""

from __future__ import annotations

from typing import Literal

import mpmath
import numpy as np
import pytest

import soadyn as sd
from random_robots import random_model
from soadyn.theory.literature.entry import PaperProgram
from soadyn.theory.oracle.dense_robot import DenseRobot

EPS = np.finfo(float).eps
Form = Literal["numpy", "rolled", "straight", "auto"]
FORMS = ["numpy", *(pytest.param(form, marks=pytest.mark.slow) for form in ("auto", "rolled", "straight"))]


@pytest.fixture
def backend() -> None:
    """Every test names its backends itself."""


def by_arrays(robot: sd.Robot, q: np.ndarray) -> np.ndarray:
    entry = sd.papers["001 root by arrays"]
    assert isinstance(entry, PaperProgram)
    found: np.ndarray = sd.compile(entry, robot)(q)
    return found


@pytest.mark.parametrize("armature", [False, True])
@pytest.mark.parametrize("root", ["fixed", "free"])
@pytest.mark.parametrize("form", FORMS)
def test_it_is_the_root_of_the_dense_mass_matrix_on_random_trees(
    form: Form, root: Literal["fixed", "free"], armature: bool, rng: np.random.Generator, llvm: None
) -> None:
    robot = sd.Robot(random_model(rng, 7, root=root, armature=armature), backend=form)
    q = robot.random_configuration(rng, 3)
    found = by_arrays(robot, q)
    for m, state in zip(found, q, strict=True):
        M = DenseRobot(robot.model, state).mass_matrix
        assert np.abs(m @ m.T - M).max() <= 1e-13 * np.abs(M).max()
    assert np.abs(found - robot.mass_matrix_root(q)).max() <= 1e-12 * np.abs(found).max()


def concentric(rng: np.random.Generator, heavy: float) -> sd.Robot:
    """A heavy body on four axes through one point, carried by links of a gram."""
    builder = sd.Builder("gimbal")
    parent = None
    for name, mass in (("outer", 1e-3), ("middle", 1e-3), ("inner", 1e-3), ("body", heavy)):
        second_moment = (A := rng.standard_normal((3, 3))) @ A.T * mass / 3
        body = sd.Body(mass, 0.1 * rng.standard_normal(3), np.trace(second_moment) * np.eye(3) - second_moment)
        parent = builder.link(name, body, parent, "revolute", rng.standard_normal(3), np.zeros(3))
    return sd.build(builder)


def lost(found: np.ndarray, true: np.ndarray) -> float:
    """The largest relative error of the pivots, in roundings."""
    return float(np.abs(np.diag(found) / np.diag(true) - 1).max() / EPS)


def pivots_lost(rng: np.random.Generator, heavy: float) -> tuple[float, float]:
    """What the recursion of 001 (34)-(37) loses of a pivot, and what its array form does."""
    robot = concentric(rng, heavy)
    q = robot.random_configuration(rng)
    with mpmath.workdps(60):
        exact = np.frompyfunc(mpmath.mpf, 1, 1)(q)
        true = robot.with_backend("numpy").mass_matrix_root(exact).astype(float)
    return lost(robot.mass_matrix_root(q), true), lost(by_arrays(robot, q), true)


def test_a_heavy_body_on_light_rings_costs_the_recursion_digits_and_its_array_form_none(
    rng: np.random.Generator,
) -> None:
    losses = np.array([pivots_lost(rng, 1e6) for _ in range(10)])
    assert losses[:, 1].max() <= 64
    assert np.median(losses[:, 0]) >= 1e4


def test_arrays_have_an_answer_where_the_recursion_has_none(rng: np.random.Generator) -> None:
    robot = concentric(rng, 1e12)
    q = robot.random_configuration(rng)
    with pytest.warns(RuntimeWarning, match="D is singular"):
        assert np.isnan(robot.mass_matrix_root(q)).all()
    with mpmath.workdps(60):
        exact = np.frompyfunc(mpmath.mpf, 1, 1)(q)
        true = robot.with_backend("numpy").mass_matrix_root(exact).astype(float)
    assert lost(by_arrays(robot, q), true) <= 64


@pytest.mark.parametrize("form", ["numpy", "auto", pytest.param("straight", marks=pytest.mark.slow)])
def test_a_joint_without_inertia_has_no_root(form: Form, llvm: None) -> None:
    builder = sd.Builder("needle")
    first = builder.link("arm", sd.Body(1.0, [0.5, 0, 0], np.eye(3)), None, "revolute", [0, 0, 1])
    builder.link("needle", sd.Body(0.0, [0, 0, 0], np.zeros((3, 3))), first, "revolute", [0.3, 0.2, 0.9], [0.3, 0.1, 0])
    robot = sd.build(builder).with_backend(form)
    with pytest.warns(RuntimeWarning, match="D is singular at link 'needle'"):
        assert np.isnan(by_arrays(robot, np.array([0.3, 0.4]))).all()


def test_a_complex_step_is_its_derivative(rng: np.random.Generator) -> None:
    robot = sd.load("puma560")
    q, dq = robot.random_configuration(rng), rng.standard_normal(6)
    rate = robot.jvp("mass_matrix_root", (q,), (dq,))[1]
    assert np.abs(by_arrays(robot, q + 1e-30j * dq).imag / 1e-30 - rate).max() <= 1e-12 * np.abs(rate).max()
