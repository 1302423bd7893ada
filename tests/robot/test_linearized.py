"""Linear models of a robot's motion against complex steps."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import soadyn as sd
from random_robots import model_of_every_kind, random_model
from soadyn.model.steppers import STEPPERS, Moment, Rates

STEP = 1e-30


def state(robot: sd.Robot, rng: np.random.Generator, size: tuple[int, ...] = ()) -> list[np.ndarray]:
    return [robot.random_configuration(rng, size=size), *rng.standard_normal((2, *size, robot.nv))]


def off(found: np.ndarray, expected: np.ndarray) -> float:
    return float(np.abs(found - expected).max() / np.abs(expected).max())


@pytest.mark.parametrize("method", STEPPERS)
@pytest.mark.heavy(2)
def test_a_step_is_linearized_through_its_stepper(method: Any, rng: np.random.Generator) -> None:
    robot = sd.Robot(random_model(rng, 4, kinds=("revolute", "planar", "spherical"), root="free"))
    q, v, tau = state(robot, rng)
    A, B = robot.linearize(q, v, tau, step=0.02, method=method)
    reference = robot.with_backend("numpy")

    def after(dq: Any, dv: Any, dtau: Any) -> tuple[np.ndarray, np.ndarray]:
        def rates(t: float, q: np.ndarray, v: np.ndarray) -> Rates:
            return Rates(reference.forward_dynamics(q, v, tau + dtau), np.zeros(1))

        now = Moment(0.0, robot.integrate(q.astype(complex), dq), v + dv, np.zeros(1))
        end = STEPPERS[method](robot.integrate, rates, now, 0.02)
        return end.q, end.v

    q_end, _ = after(0 * v, 0 * v, 0 * v)
    d, e, f = rng.standard_normal((3, robot.nv))
    q_moved, v_moved = after(1j * STEP * d, 1j * STEP * e, 1j * STEP * f)
    expected = np.concatenate([robot.difference(q_end.real.astype(complex), q_moved).imag, v_moved.imag]) / STEP
    assert off(A @ np.concatenate([d, e]) + B @ f, expected) <= 1e-9


def test_equations_are_the_limit_of_short_steps(rng: np.random.Generator) -> None:
    robot = sd.Robot(model_of_every_kind())
    q, v, tau = state(robot, rng)
    h = 1e-6
    A, B = robot.linearize(q, v, tau)
    A_step, B_step = robot.linearize(q, v, tau, step=h)
    assert off((A_step - np.eye(2 * robot.nv)) / h, A) <= 1e-2
    assert off(B_step / h, B) <= 1e-2


def test_batches_and_passive_joints(rng: np.random.Generator) -> None:
    robot = sd.load("free_flyer")
    q, v, tau = state(robot, rng, (3,))
    A, B = robot.linearize(q, v, tau, passive=["root"])
    assert A.shape == (3, 2 * robot.nv, 2 * robot.nv)
    assert B.shape == (3, 2 * robot.nv, robot.nv - 6)
    one, _ = robot.linearize(q[1], v[1], tau[1], step=0.01)
    many, _ = robot.linearize(q, v, tau, step=0.01)
    assert off(many[1], one) <= 1e-12


def test_rates_of_the_mass_matrix_and_of_a_jacobian(rng: np.random.Generator) -> None:
    robot = sd.Robot(model_of_every_kind())
    q, v, a = state(robot, rng)
    moved = robot.integrate(q.astype(complex), 1j * STEP * v)
    assert off(robot.mass_matrix_rate(q, v), robot.mass_matrix(moved).imag / STEP) <= 1e-12
    acceleration = robot.jacobian(q, "tool") @ a + robot.jacobian_rate(q, v, "tool") @ v
    assert off(acceleration, robot.frame_acceleration(q, v, a, "tool")) <= 1e-12


def test_errors_name_the_argument() -> None:
    arm = sd.load("planar_two_link")
    zero = np.zeros(2)
    with pytest.raises(sd.ArgumentError, match="step must be a positive number, got -1"):
        arm.linearize(zero, zero, zero, step=-1)
    with pytest.raises(sd.ArgumentError, match='method must be "rk4" or "semi-implicit", got \'euler\''):
        arm.linearize(zero, zero, zero, step=0.1, method="euler")  # type: ignore[arg-type]
