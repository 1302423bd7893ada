"""Paper 000, Controls 8.1 and 8.2: Lyapunov functions that fall."""

from __future__ import annotations

import numpy as np
import pytest

import soadyn as sd
from soadyn.control import PoseFeedback, RateFeedback
from soadyn.control.feedback.pose_feedback import vector_of

STEP = 1e-6


def arm() -> sd.Robot:
    return sd.load("ur5").with_backend("rolled")


def falls(values: np.ndarray) -> bool:
    return bool((np.diff(values) <= 1e-13 * values[0]).all())


def rate_along(control, robot, q, v) -> float:
    """The Lyapunov function's rate while the robot moves by the feedback: central differences along the flow."""
    tau = control(0.0, q, v)
    ahead, back = (
        control.lyapunov(robot.integrate(q, s * STEP * v), v + s * STEP * robot.forward_dynamics(q, v, tau))
        for s in (1, -1)
    )
    return float(ahead - back) / (2 * STEP)


@pytest.mark.parametrize("passive", [(), ("joint2",)])
@pytest.mark.heavy(2)
def test_000_control_8_1_energy_falls_at_the_rate_of_the_law(passive, rng) -> None:
    robot = sd.load("planar_two_link").with_backend("numpy")
    robot = robot.with_gravity([0, 0, 0]) if passive else robot
    gain = 1.5 if passive else np.array([[2.0, 0.5], [0.5, 1.0]])
    control = RateFeedback(robot, gain, passive=passive)
    q, v = rng.standard_normal((2, 2))
    tau = control(0.0, q, v)
    weight = robot.gravity_force(q)
    # the power of the motors beyond what cancels gravity: exact, by the law itself
    assert abs(v @ (tau - weight) + control.dissipated(q, v)) < 1e-12
    assert abs(rate_along(control, robot, q, v) + control.dissipated(q, v)) < 1e-6
    run = sd.simulate(robot, q, v, control=control, duration=0.3, step=0.01, joint_forces=False)
    assert falls(control.lyapunov(run.q, run.v))
    if passive:
        assert not tau[1]


def test_000_control_8_1_on_a_free_flyer(rng) -> None:
    robot = sd.load("free_flyer").with_gravity([0, 0, 0]).with_backend("rolled")
    control = RateFeedback(robot, 1.0, passive=["root"])
    q, v = robot.random_configuration(rng), 0.3 * rng.standard_normal(robot.nv)
    run = sd.simulate(robot, q, v, control=control, duration=0.5, step=0.02, joint_forces=False)
    energies = control.lyapunov(run.q, run.v)
    assert falls(energies)
    assert energies[-1] < energies[0]


def test_000_section_8_bounds_scale_the_forces_as_a_whole(rng) -> None:
    robot = sd.load("planar_two_link").with_gravity([0, 0, 0]).with_backend("numpy")
    q, v = rng.standard_normal((2, 2))
    free, bound = RateFeedback(robot, 5.0)(0.0, q, v), np.array([0.3, 0.2])
    tau = RateFeedback(robot, 5.0, effort_limit=bound)(0.0, q, v)
    assert (np.abs(tau) <= bound * (1 + 1e-15)).all()
    assert abs(tau[0] * free[1] - tau[1] * free[0]) < 1e-12
    run = sd.simulate(robot, q, v, control=RateFeedback(robot, 5.0, effort_limit=bound), duration=0.2, step=0.01)
    assert falls(robot.kinetic_energy(run.q, run.v))


def test_000_control_8_2_reaches_the_pose_and_its_lyapunov_function_falls(rng) -> None:
    robot = arm()
    q = np.array([0.1, -1.0, 1.2, 0.3, 0.5, 0.2])
    target = robot.pose(q + 0.3 * rng.standard_normal(6), "tool0")
    weight = np.repeat([300.0, 1.0], [3, 9])  # the wrist is light
    control = PoseFeedback(robot, "tool0", target, gain=4.0, weight=weight)
    v = 0.3 * rng.standard_normal(6)
    assert abs(rate_along(control, robot, q, v) + control.dissipated(q, v)) < 1e-5
    run = sd.simulate(robot, q, v, control=control, duration=6.0, step=0.01, record_every=0.05, joint_forces=False)
    values = control.lyapunov(run.q, run.v)
    assert falls(values)
    assert np.abs(control.error(run.q[-1])).max() < 1e-3
    assert not control.limited(run.q, run.v).any()


