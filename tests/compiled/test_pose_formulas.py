"""000 Controls 8.1 and 8.2 as formulas: they compile, differentiate and become C."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import numpy as np
import pytest

import soadyn as sd
from c_code import Exported
from soadyn.algebra import L_Y, B, D, Expression, H, I_joint, K, V, Y, mass, phi, rate, sensitivity, sqrt, theta_dot
from soadyn.algebra.defining import operator, vector
from soadyn.control import PoseFeedback
from soadyn.control.feedback.pose_feedback import vector_of
from soadyn.theory.oracle.dense_robot import DenseRobot
from soadyn.theory.oracle.dense_value import dense_value

WEIGHT, GAIN = np.repeat([300.0, 2.0], [3, 9]), 2.0
W = operator("W", WEIGHT, maps=("pose motion", "pose force"))
Y_hat = vector("Y_hat", "pose motion")
e = Y_hat - Y


def law(nv: int) -> Expression:
    c = operator("c", np.full(nv, GAIN), maps=("white joint", "white joint"))
    m = (I_joint + H @ phi @ K) @ sqrt(D)
    return H @ phi @ B @ L_Y.T @ W @ e - m @ c @ m.T @ theta_dot


ENERGY = e.T @ W @ e / 2 + theta_dot.T @ mass @ theta_dot / 2


@pytest.fixture
def arm() -> sd.Robot:
    return sd.load("ur5").with_gravity([0, 0, 0])


def states(rng: np.random.Generator, *batch: int) -> tuple[np.ndarray, np.ndarray]:
    q = np.array([0.1, -1.0, 1.2, 0.3, 0.5, 0.2]) + 0.3 * rng.standard_normal((*batch, 6))
    return q, rng.standard_normal((*batch, 6))


@pytest.mark.parametrize("backend", ["numpy", "rolled", "straight"])
@pytest.mark.heavy(2)
def test_000_control_8_2_is_a_formula(arm: sd.Robot, rng: np.random.Generator, backend: str) -> None:
    (q, v), target = states(rng, 5), arm.pose(states(rng)[0], "tool0")
    control = PoseFeedback(arm.with_backend("numpy"), "tool0", target, gain=GAIN, weight=WEIGHT)
    T = sd.compile(law(6), arm.with_backend(backend), frames=["tool0"])
    E = sd.compile(ENERGY, arm.with_backend(backend), frames=["tool0"])
    assert T.signature == "f(q, v, Y_hat) -> joint force (6,)"
    assert np.allclose(T(q, v, vector_of(target)), control(0.0, q, v), rtol=0, atol=1e-11)
    assert np.allclose(E(q, v, vector_of(target)), control.lyapunov(q, v), rtol=1e-13)


def test_the_law_is_that_of_dense_matrices(rng: np.random.Generator) -> None:
    flyer = sd.load("free_flyer").with_backend("numpy")
    q, v, goal = flyer.random_configuration(rng), rng.standard_normal(flyer.nv), rng.standard_normal(12)
    expected = dense_value(law(flyer.nv), DenseRobot(flyer.model, q, v), frames=["tool"], vectors={"Y_hat": goal})
    found = sd.compile(law(flyer.nv), flyer, frames=["tool"])(q, v, goal)
    assert np.abs(found - expected).max() < 1e-11 * np.abs(expected).max()


def test_000_eq_8_5_the_rate_of_the_pose_is_l_y_of_the_frames_velocity(arm: sd.Robot, rng: np.random.Generator) -> None:
    q, v = states(rng)
    assert str(rate(Y)) == "L_Y @ B.T @ V"
    step = dense_value(Y, DenseRobot(arm.model, q + 1e-30j * v), frames=["tool0"]).imag / 1e-30
    found = dense_value(L_Y @ B.T @ V, DenseRobot(arm.model, q, v), frames=["tool0"])
    assert np.abs(found - step).max() < 1e-14


def test_the_law_and_its_lyapunov_function_differentiate(arm: sd.Robot, rng: np.random.Generator) -> None:
    q, v = states(rng)
    goal = vector_of(arm.pose(states(rng)[0], "tool0"))
    dq, dv, dY = rng.standard_normal(6), rng.standard_normal(6), rng.standard_normal(12)
    T = sd.compile(law(6), arm.with_backend("numpy"), frames=["tool0"])
    steps = T(q + 1e-30j * dq, v + 1e-30j * dv, goal + 1e-30j * dY).imag / 1e-30
    assert np.abs(T.jvp((q, v, goal), (dq, dv, dY))[1] - steps).max() < 1e-10
    _, (by_q, by_v, by_Y) = sd.compile(ENERGY, arm, frames=["tool0"]).vjp((q, v, goal), 1.0)
    error = goal - vector_of(arm.pose(q, "tool0"))
    assert np.abs(by_Y - WEIGHT * error).max() < 1e-11
    assert np.abs(by_v - arm.mass_matrix(q) @ v).max() < 1e-12
    # the law is what falls down the Lyapunov function: its static part is the gradient at rest
    still = T(q, 0 * v, goal)
    _, (slope, _, _) = sd.compile(ENERGY, arm, frames=["tool0"]).vjp((q, 0 * v, goal), 1.0)
    assert np.abs(still + slope).max() < 1e-10
    assert by_q.shape == (6,)


def test_the_law_becomes_c(arm: sd.Robot, rng: np.random.Generator, tmp_path: Path) -> None:
    (q, v), goal = states(rng), vector_of(arm.pose(states(rng)[0], "tool0"))
    f = sd.compile(law(6), arm, frames=["tool0"])
    status, (T,) = Exported(f, tmp_path)(q, v, goal)
    assert status == 0
    assert np.abs(T - f(q, v, goal)).max() < 1e-11 * np.abs(T).max()


def test_a_sensitivity_becomes_c(arm: sd.Robot, rng: np.random.Generator, tmp_path: Path) -> None:
    q, v = states(rng)
    status, (x,) = Exported(sd.compile(sensitivity(mass, "elbow_joint") @ theta_dot, arm), tmp_path)(q, v)
    assert status == 0
    assert np.abs(x - arm.mass_matrix_sensitivities(q)[..., 2] @ v).max() < 1e-13


def test_poses_that_no_program_has_are_refused(arm: sd.Robot, rng: np.random.Generator) -> None:
    with pytest.raises(sd.SpaceError, match="no recursion over the links is known for Y"):
        sd.compile(Y, arm, frames=["tool0"])
    q, _ = states(rng)
    assert np.allclose(sd.compile(Y, arm, frames=["tool0"], dense=True)(q), vector_of(arm.pose(q, "tool0")))
    with pytest.raises(sd.SpaceError, match="no recursion over the links is known for Y"):
        sd.compile(law(6), arm, frames=["tool0", "wrist_1_link"])
    with pytest.raises(sd.ArgumentError, match="a frame that is fixed in the ground"):
        sd.compile(law(6), arm, frames=["ground"])
    with pytest.raises(sd.ArgumentError, match="speaks of operational points"):
        sd.compile(law(6), arm)


@pytest.mark.parametrize("backend", ["numpy", "auto"])
@pytest.mark.heavy(2)
def test_the_map_of_forces_on_poses_alone_is_an_operator(
    backend: Literal["numpy", "auto"], rng: np.random.Generator
) -> None:
    arm = sd.load("planar_two_link").with_backend(backend)
    q = arm.random_configuration(rng)
    robot = DenseRobot(arm.model, q, np.zeros(2))
    for formula in (L_Y.T, -L_Y.T):
        X = sd.compile(formula, arm, frames=["tool"])(q)
        x = rng.standard_normal(X.dense().shape[-1])
        expected = dense_value(formula, robot, frames=["tool"])
        assert np.allclose(X.dense(), expected, atol=1e-14)
        assert np.allclose((X @ x).reshape(-1), expected @ x, atol=1e-13)
