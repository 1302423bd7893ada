"""Simulation: what is conserved, forces of the joints, batches, interruptions, errors."""

from __future__ import annotations

import numpy as np
import pytest

import soadyn as sd
from small_robots import ball, slider
from soadyn.model.draft import Mimic
from soadyn.simulation import SimulationError, simulate

# What is conserved


def test_energy_and_momentum_of_a_free_flyer_are_conserved(rng):
    robot = sd.load("free_flyer")
    v0 = 0.3 * rng.standard_normal(robot.nv)
    internal = np.zeros(robot.nv)
    internal[6:] = rng.standard_normal(robot.nv - 6)
    run = simulate(
        robot,
        robot.random_configuration(rng),
        v0,
        control=internal,
        duration=0.2,
        step=0.005,
        stops=False,
        effort_limit=None,
    )
    assert run.relative_energy_drift < 1e-6
    assert np.abs(run.work[-1]) > 1e-3  # the joints did work, which is accounted for
    np.testing.assert_allclose(run.momentum, np.broadcast_to(run.momentum[0], run.momentum.shape), atol=1e-5)
    assert np.abs(run.impulse).max() == 0


def test_momentum_of_a_falling_robot_grows_by_its_weight(rng):
    robot = sd.chain(2, root="free").with_gravity([1.0, -2.0, -9.81])
    push = rng.standard_normal(robot.nv)
    run = simulate(
        robot,
        robot.random_configuration(rng),
        None,
        control=push,
        duration=0.2,
        step=0.01,
        external={"link_2": [1, 2, 3, 4, 5, 6]},
    )
    assert np.abs(run.impulse[-1]).max() > 1
    assert np.abs(run.momentum_drift).max() < 1e-5 * np.abs(run.momentum).max()
    assert run.relative_energy_drift < 1e-5


def test_a_fixed_base_has_no_momentum_drift():
    assert simulate(sd.load("planar_two_link"), [0.1, 0.2], duration=0.02, step=0.01).momentum_drift is None


# Joint forces


@pytest.mark.parametrize("joint", ["spherical", "free"])
@pytest.mark.heavy(2)
def test_springs_of_turning_joints_conserve_energy(joint, rng):
    stiffness = (3.0, 5.0, 8.0) if joint == "spherical" else (3.0, 5.0, 8.0, 20.0, 30.0, 40.0)
    rest = ball(joint).random_configuration(rng)
    robot = ball(joint, stiffness=stiffness, rest=tuple(rest))
    start = robot.integrate(rest, 0.8 * rng.standard_normal(robot.nv))
    run = simulate(robot, start, duration=0.3, step=0.0025)
    coarse = simulate(robot, start, duration=0.3, step=0.005)
    without = simulate(robot, start, duration=0.1, step=0.01, joint_forces=False)
    assert run.relative_energy_drift < min(1e-5, coarse.relative_energy_drift / 8)
    assert run.potential[0] > without.potential[0] + 0.1


def test_damping_takes_energy_as_the_textbook_says():
    run = simulate(slider(damping=1.0), [0.0], [2.0], duration=2.0, step=0.02)
    np.testing.assert_allclose(run.v[:, 0], 2 * np.exp(-run.t / 2), rtol=1e-8)
    np.testing.assert_allclose(run.work, run.kinetic - run.kinetic[0], atol=1e-7)
    still = simulate(slider(damping=1.0), [0.0], [2.0], duration=0.1, joint_forces=False)
    np.testing.assert_allclose(still.v[:, 0], 2.0, rtol=1e-14)


def test_dry_friction_stops_a_slider_after_the_right_time():
    # 2 kg at 1 m/s against 4 N: half a second
    robot = slider(friction=4.0)
    smooth = sd.JointForces(robot, own=True).smoothed(0.02)
    run = simulate(robot, [0.0], [1.0], duration=1.0, step=0.005, joint_forces=smooth)
    np.testing.assert_allclose(run.v[run.t < 0.4, 0], 1 - 2 * run.t[run.t < 0.4], atol=1e-6)
    assert abs(run.v[-1, 0]) < 1e-3
    assert (np.diff(run.kinetic) <= 1e-12).all()


