"""Derivatives of integrate and difference, against complex steps."""

from __future__ import annotations

import numpy as np
import pytest

import soadyn as sd
from random_robots import model_of_every_kind

STEP = 1e-30


@pytest.mark.parametrize("length", [1e-9, 1e-3, 0.3, 0.99, 1.01, 2.0, 3.0])
@pytest.mark.heavy(2)
def test_integrate(length: float, rng: np.random.Generator) -> None:
    robot = sd.Robot(model_of_every_kind())
    q, dv = robot.random_configuration(rng, size=4), length * rng.standard_normal((4, robot.nv)) / 2
    d0, d1 = rng.standard_normal((2, 4, robot.nv))
    value, change = robot.jvp("integrate", (q, dv), (d0, d1))
    stepped = robot.integrate(robot.integrate(q.astype(complex), 1j * STEP * d0), dv + 1j * STEP * d1)
    expected = robot.difference(value.astype(complex), stepped).imag / STEP
    assert np.abs(change - expected).max() <= 1e-11 * np.abs(expected).max()


@pytest.mark.parametrize("length", [1e-9, 1e-3, 0.3, 0.99, 1.01, 2.0, 3.0])
@pytest.mark.heavy(2)
def test_difference(length: float, rng: np.random.Generator) -> None:
    robot = sd.Robot(model_of_every_kind())
    unit = rng.standard_normal((4, robot.nv))
    q0 = robot.random_configuration(rng, size=4)
    q1 = robot.integrate(q0, length * unit / np.abs(unit).max() / 2)
    d0, d1 = rng.standard_normal((2, 4, robot.nv))
    _, change = robot.jvp("difference", (q0, q1), (d0, d1))
    moved = [robot.integrate(q.astype(complex), 1j * STEP * d) for q, d in ((q0, d0), (q1, d1))]
    expected = robot.difference(*moved).imag / STEP
    assert np.abs(change - expected).max() <= 1e-10 * np.abs(expected).max()


@pytest.mark.parametrize("name", ["integrate", "difference"])
def test_weights_and_directions_agree(name: str, rng: np.random.Generator) -> None:
    robot = sd.Robot(model_of_every_kind())
    q = robot.random_configuration(rng, size=3)
    second = 0.4 * rng.standard_normal(robot.nv) if name == "integrate" else robot.random_configuration(rng, size=3)
    w, d0, d1 = rng.standard_normal((3, 3, robot.nv))
    value, change = robot.jvp(name, (q, second), (d0, d1))
    same, (by_first, by_second) = robot.vjp(name, (q, second), w)
    assert (value == same).all()
    assert np.allclose((w * change).sum(-1), (by_first * d0 + by_second * d1).sum(-1), rtol=1e-12, atol=1e-12)
    _, first_only = robot.jvp(name, (q, second), (d0, None))
    _, second_only = robot.jvp(name, (q, second), (None, d1))
    assert np.allclose(first_only + second_only, change, rtol=1e-12, atol=1e-12)
