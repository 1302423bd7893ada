"""Simulating under-actuated robots: prescribed motion of active joints, sets that change, actuators that fail."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import quad_vec

import soadyn as sd
from random_robots import random_model
from soadyn.engine.cache import code_cache
from soadyn.engine.native.llvm import machine_code
from soadyn.simulation import SimulationError, Trajectory


def random_case(rng, root="free", n=6):
    """A random tree, a smooth prescribed motion of all joints, and a random half of them passive."""
    robot = sd.Robot(random_model(rng, n, root=root))
    amplitude, phase = rng.uniform(0.5, 2.0, robot.nv), rng.uniform(0, 6, robot.nv)
    passive = rng.random(robot.nv) < 0.5
    if root == "free":
        passive[list(robot.joint_dofs("root"))] = True
    return robot, passive, lambda t, q, v, passive: amplitude * np.sin(4 * t + phase)


def laws(robot, rng):
    """A spring and friction in every joint but the root."""
    found = []
    for name in robot.joint_names:
        if name != "root":
            found += [sd.Spring(name, 5.0), sd.Friction(name, 0.3, 0.1, smoothing_speed=0.2)]
    return found


# What moves how


@pytest.mark.parametrize("root", ["free", "fixed"])
@pytest.mark.heavy(2)
def test_active_joints_accelerate_as_told_and_passive_ones_move_by_their_torque(root, rng):
    robot, passive, wanted = random_case(rng, root)
    own = laws(robot, rng)
    push = rng.standard_normal(robot.nv)
    run = sd.simulate(
        robot,
        robot.random_configuration(rng),
        0.2 * rng.standard_normal(robot.nv),
        control=push,
        duration=0.1,
        step=0.005,
        prescribed=sd.Prescribed(wanted, passive=passive),
        joint_forces=own,
        external={robot.link_names[-1]: rng.standard_normal(6)},
    )
    assert (run.passive == passive).all()
    np.testing.assert_array_equal(run.tau[:, passive], np.broadcast_to(push, run.tau.shape)[:, passive])
    gained = [quad_vec(lambda t: wanted(t, None, None, None), 0.0, end)[0] for end in run.t]
    np.testing.assert_allclose(run.v[:, ~passive], (run.v[0] + gained)[:, ~passive], atol=1e-8)


@pytest.mark.parametrize("root", ["free", "fixed"])
@pytest.mark.heavy(2)
def test_energy_and_momentum_balance_with_prescribed_motion(root, rng):
    robot, passive, wanted = random_case(rng, root)
    start = robot.random_configuration(rng), 0.2 * rng.standard_normal(robot.nv)
    drifts = []
    for step in (0.004, 0.002):
        run = sd.simulate(
            robot,
            *start,
            duration=0.1,
            step=step,
            prescribed=sd.Prescribed(wanted, passive=passive),
            joint_forces=laws(robot, rng),
        )
        drifts.append(np.abs(run.energy_drift).max())
    assert drifts[1] < 1e-6 * max(1.0, run.kinetic.max())
    assert drifts[1] < drifts[0] / 8 + 1e-12
    assert np.abs(run.work).max() > 1e-3
    if root == "free":
        assert np.abs(run.momentum_drift).max() < 1e-6 * np.abs(run.momentum).max()


def test_what_is_recorded_as_torque_gives_the_same_accelerations_by_forward_dynamics(rng):
    robot, passive, wanted = random_case(rng)
    own = sd.JointForces(robot, laws(robot, rng))
    run = sd.simulate(
        robot, robot.random_configuration(rng), duration=0.1, step=0.01, joint_forces=own,
        prescribed=sd.Prescribed(wanted, passive=passive),
    )  # fmt: skip
    a = robot.forward_dynamics(run.q, run.v, run.tau + own(0.0, run.q, run.v))
    expected = np.array([wanted(t, None, None, None) for t in run.t])
    np.testing.assert_allclose(a[:, ~passive], expected[:, ~passive], atol=1e-8)


def test_all_passive_is_forward_dynamics_and_all_active_inverse_dynamics(rng):
    robot = sd.load("ur5")
    q0, v0, tau = robot.random_configuration(rng), rng.standard_normal(6), rng.standard_normal(6)
    free = sd.simulate(robot, q0, v0, control=tau, duration=0.05, step=0.01)
    passive = sd.simulate(
        robot,
        q0,
        v0,
        control=tau,
        duration=0.05,
        step=0.01,
        prescribed=sd.Prescribed(np.full(6, np.nan), passive=robot.joint_names),
    )
    np.testing.assert_allclose(passive.q, free.q, atol=1e-11)
    a = rng.standard_normal(6)
    active = sd.simulate(robot, q0, v0, control=None, duration=0.05, step=0.01, prescribed=sd.Prescribed(a))
    np.testing.assert_allclose(active.q[-1], q0 + 0.05 * v0 + 0.5 * a * 0.05**2, atol=1e-12)
    np.testing.assert_allclose(active.tau, robot.inverse_dynamics(active.q, active.v, a), atol=1e-9)


def test_an_active_actuator_gives_what_springs_and_friction_do_not():
    b = sd.Builder("slider")
    b.link("cart", sd.Body(2.0), joint="prismatic", axis=(1, 0, 0), joint_name="slide", damping=3.0)
    robot = sd.build(b)
    run = sd.simulate(
        robot,
        [0.5],
        [1.0],
        duration=0.1,
        step=0.01,
        prescribed=sd.Prescribed([0.0]),
        joint_forces=[sd.Spring("slide", 10.0)],
    )
    np.testing.assert_allclose(run.tau[:, 0], 3.0 * 1.0 + 10.0 * (0.5 + run.t), rtol=1e-12)
    np.testing.assert_allclose(run.energy_drift, 0.0, atol=1e-12)


# Sets that change


def test_a_schedule_a_function_and_a_failure_are_the_same_change(rng):
    robot = sd.load("ur5")
    q0 = robot.random_configuration(rng)

    def wanted(t, q, v, passive):
        return np.cos(3 * t) * np.arange(1.0, 7.0)

    options = {"duration": 0.2, "step": 0.01}
    elbow = "elbow_joint"
    by_schedule = sd.simulate(robot, q0, prescribed=sd.Prescribed(wanted, {0: [], 0.1: [elbow]}), **options)
    late = sd.Prescribed(wanted, lambda t: [elbow] if t > 0.0999 else [])
    by_function = sd.simulate(robot, q0, prescribed=late, **options)
    by_failure = sd.simulate(robot, q0, prescribed=sd.Prescribed(wanted), failures=[(0.1, elbow)], **options)
    np.testing.assert_allclose(by_schedule.q, by_function.q, atol=1e-13)
    np.testing.assert_allclose(by_schedule.q, by_failure.q, atol=1e-13)
    i = robot.joint_dofs(elbow)[0]
    assert (by_schedule.passive[:, i] == (by_schedule.t >= 0.1)).all()
    assert not np.delete(by_schedule.passive, i, axis=1).any()
    assert (by_schedule.tau[by_schedule.t < 0.1, i] != 0).all()
    assert (by_schedule.tau[by_schedule.t >= 0.1, i] == 0).all()
    assert by_schedule.relative_energy_drift < 1e-6


def test_steps_meet_the_times_of_a_schedule(rng):
    robot = sd.load("planar_two_link")
    when = 0.0437  # not a multiple of any step

    def final(step):
        run = sd.simulate(
            robot, [0.3, 0.4], [1.0, -1.0], duration=0.1, step=step, record_every=0.1,
            prescribed=sd.Prescribed([1.0, 2.0], passive={0: [], when: ["joint2"]}),
        )  # fmt: skip
        return np.concatenate([run.q[-1], run.v[-1]])

    exact = final(0.0005)
    coarse, fine = (np.abs(final(step) - exact).max() for step in (0.02, 0.01))
    assert np.log2(coarse / fine) > 3.4
    seen = []
    sd.simulate(
        robot, [0.3, 0.4], duration=0.1, step=0.02, record_every=0.1, failures=[(when, "joint2"), (7.0, "joint1")],
        progress=lambda t, end: seen.append(t),
    )  # fmt: skip
    assert when in seen
    assert seen[-1] == 0.1


def test_the_planner_is_told_the_set_that_holds():
    robot = sd.load("planar_two_link")
    told = []

    def planner(t, q, v, passive):
        told.append((t, passive.tolist()))
        return np.where(passive, np.nan, 0.5)  # what is passive is not looked at

    sd.simulate(
        robot,
        [0.3, 0.4],
        duration=0.04,
        step=0.01,
        record_every=0.04,
        prescribed=sd.Prescribed(planner),
        failures=[(0.02, "joint1")],
    )
    healthy, failed = (sorted({round(t, 9) for t, mask in told if mask[0] == lost}) for lost in (False, True))
    assert healthy == [0.0, 0.005, 0.01, 0.015, 0.02]
    assert failed == [0.02, 0.025, 0.03, 0.035, 0.04]
    assert not any(mask[1] for _, mask in told)


def test_a_failed_joint_has_no_torque_and_falls():
    robot = sd.load("planar_two_link")

    def hold(t, q, v):
        return robot.gravity_force(q)

    run = sd.simulate(robot, [0.3, 0.2], control=hold, duration=0.4, step=0.01, failures=[(0.2, ("joint2", 0))])
    before, after = run.t < 0.2, run.t >= 0.2
    np.testing.assert_allclose(run.q[before], np.broadcast_to([0.3, 0.2], (before.sum(), 2)), atol=1e-12)
    assert (run.tau[after, 1] == 0).all()
    assert (run.tau[after, 0] != 0).all()
    assert abs(run.q[-1, 1] - 0.2) > 0.05
    assert (run.passive[:, 1] == after).all()
    assert run.relative_energy_drift < 1e-6


def test_a_batch_may_have_a_set_for_each_row(rng):
    robot = sd.load("ur5")
    q0, v0, a = robot.random_configuration(rng, size=4), rng.standard_normal((4, 6)), rng.standard_normal((4, 6))
    masks = rng.random((4, 6)) < 0.5
    together = sd.simulate(
        robot, q0, v0, control=None, duration=0.05, step=0.01, prescribed=sd.Prescribed(a, passive=masks)
    )
    assert together.passive.shape == (6, 4, 6)
    for i in range(4):
        alone = sd.simulate(
            robot,
            q0[i],
            v0[i],
            control=None,
            duration=0.05,
            step=0.01,
            prescribed=sd.Prescribed(a[i], passive=masks[i]),
        )
        np.testing.assert_allclose(together.q[:, i], alone.q, atol=1e-12)
        np.testing.assert_allclose(together.tau[:, i], alone.tau, atol=1e-9)


def test_nothing_is_compiled_when_the_set_changes(rng, monkeypatch):
    robot = sd.load("ur5")
    q0 = robot.random_configuration(rng)
    options = {"duration": 0.1, "step": 0.01}
    sd.simulate(robot, q0, prescribed=sd.Prescribed(np.ones(6), passive=[]), **options)
    made = []
    compile_one = machine_code.object_code
    monkeypatch.setattr(machine_code, "object_code", lambda *args: made.append(args) or compile_one(*args))
    before = set(code_cache._memory)
    changing = sd.Prescribed(np.ones(6), passive=lambda t: rng.random(6) < 0.5)
    run = sd.simulate(robot, q0, prescribed=changing, **options)
    assert len({tuple(mask) for mask in run.passive.tolist()}) > 5
    assert not made
    assert set(code_cache._memory) == before


def test_a_trajectory_with_passive_joints_is_saved_and_drawn(tmp_path):
    robot = sd.load("planar_two_link")
    run = sd.simulate(robot, [0.0, 0.0], duration=0.02, step=0.01, failures=[(0.01, "joint1")])
    back = Trajectory.load(run.save(tmp_path / "run.npz"))
    np.testing.assert_array_equal(back.passive, run.passive)
    assert back.passive.dtype == bool


def test_a_sampled_controller_is_asked_once_a_step_and_held():
    robot = sd.load("planar_two_link")
    asked = []

    def relay(t, q, v):
        asked.append(t)
        return [-5.0 if v[0] > 0 else 5.0, 0.0]

    def jumping(t, q, v, passive):
        return [-5.0 if v[0] > 0 else 5.0, 0.0]

    held = sd.simulate(
        robot, [0.3, 0.2], [0.2, 0.0], control=relay, duration=0.5, step=0.01, record_every=0.1, sampled=True
    )
    assert {round(t, 9) for t in asked} == {round(0.01 * k, 9) for k in range(51)}
    sampled, whenever = (
        sd.simulate(
            robot,
            [0.3, 0.2],
            [0.2, 0.0],
            control=None,
            duration=0.5,
            step=0.01,
            prescribed=sd.Prescribed(jumping, passive=["joint2"]),
            sampled=choice,
        )
        for choice in (True, False)
    )
    assert held.relative_energy_drift < 1e-5
    assert sampled.relative_energy_drift < 1e-5 < whenever.relative_energy_drift
    np.testing.assert_allclose(np.abs(np.diff(sampled.v[:, 0])), 0.05, rtol=1e-9)


# Bad input


def test_what_does_not_fit_together_is_refused():
    robot = sd.load("planar_two_link")
    q, a = [0.0, 0.0], [0.0, 0.0]

    def refused(error, words, **options):
        with pytest.raises(error, match=words):
            sd.simulate(robot, q, duration=0.1, **options)

    refused(sd.ArgumentError, r"prescribed takes sd\.Prescribed\(acceleration, passive", prescribed=[0.0, 0.0])
    refused(sd.UnknownNameError, "unknown joint 'joint3'", prescribed=sd.Prescribed(a, passive=["joint3"]))
    refused(
        sd.ArgumentError, "schedule of passive joints starts at 0.5 s", prescribed=sd.Prescribed(a, passive={0.5: []})
    )
    refused(sd.ArgumentError, "schedule of passive joints is empty", prescribed=sd.Prescribed(a, passive={}))
    refused(
        sd.ArgumentError, "a time in passive must be zero or more", prescribed=sd.Prescribed(a, passive={"soon": []})
    )
    refused(
        sd.ShapeError,
        r"passive has shape \(3, 2\), which does not",
        prescribed=sd.Prescribed(a, passive=np.ones((3, 2), bool)),
    )
    refused(
        sd.ArgumentError,
        r"acceleration is a function of \(t, q, v, passive\)",
        prescribed=sd.Prescribed(lambda t, q, v: a),
    )
    refused(sd.ShapeError, "argument 'acceleration' has shape", prescribed=sd.Prescribed([1.0]))
    refused(
        sd.ShapeError,
        r"'acceleration\(t, q, v, passive\)' has shape \(1,\)",
        prescribed=sd.Prescribed(lambda t, q, v, p: [0.0]),
    )
    refused(sd.ArgumentError, "gave None at t = 0 s", prescribed=sd.Prescribed(lambda t, q, v, p: None))
    refused(sd.ArgumentError, r"failures are a list of \(time, joint\), got 'joint1'", failures="joint1")
    refused(sd.ArgumentError, r"failures are a list of \(time, joint\), got 0.5", failures=(0.5, "joint1"))
    refused(sd.ArgumentError, "a time in failures must be zero or more, in seconds, got -1", failures=[(-1, "joint1")])
    refused(sd.UnknownNameError, "unknown joint 'elbow'", failures=[(1.0, "elbow")])


def test_an_acceleration_that_is_not_a_number_says_when_and_where():
    robot = sd.load("planar_two_link")

    def broken(t, q, v, passive):
        return [np.nan if t > 0.045 else 0.0, np.nan]

    with pytest.raises(SimulationError, match=r"at t = 0\.05 s the acceleration of joint 'joint1' is nan") as caught:
        sd.simulate(robot, [0.0, 0.0], duration=1.0, step=0.01, prescribed=sd.Prescribed(broken, passive=["joint2"]))
    assert len(caught.value.trajectory) == 5


def test_a_passive_joint_without_inertia_is_named():
    b = sd.Builder("feather")
    b.link("arm", sd.Body(1.0, com=(1, 0, 0)), axis=(0, 1, 0), joint_name="shoulder")
    b.link("nothing", parent="arm", joint_name="hinge")
    robot = sd.build(b)
    with pytest.raises(SimulationError, match=r"at t = 0 s .*no inertia along joint 'hinge'"):
        sd.simulate(robot, [0.0, 0.0], duration=0.1, prescribed=sd.Prescribed([1.0, 0.0], passive=["hinge"]))
    sd.simulate(robot, [0.0, 0.0], duration=0.1, prescribed=sd.Prescribed([1.0, 0.0], passive=["shoulder"]))