def test_joint_forces_of_a_tied_mimic_joint_reach_its_leader():
    b = sd.Builder("gripper", gravity=(0, 0, 0))
    b.link("left", sd.Body(1.0), joint="prismatic", axis=(1, 0, 0), joint_name="leader")
    mimic = Mimic("leader", -2.0, 0.0)
    b.link("right", sd.Body(1.0), joint="prismatic", axis=(1, 0, 0), joint_name="follower", mimic=mimic, damping=0.5)
    robot = sd.Robot(b.model(mimic="tie"))
    run = simulate(robot, [0.0], [1.0], duration=1.0, step=0.02)
    # (1 + 2^2) a = -0.5 * 2^2 v
    np.testing.assert_allclose(run.v[:, 0], np.exp(-0.4 * run.t), rtol=1e-8)


# Batches, interruptions


def test_a_batch_moves_as_its_rows_do(rng):
    robot = sd.load("planar_two_link")
    q0, v0 = rng.standard_normal((2, 3, 2))
    together = simulate(robot, q0, v0, control=[0.5, -0.5], duration=0.1, step=0.02)
    assert together.q.shape == (6, 3, 2)
    assert together.kinetic.shape == together.energy_drift.shape == (6, 3)
    for i in range(3):
        alone = simulate(robot, q0[i], v0[i], control=[0.5, -0.5], duration=0.1, step=0.02)
        np.testing.assert_allclose(together.q[:, i], alone.q, atol=1e-13)
    spread = simulate(robot, [0.0, 0.0], None, control=rng.standard_normal((4, 2)), duration=0.04, step=0.02)
    assert spread.q.shape == (3, 4, 2)


def test_an_interrupt_keeps_what_is_done():
    def impatient(t, q, v):
        if t > 0.055:
            raise KeyboardInterrupt
        return np.zeros(2)

    run = simulate(
        sd.load("planar_two_link"), [0.1, 0.2], control=impatient, duration=5.0, step=0.01, record_every=0.02
    )
    assert run.interrupted
    np.testing.assert_allclose(run.t, [0, 0.02, 0.04, 0.05])
    assert np.isfinite(run.energy_drift).all()
    assert "interrupted" in repr(run)


def test_a_controller_sees_time_and_state_and_cannot_change_them():
    def meddling(t, q, v):
        q -= 1.0
        return v

    with pytest.raises(ValueError, match="read-only"):
        simulate(sd.load("planar_two_link"), [0.1, 0.2], control=meddling, duration=0.1)
    q0 = np.array([0.1, 0.2])
    simulate(sd.load("planar_two_link"), q0, duration=0.01, step=0.01)
    q0 += 1  # the caller's own array stays free to change


def test_a_robot_without_joints_can_be_simulated():
    b = sd.Builder("stone")
    b.fixed("rock", sd.Body(1.0))
    run = simulate(sd.build(b), np.zeros(0), duration=0.1, step=0.05)
    assert run.q.shape == (3, 0)
    assert run.relative_energy_drift == 0


# Bad input


def test_wrong_shapes_are_named():
    robot = sd.load("planar_two_link")
    with pytest.raises(sd.ShapeError, match=r"argument 'control' has shape \(3,\); expected \(\.\.\., 2\)"):
        simulate(robot, [0.0, 0.0], duration=5.0, control=[1.0, 2.0, 3.0])

    def controller(t, q, v):
        return np.zeros(3)

    with pytest.raises(sd.ShapeError, match=r"'controller\(t, q, v\)' has shape \(3,\)"):
        simulate(robot, [0.0, 0.0], duration=5.0, control=controller)
    with pytest.raises(sd.ShapeError, match=r"control\(t, q, v\) has shape \(4, 2\), which does not fit .*\(2,\)"):
        simulate(robot, [0.0, 0.0], duration=5.0, control=lambda t, q, v: np.zeros((4, 2)))
    with pytest.raises(sd.ArgumentError, match=r"gave None at t = 0 s; is a `return` missing\?"):
        simulate(robot, [0.0, 0.0], duration=5.0, control=lambda t, q, v: None)
    with pytest.raises(sd.ShapeError, match="argument 'q0' has shape"):
        simulate(robot, [0.0], duration=5.0)
    with pytest.raises(sd.ShapeError, match="argument 'v0' has shape"):
        simulate(robot, [0.0, 0.0], [0.0], duration=5.0)
    with pytest.raises(sd.ShapeError, match="batch axes do not broadcast: q0"):
        simulate(robot, np.zeros((2, 2)), np.zeros((3, 2)), duration=5.0)
    with pytest.raises(sd.ShapeError, match="'q0' has dtype complex128; a simulation takes real numbers"):
        simulate(robot, np.zeros(2, dtype=complex), duration=5.0)
    with pytest.raises(sd.ShapeError, match=r"the result of external\(t, q, v\) has shape \(6,\)"):
        simulate(robot, [0.0, 0.0], duration=5.0, external=lambda t, q, v: np.zeros(6))


