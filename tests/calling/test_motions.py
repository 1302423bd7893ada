"""Configurations moved and compared by kernels: against Pinocchio, 30 digits, and the functions on any numbers."""

from __future__ import annotations

import warnings
from typing import Any

import mpmath
import numpy as np
import pytest

import soadyn as sd
from random_robots import model_of_every_kind, random_model
from soadyn.errors import ShapeError
from soadyn.model import configuration

BACKENDS = ["rolled", "straight"]


@pytest.fixture(scope="module", params=BACKENDS)
def robot(request: pytest.FixtureRequest) -> sd.Robot:
    return sd.Robot(model_of_every_kind(), request.param)


@pytest.mark.parametrize("shape", [(), (1,), (3,), (2, 3), (100,), (5000,)])
@pytest.mark.heavy(2)
def test_kernels_move_and_compare_as_the_functions_do(robot: sd.Robot, rng: np.random.Generator, shape: Any) -> None:
    space = robot.engine.coordinates
    q, q1 = (2 * robot.random_configuration(rng, shape) for _ in range(2))
    dv = rng.standard_normal((*shape, robot.nv))
    for _ in range(2):  # the second call is the kept kernel's
        moved, apart = robot.integrate(q, dv), robot.difference(q, q1)
        assert (moved.shape, apart.shape) == (q.shape, dv.shape)
        np.testing.assert_allclose(moved, configuration.integrate(space, q, dv), rtol=1e-13, atol=1e-13)
        np.testing.assert_allclose(apart, configuration.difference(space, q, q1), rtol=1e-11, atol=1e-11)


def test_random_trees_come_back_to_where_they_were(rng: np.random.Generator) -> None:
    for _ in range(5):
        robot = sd.Robot(random_model(rng, 8, root="free"))
        q, q1 = robot.random_configuration(rng, 50), robot.random_configuration(rng, 50)
        back = robot.integrate(q, robot.difference(q, q1))
        np.testing.assert_allclose(robot.poses(back), robot.poses(q1), atol=1e-12)


def test_a_free_base_moves_as_pinocchio_moves_it(rng: np.random.Generator) -> None:
    pin = pytest.importorskip("pinocchio")
    model = pin.Model()
    model.addJoint(0, pin.JointModelFreeFlyer(), pin.SE3.Identity(), "root")
    robot = sd.Robot(random_model(rng, 1, root="free"))
    assert robot.nq == model.nq
    order = [4, 5, 6, 1, 2, 3, 0]  # position, then x, y, z, w
    for size in (1e-9, 1e-3, 1.0, 3.0):
        q, dv = robot.random_configuration(rng), size * rng.standard_normal(6)
        there = pin.integrate(model, q[order], dv[[3, 4, 5, 0, 1, 2]])
        moved = robot.integrate(q, dv)[order]
        moved[3:] *= np.sign(moved[3:] @ there[3:])
        np.testing.assert_allclose(moved, there, rtol=1e-12, atol=1e-12)
        apart = pin.difference(model, q[order], there)[[3, 4, 5, 0, 1, 2]]
        np.testing.assert_allclose(robot.difference(q, robot.integrate(q, dv)), apart, rtol=1e-8, atol=1e-10)


@pytest.mark.parametrize("backend", BACKENDS)
def test_turns_of_every_size_are_measured_to_rounding(backend: Any, rng: np.random.Generator) -> None:
    """The arctangent of the kernels is their own; turns up to pi, both quaternions of a rotation."""
    ball = sd.Robot(random_model(rng, 1, kinds=["spherical"], fixed_links=0), backend)
    angles = np.concatenate([10.0 ** np.arange(-12, 1), np.linspace(0.01, np.pi, 300), [np.pi - 1e-9, np.pi]])
    axis = rng.standard_normal((len(angles), 3))
    axis /= np.linalg.norm(axis, axis=1, keepdims=True)
    with mpmath.workdps(30):
        half = [[float(f(mpmath.mpf(a) / 2)) for f in (mpmath.cos, mpmath.sin)] for a in angles]
    q1 = np.concatenate([np.array(half)[:, :1], np.array(half)[:, 1:] * axis], axis=1)
    q0 = np.array([1.0, 0.0, 0.0, 0.0])
    for sign in (1.0, -1.0):
        found = np.array([ball.difference(q0, sign * row) for row in q1])
        np.testing.assert_allclose(np.abs((found * axis).sum(1)), angles, rtol=3e-15)


