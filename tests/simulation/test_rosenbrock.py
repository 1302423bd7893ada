"""Rosenbrock steps: the equations they solve, second order whatever the laws are, dampers of any size."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from test_symplectic import TIED

import soadyn as sd
from random_robots import random_model
from soadyn.errors import ArgumentError
from soadyn.model.rosenbrock import GAMMA


def errors(robot: Any, q: Any, v: Any, torque: Any, steps: tuple[float, ...], **given: Any) -> list[float]:
    """How far the last states are from those of rk4 with a tenth of the shortest step."""
    given = {"duration": 0.06, "record_every": 0.06, "stops": False, "effort_limit": None, **given}
    true = sd.simulate(robot, q, v, control=torque, step=min(steps) / 10, method="rk4", **given)
    found = []
    for h in steps:
        run = sd.simulate(robot, q, v, control=torque, step=h, method="rosenbrock", **given)
        found.append(max(np.abs(robot.difference(true.q[-1], run.q[-1])).max(), np.abs(true.v[-1] - run.v[-1]).max()))
    return found


def test_a_step_is_that_of_dense_matrices(rng: np.random.Generator) -> None:
    arm: Any = sd.load("ur5")
    q, v, tau = rng.standard_normal((3, 6))
    K, B = rng.uniform(0, 500, 6), rng.uniform(0, 50, 6)
    laws: list[Any] = [sd.Spring(name, K[i], 0.1) for i, name in enumerate(arm.joint_names)]
    laws += [sd.Damper(name, B[i]) for i, name in enumerate(arm.joint_names)]
    h, one = 0.01, np.eye(6)
    forces = sd.JointForces(arm, laws)
    given: dict[str, Any] = {"duration": h, "step": h, "joint_forces": forces, "stops": False, "effort_limit": None}
    run = sd.simulate(arm, q, v, control=tau, method="rosenbrock", **given)

    def f(x: np.ndarray) -> np.ndarray:
        a = arm.forward_dynamics(x[:6], x[6:], tau - K * (x[:6] - 0.1) - B * x[6:])
        return np.concatenate([x[6:], a])

    inverse = np.linalg.inv(arm.mass_matrix(q))
    J = np.block([[0 * one, one], [-inverse * K, -inverse * B]])
    x, left = np.concatenate([q, v]), np.eye(12) - GAMMA * h * J
    k1 = np.linalg.solve(left, f(x))
    k2 = np.linalg.solve(left, f(x + h * k1) - 2 * k1)
    after = x + h / 2 * (3 * k1 + k2)
    np.testing.assert_allclose(run.q[-1], after[:6], rtol=1e-11, atol=1e-12)
    np.testing.assert_allclose(run.v[-1], after[6:], rtol=1e-9, atol=1e-10)


@pytest.mark.parametrize("laws", ["none", "dampers", "dampers and springs"])
def test_its_order_is_two(laws: str, rng: np.random.Generator) -> None:
    robot = sd.chain(2, kind="spherical", root="free")
    forces: list[Any] = [] if laws == "none" else [sd.Damper(name, 0.05) for name in robot.joint_names]
    forces += [sd.Spring(name, 0.1) for name in robot.joint_names] if "springs" in laws else []
    q, v, push = robot.random_configuration(rng), rng.standard_normal(robot.nv), 0.1 * rng.standard_normal(robot.nv)
    torque = sd.TimeSeries([0.0, 0.06], np.array([push, 2 * push]))
    coarse, fine = errors(robot, q, v, torque, (0.004, 0.002), joint_forces=forces)
    assert 1.8 < np.log2(coarse / fine) < 2.3
    assert fine < 1e-4


def test_its_order_is_two_where_joints_are_accelerated_and_stick() -> None:
    arm = sd.load("planar_two_link")
    given: dict[str, Any] = {"prescribed": sd.Prescribed([2.0, 0.0], passive=["joint2"])}
    coarse, fine = errors(arm, [0.0, 0.3], None, None, (0.004, 0.002), joint_forces=[sd.Damper("joint2", 2.0)], **given)
    assert 1.8 < np.log2(coarse / fine) < 2.3
    rough: list[Any] = [sd.Friction("joint2", 1e3), sd.Damper("joint1", 5.0)]
    run = sd.simulate(
        arm,
        [0.0, 0.2],
        duration=0.1,
        step=0.001,
        method="rosenbrock",
        joint_forces=rough,
        stops=False,
        effort_limit=None,
    )
    assert np.abs(run.q[:, 1] - 0.2).max() < 1e-12
    assert not run.v[:, 1].any()
    coarse, fine = errors(arm, [0.0, 0.2], None, None, (0.004, 0.002), joint_forces=rough)
    assert 1.8 < np.log2(coarse / fine) < 2.3


@pytest.mark.parametrize("damping", [1e2, 1e4, 1e8])
def test_dampers_of_any_size_let_joints_creep_as_their_load_does(damping: float) -> None:
    """Where dampers carry the load, B v = T: no step is too long."""
    arm: Any = sd.load("ur5")
    laws = [sd.Damper(name, damping) for name in arm.joint_names]
    load = np.array([3.0, 2.0, -1.0, 0.5, 0.2, -0.4])
    given: dict[str, Any] = {
        "method": "rosenbrock",
        "joint_forces": laws,
        "stops": False,
        "effort_limit": None,
        "duration": 1.0,
    }
    run = sd.simulate(arm.with_gravity([0, 0, 0]), [0.1] * 6, [0, 0, 0, 0, 0, 1.0], control=load, step=0.002, **given)
    np.testing.assert_allclose(run.v[-1] * damping / load, 1.0, atol=1e-2)
    assert np.abs(run.v).max() <= 1.0


def test_every_kind_of_joint_takes_it(rng: np.random.Generator) -> None:
    robot = sd.Robot(random_model(rng, 4, root="free"))
    laws = [sd.Damper(name, 1e5) for name in robot.joint_names]
    q, v = robot.random_configuration(rng), rng.standard_normal(robot.nv)
    run = sd.simulate(
        robot, q, v, duration=0.1, step=0.002, method="rosenbrock", joint_forces=laws, stops=False, effort_limit=None
    )
    assert np.abs(run.v[-1]).max() < 0.1


def test_machine_code_python_and_a_function_make_the_same_motion() -> None:
    arm = sd.load("ur5")
    laws = [sd.Spring("elbow_joint", 1e3, 0.3), sd.Damper("wrist_1_joint", 50.0)]
    given: dict[str, Any] = {"duration": 0.02, "step": 0.001, "method": "rosenbrock", "joint_forces": laws}
    straight = sd.Robot(arm.model, "straight")
    native = sd.simulate(straight, [0.2] * 6, **given)
    between = sd.simulate(straight, [0.2] * 6, control=lambda t, q, v: np.zeros(6), **given)
    python = sd.simulate(sd.Robot(arm.model, "numpy"), [0.2] * 6, **given)
    np.testing.assert_allclose(between.q, native.q, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(python.q, native.q, rtol=1e-9, atol=1e-10)


def test_its_gradients_are_those_of_its_steps() -> None:
    arm = sd.load("ur5").parametric("wrist_1_joint.damping")
    given: dict[str, Any] = {"duration": 0.1, "step": 0.002, "record_every": 0.1, "method": "rosenbrock"}

    def run(B: float, q0: float) -> sd.Trajectory:
        return sd.simulate(arm, [q0, -1.0, 1.0, 0.2, 0.3, 0.1], parameters={"wrist_1_joint.damping": [B]}, **given)

    weights = np.arange(1.0, 7.0)
    found = run(50.0, 0.2).vjp(q=weights)
    by_B = (run(50.0 + 1e-4, 0.2).q[-1] - run(50.0 - 1e-4, 0.2).q[-1]) @ weights / 2e-4
    by_q = (run(50.0, 0.2 + 1e-5).q[-1] - run(50.0, 0.2 - 1e-5).q[-1]) @ weights / 2e-5
    np.testing.assert_allclose(found["wrist_1_joint.damping"], [by_B], rtol=1e-5, atol=1e-9)
    np.testing.assert_allclose(found["q0"][0], by_q, rtol=1e-6)


def test_tied_joints_are_refused() -> None:
    hand = sd.load(TIED, mimic="tie")
    with pytest.raises(ArgumentError, match='"rosenbrock" takes each joint by itself'):
        sd.simulate(hand, hand.neutral(), method="rosenbrock", duration=0.1)