def test_wrong_times_and_names_are_refused():
    robot = sd.load("planar_two_link")
    for name in ("duration", "step", "record_every"):
        for bad in (0.0, -1.0, np.nan, np.inf, "soon"):
            with pytest.raises(sd.ArgumentError, match=f"simulate: {name} must be a positive number, got"):
                simulate(robot, [0.0, 0.0], **{"duration": 1.0, name: bad})
    with pytest.raises(sd.UnknownNameError, match=r"unknown method of simulate 'rk'. Did you mean 'rk4'"):
        simulate(robot, [0.0, 0.0], duration=5.0, method="rk")
    with pytest.raises(sd.ArgumentError, match=r"simulate takes a Robot, as sd.load makes them, got str"):
        simulate("ur5", [0.0, 0.0], duration=5.0)


def test_a_torque_that_is_not_a_number_says_when_and_where():
    robot = sd.load("planar_two_link")

    def broken(t, q, v):
        return np.array([0.0, np.nan if t > 0.045 else 0.0])

    with pytest.raises(SimulationError, match=r"at t = 0\.05 s the torque of joint 'joint2' is nan") as caught:
        simulate(robot, [0.0, 0.0], control=broken, duration=1.0, step=0.01)
    np.testing.assert_allclose(caught.value.trajectory.t, [0, 0.01, 0.02, 0.03, 0.04], atol=1e-12)
    with pytest.raises(SimulationError, match="torque of joint 'joint1' in row 1 is inf"):
        simulate(robot, [0.0, 0.0], control=np.array([[0.0, 0.0], [np.inf, 0.0]]), duration=0.1)


def test_bad_states_say_when_and_where():
    robot = sd.load("planar_two_link")
    with pytest.raises(SimulationError, match="at t = 0 s the coordinate of joint 'joint2' is nan"):
        simulate(robot, [0.0, np.nan], duration=5.0)
    with pytest.raises(SimulationError, match="at t = 0 s the speed of joint 'joint1' in row 1 is inf"):
        simulate(robot, [0.0, 0.0], [[0.0, 0.0], [np.inf, 0.0]], duration=5.0)
    with pytest.raises(SimulationError, match=r"at t = 0 s the coordinate of joint 'joint\.w' is nan"):
        simulate(ball(), [0.0, 0.0, 0.0, 0.0], duration=5.0)
    with pytest.raises(SimulationError, match="external wrench on link 'link1' is not finite"):
        simulate(robot, [0.0, 0.0], duration=5.0, external=np.full((2, 6), np.nan))


def test_a_motion_that_runs_away_is_stopped():
    def explosive(t, q, v):
        return 1e8 * v + 1.0

    with pytest.raises(SimulationError, match=r"at t = .* joint 'slide'.*") as caught:
        simulate(slider(), [0.0], control=explosive, duration=10.0, step=0.01)
    assert np.isfinite(caught.value.trajectory.v).all()


def test_a_joint_without_inertia_is_named():
    b = sd.Builder("feather")
    b.link("nothing", joint_name="hinge")
    robot = sd.build(b)
    with pytest.raises(SimulationError, match=r"at t = 0 s .*no inertia along joint 'hinge'"):
        simulate(robot, [0.0], duration=0.1)