def test_a_half_turn_exactly_has_an_answer(robot: sd.Robot) -> None:
    q = robot.neutral()
    q1 = q.copy()
    q1[:4] = [0.0, 0.0, 1.0, 0.0]
    for side in (1.0, -1.0):
        q1[:4] *= side
        np.testing.assert_allclose(np.abs(robot.difference(q, q1)[:3]), [0.0, np.pi, 0.0], atol=1e-15)


def test_only_the_joint_concerned_has_no_answer(robot: sd.Robot, rng: np.random.Generator) -> None:
    q, dv = robot.random_configuration(rng, 4), rng.standard_normal((4, robot.nv))
    robot.integrate(q, dv)
    dv[2, 6] = np.nan
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        moved = robot.integrate(q, dv)
    assert np.isnan(moved[2]).any()
    assert np.isfinite(moved[2, :7]).all()
    assert np.isfinite(moved[[0, 1, 3]]).all()


def test_arguments_are_refused_after_a_kernel_is_kept_as_before(robot: sd.Robot) -> None:
    q, dv = robot.neutral(), np.zeros(robot.nv)
    robot.integrate(q, dv), robot.difference(q, q)
    with pytest.raises(ShapeError, match="'dv'"):
        robot.integrate(q, dv[1:])
    with pytest.raises(ShapeError, match="'q1'"):
        robot.difference(q, dv)
    with pytest.raises(ShapeError, match="batch axes do not broadcast"):
        robot.integrate(np.stack([q] * 2), np.stack([dv] * 3))


def test_one_of_both_may_be_a_batch(robot: sd.Robot, rng: np.random.Generator) -> None:
    q, dv = robot.random_configuration(rng), rng.standard_normal((3, robot.nv))
    rows = np.array([robot.integrate(q, row) for row in dv])
    np.testing.assert_allclose(robot.integrate(q, dv), rows, rtol=1e-14, atol=1e-14)
    apart = np.array([robot.difference(q, row) for row in rows])
    np.testing.assert_allclose(robot.difference(q, rows), apart, rtol=1e-13, atol=1e-13)


def test_other_numbers_stay_what_they_are(robot: sd.Robot, rng: np.random.Generator) -> None:
    q, dv = robot.random_configuration(rng), rng.standard_normal(robot.nv)
    assert robot.integrate(q.astype(np.float32), dv.astype(np.float32)).dtype == np.float32
    along = rng.standard_normal(robot.nv)
    step = 1e-20
    by_complex = robot.integrate(q, dv + 1j * step * along).imag / step
    by_difference = (robot.integrate(q, dv + 1e-6 * along) - robot.integrate(q, dv - 1e-6 * along)) / 2e-6
    np.testing.assert_allclose(by_complex, by_difference, atol=1e-8)
    exact = robot.integrate(q.astype(np.longdouble), dv.astype(np.longdouble))
    assert exact.dtype == np.longdouble


def test_quaternions_are_normalised_and_nothing_else_changes(robot: sd.Robot, rng: np.random.Generator) -> None:
    q = robot.random_configuration(rng, 7)
    longer = q.copy()
    longer[:, :4] *= 3.0
    np.testing.assert_allclose(robot.normalize(longer), q, rtol=1e-14, atol=1e-14)
    np.testing.assert_array_equal(robot.normalize(longer)[:, 4:7], q[:, 4:7])
