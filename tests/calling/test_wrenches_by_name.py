"""Wrenches given by name at one state: the way that takes microseconds, after the first call, changes no result."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import soadyn as sd
from random_robots import random_model
from soadyn.errors import ArgumentError, ShapeError, SoadynError


@pytest.fixture
def arm() -> sd.Robot:
    return sd.load("ur5")


def state(robot: sd.Robot, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    return robot.random_configuration(rng), rng.standard_normal(robot.nv), rng.standard_normal(robot.nv)


@pytest.mark.parametrize("name", ["forward_dynamics", "inverse_dynamics"])
def test_later_calls_have_the_bits_of_the_first(arm: sd.Robot, rng: np.random.Generator, name: str) -> None:
    q, v, x = state(arm, rng)
    wrenches = {"tool0": rng.standard_normal(6), "forearm_link": list(range(6)), "wrist_3_link": rng.standard_normal(6)}
    compute = getattr(arm, name)
    first = compute(q, v, x, wrenches)
    assert (compute(q, v, x, wrenches) == first).all()
    assert (compute(q, v, x, external=wrenches) == first).all()
    assert (getattr(sd.load("ur5"), name)(q[None], v[None], x[None], wrenches)[0] == first).all()


def test_wrenches_act_through_the_jacobians_of_their_frames(rng: np.random.Generator) -> None:
    for _ in range(4):
        robot = sd.Robot(random_model(rng, 6, root="free", armature=True))
        q, v, a = state(robot, rng)
        given = {name: rng.standard_normal(6) for name in robot.frame_names if robot.model.frame(name).link}
        given = {name: x for name, x in given.items() if robot.model.frame(name).link in robot.model.visible}
        felt = sum(robot.jacobian(q, name, axes="local").T @ wrench for name, wrench in given.items())
        for _again in range(2):
            tau = robot.inverse_dynamics(q, v, a, given)
            np.testing.assert_allclose(robot.inverse_dynamics(q, v, a) - tau, felt, rtol=1e-9, atol=1e-8)


def test_an_array_of_wrenches_takes_the_same_way(arm: sd.Robot, rng: np.random.Generator) -> None:
    q, v, tau = state(arm, rng)
    external = np.zeros((6, 6))
    external[-1] = rng.standard_normal(6)
    named = arm.forward_dynamics(q, v, tau, {"wrist_3_link": external[-1]})
    for _ in range(2):
        assert (arm.forward_dynamics(q, v, tau, external) == named).all()
        assert (arm.forward_dynamics(q, v, tau, np.asfortranarray(external)) == named).all()


@pytest.mark.parametrize(
    ("external", "error", "words"),
    [
        ({"tool": np.zeros(6)}, SoadynError, "tool"),
        ({"base": np.zeros(6)}, ArgumentError, "fixed to the ground"),
        ({"tool0": np.zeros(5)}, ShapeError, r"external\['tool0'\]"),
        ({"tool0": ["1"] * 6}, ShapeError, r"external\['tool0'\]"),
        ({"tool0": [0.0, [1.0]]}, ShapeError, r"external\['tool0'\]"),
        ({3: np.zeros(6)}, ArgumentError, "a frame is a name"),
        (np.zeros((5, 6)), ShapeError, "external"),
        (np.zeros((6, 5)), ShapeError, "external"),
    ],
)
def test_bad_wrenches_are_refused_as_at_first(arm: sd.Robot, external: Any, error: Any, words: str) -> None:
    q = arm.neutral()
    arm.forward_dynamics(q, q, q, {"tool0": np.zeros(6)})
    for _ in range(2):
        with pytest.raises(error, match=words):
            arm.forward_dynamics(q, q, q, external)


def test_a_wrench_that_is_not_finite_leaves_no_answer(arm: sd.Robot) -> None:
    q = arm.neutral()
    arm.forward_dynamics(q, q, q, {"tool0": np.zeros(6)})
    with pytest.warns(RuntimeWarning, match="external"):
        assert np.isnan(arm.forward_dynamics(q, q, q, {"tool0": np.full(6, np.nan)})).all()


def test_an_offset_frame_is_read_anew_each_time(arm: sd.Robot) -> None:
    q, offset = arm.neutral(), np.eye(4)
    offset[:3, 3] = [0.1, 0.2, 0.3]
    arm.forward_dynamics(q, q, q, {"tool0": np.zeros(6)})
    wrench = np.array([0.0, 0.0, 0.0, 1.0, 2.0, 3.0])
    moment = np.concatenate([np.cross(offset[:3, 3], wrench[3:]), wrench[3:]])
    a = arm.forward_dynamics(q, q, q, {("tool0", tuple(map(tuple, offset))): wrench})
    np.testing.assert_allclose(a, arm.forward_dynamics(q, q, q, {"tool0": moment}), rtol=1e-12)


def test_a_state_reads_the_robots_kernels_and_nobody_writes_to_what_it_gives(
    arm: sd.Robot, rng: np.random.Generator
) -> None:
    q, v, _ = state(arm, rng)
    for _ in range(3):
        s = arm.at(q, v)
        given = s.mass_matrix, s.bias_force, s.pose("tool0"), s.q, s.v, s.mass_matrix_factors[0]
        assert not any(x.flags.writeable for x in given)
        assert s.mass_matrix is s.mass_matrix
        assert s.pose("tool0") is s.pose("tool0")
        np.testing.assert_array_equal(s.mass_matrix, arm.mass_matrix(q))
        np.testing.assert_array_equal(s.bias_force, arm.bias_force(q, v))
        np.testing.assert_array_equal(s.pose("tool0"), arm.pose(q, "tool0"))
        assert s.kinetic_energy == arm.kinetic_energy(q, v)
    assert arm.mass_matrix(q).flags.writeable
    q[0] += 1.0
    assert (s.q != q).any()