def test_000_control_8_2_on_a_free_flyer_without_momentum(rng) -> None:
    robot = sd.load("free_flyer").with_gravity([0, 0, 0]).with_backend("rolled")
    q = robot.neutral()
    q[7:14] = -0.3, -0.6, -1.3, -1.6, -0.2, 1.4, 1.2
    target = robot.pose(q, "tool")
    target[:3, 3] += 0.05, -0.04, 0.03
    control = PoseFeedback(robot, "tool", target, gain=3.0, weight=np.repeat([200.0, 60.0], [3, 9]), passive=["root"])
    run = sd.simulate(robot, q, control=control, duration=6.0, step=0.02, record_every=0.1, joint_forces=False)
    assert falls(control.lyapunov(run.q, run.v))
    assert np.abs(control.error(run.q[-1])).max() < 1e-3


def test_000_control_8_2_with_a_passive_joint_beyond_the_frame() -> None:
    """The last joint of a puma has no motor; the link before it is brought to a pose while the last one swings."""
    robot = sd.load("puma560").with_gravity([0, 0, 0]).with_backend("rolled")
    last, frame = robot.joint_names[-1], robot.link_names[-2]
    q, v = np.array([0.3, -0.8, 0.4, 0.5, 0.6, 0.2]), np.array([0.2, -0.1, 0.3, 0.2, -0.4, 0.6])
    target = robot.pose(q + np.array([0.15, -0.1, 0.12, 0.1, 0.1, 0.0]), frame)
    control = PoseFeedback(robot, frame, target, gain=5.0, weight=np.repeat([200.0, 30.0], [3, 9]), passive=[last])
    assert control(0.0, q, v)[-1] == 0.0
    S_aa = robot.actuation_matrices(q, [last])[0]
    assert abs(control.dissipated(q, v) - 5.0 * v[:-1] @ S_aa @ v[:-1]) < 1e-12 * control.dissipated(q, v)
    assert abs(rate_along(control, robot, q, v) + control.dissipated(q, v)) < 1e-4
    run = sd.simulate(robot, q, v, control=control, duration=6.0, step=0.005, record_every=0.05, joint_forces=False)
    assert falls(control.lyapunov(run.q, run.v))
    assert np.abs(control.error(run.q[-1])).max() < 1e-3


def test_000_eq_8_5_the_pose_as_a_vector_changes_with_l_y(rng) -> None:
    robot = sd.load("ur5").with_backend("numpy")
    q, v = rng.standard_normal((2, 6))
    rate = vector_of(robot.pose(q + 1e-30j * v, "tool0")).imag / 1e-30
    omega, speed = np.split(robot.jacobian(q, "tool0") @ v, 2)
    axes = robot.pose(q, "tool0")[:3, :3].T
    assert np.abs(rate - np.concatenate([speed, *np.cross(omega, axes)])).max() < 1e-14


def test_bad_feedbacks_are_refused() -> None:
    robot = sd.load("planar_two_link")
    with pytest.raises(sd.ArgumentError, match="gravity acts on the passive joints"):
        RateFeedback(robot, 1.0, passive=["joint1"])
    with pytest.raises(sd.ArgumentError, match="RateFeedback: gain must be positive in every direction"):
        RateFeedback(robot, [1.0, -1.0])
    with pytest.raises(sd.ArgumentError, match="RateFeedback: gain must be a number, 2 numbers, or"):
        RateFeedback(robot, [1.0, 1.0, 1.0])
    with pytest.raises(sd.ArgumentError, match="other passive joints are not allowed"):
        PoseFeedback(robot.with_gravity([0, 0, 0]), "tool", np.eye(4), passive=["joint1"])
