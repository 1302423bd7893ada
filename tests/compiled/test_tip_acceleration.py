"""a(0), what a link's turning adds to the acceleration of a point on it, as a symbol of formulas."""

from __future__ import annotations

from typing import Any

import numpy as np

import soadyn as sd
from agreement import random_state
from random_robots import random_model
from soadyn.algebra import B, a, a_tip, alpha, f_tip, phi
from soadyn.theory.oracle.dense_robot import DenseRobot
from soadyn.theory.oracle.dense_value import dense_value

SHIFTED = np.block([[np.eye(3), np.array([[0.2], [-0.3], [0.4]])], [np.zeros(3), 1.0]])


def tree(rng: np.random.Generator) -> tuple[sd.Robot, list[Any], dict[str, np.ndarray]]:
    robot = sd.Robot(random_model(rng, 7, root="free", armature=True), backend="numpy")
    frames = [(robot.link_names[-1], SHIFTED), "tool", robot.link_names[-1]]
    return robot, frames, random_state(rng, robot)


def test_the_tip_acceleration_is_that_of_the_frames(rng: np.random.Generator) -> None:
    robot, frames, s = tree(rng)
    f = sd.compile(B.T @ alpha + a_tip, robot, frames=frames)
    assert f.signature == f"f(q, v, theta_ddot) -> task motion ({6 * len(frames)},)"
    lifted = np.concatenate([np.zeros(3), -robot.gravity])
    expected = [robot.frame_acceleration(s["q"], s["v"], s["a"], frame) + lifted for frame in frames]
    assert np.abs(f(s["q"], s["v"], s["a"]) - np.concatenate(expected)).max() <= 1e-10 * np.abs(expected).max()


def test_a_tip_alone_and_scaled_is_that_of_the_dense_oracle_in_batches(rng: np.random.Generator) -> None:
    robot, frames, _ = tree(rng)
    q, v = robot.random_configuration(rng, 3), rng.standard_normal((3, robot.nv))
    found = sd.compile(a_tip / 2, robot, frames=frames)(q, v)
    for row, (state, rates) in enumerate(zip(q, v, strict=True)):
        expected = dense_value(a_tip / 2, DenseRobot(robot.model, state, rates), frames=frames)
        assert np.abs(found[row] - expected).max() <= 1e-11 * max(1.0, np.abs(expected).max())


def test_the_rate_of_the_jacobian_times_rates(rng: np.random.Generator) -> None:
    """J̇ θ̇ = B* φ* a + a(0), against a complex step of the Jacobian along the motion; without gravity's offset."""
    robot, frames, s = tree(rng)
    robot = robot.with_gravity([0, 0, 0])
    found = sd.compile(B.T @ phi.T @ a + a_tip, robot, frames=frames)(s["q"], s["v"]).reshape(-1, 6)
    moving = robot.integrate(s["q"], 1e-30j * s["v"])
    for x, frame in zip(found, frames, strict=True):
        expected = robot.jacobian(moving, frame).imag @ s["v"] / 1e-30
        assert np.abs(x - expected).max() <= 1e-10 * max(1.0, np.abs(expected).max())


def test_it_can_be_given(rng: np.random.Generator) -> None:
    robot, frames, s = tree(rng)
    given = sd.compile([a_tip, B.T @ alpha - a_tip], robot, frames=frames, given=["a_tip"])
    x = rng.standard_normal(6 * len(frames))
    alone, beside = given(s["q"], s["v"], s["a"], x)
    assert (alone == x).all()
    assert np.allclose(beside + x, sd.compile(B.T @ alpha, robot, frames=frames)(s["q"], s["v"], s["a"]))


def test_a_point_of_the_ground_has_none(rng: np.random.Generator) -> None:
    arm = sd.load("ur5")
    q, v = rng.standard_normal((2, 6))
    assert not sd.compile(a_tip, arm, frames=[("ground", SHIFTED)])(q, v).any()


def test_the_power_of_forces_at_points_along_it(rng: np.random.Generator) -> None:
    robot, frames, s = tree(rng)
    w = rng.standard_normal(6 * len(frames))
    swing = sd.compile(a_tip, robot, frames=frames)(s["q"], s["v"])
    for dense in (False, True):
        found = sd.compile(f_tip.T @ a_tip, robot, frames=frames, dense=dense)(s["q"], s["v"], w)
        assert np.isclose(found, w @ swing)
