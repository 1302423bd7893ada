"""The momentum observer on simulated motions, with noise, drift and delay as real signals have them."""

from __future__ import annotations

import numpy as np
import pytest

import soadyn as sd
from agreement import close
from random_robots import random_model
from soadyn.errors import ArgumentError
from soadyn.estimation import MomentumObserver


def pushed(t):
    """A push that comes at 0.5 s, in joint torques it makes at the elbow of a UR5."""
    return 10.0 if t >= 0.5 else 0.0


@pytest.fixture(scope="module")
def motion():
    """A UR5 that follows slow torques while its wrist is pushed from 0.5 s on."""
    arm = sd.load("ur5")
    q0 = np.array([0.3, -1.0, 0.8, -0.5, 0.4, 0.2])

    def torque(t, q, v):
        wanted = 2.0 * np.sin(3 * t + np.arange(6)) - 2.0 * v
        return arm.bias_force(q, v) + arm.mass_matrix(q) @ wanted

    def wrench(t, q, v):
        return {"wrist_1_link": [0.0, 0.0, 0.0, pushed(t), 0.0, 0.0]}

    run = sd.simulate(arm, q0, duration=1.0, step=0.001, control=torque, external=wrench)
    tau = np.array([torque(t, q, v) for t, q, v in zip(run.t, run.q, run.v, strict=True)])
    F = np.array([[pushed(t), 0.0, 0.0] for t in run.t])
    R = arm.pose(run.q, "wrist_1_link")[:, :3, :3]
    true = (arm.jacobian(run.q, "wrist_1_link")[:, 3:].mT @ (R @ F[..., None]))[..., 0]
    return arm, run, tau, true


def test_the_observer_follows_external_torques_within_its_time_constant(motion):
    arm, run, tau, true = motion
    found = MomentumObserver(arm, gain=100.0).run(run.t, run.q, run.v, tau)
    assert np.abs(found[run.t < 0.495]).max() < 1e-3
    expected = through_lag(run.t, true, 100.0)
    assert np.abs(found - expected)[run.t > 0.55].max() < 2e-3 * np.abs(true).max()
    assert np.abs(true).max() > 5.0


def through_lag(t, x, gain):
    """dy/dt = gain (x - y) by SciPy's filters, from zero."""
    from scipy import signal

    lag = signal.lti([gain], [1.0, gain])
    return np.stack([signal.lsim(lag, column, t)[1] for column in x.T], axis=-1)


def test_samples_one_by_one_give_what_the_whole_recording_gives(motion):
    arm, run, tau, _ = motion
    observer = MomentumObserver(arm, gain=[100.0, 50, 50, 80, 80, 80])
    part = slice(400, 600, 2)
    whole = observer.run(run.t[part], run.q[part], run.v[part], tau[part])
    states = zip(run.t[part], run.q[part], run.v[part], tau[part], strict=True)
    assert close(np.array([observer.update(*state) for state in states]), whole, tolerance=1e-12)
    with pytest.raises(ArgumentError, match="samples must follow each other in time"):
        observer.update(run.t[400], run.q[400], run.v[400], tau[400])
    observer.reset()
    assert not observer.update(run.t[400], run.q[400], run.v[400], tau[400]).any()


def test_noise_drift_and_delay_do_what_they_must(motion, rng):
    """Drift of a torque sensor appears as it is, delay of the torques as delay, white noise is filtered."""
    arm, run, tau, _ = motion
    observer = MomentumObserver(arm, gain=30.0)
    clean = observer.run(run.t, run.q, run.v, tau)
    drift = 0.5 * run.t[:, None] * np.ones(6)
    seen = observer.run(run.t, run.q, run.v, tau - drift) - clean
    assert close(seen, through_lag(run.t, drift, 30.0), tolerance=1e-4)
    noisy = observer.run(run.t, run.q, run.v, tau + 0.2 * rng.standard_normal(tau.shape))
    expected = 0.2 * np.sqrt(30.0 * 0.001 / 2)  # white noise through a lag of 1/30 s
    assert 0.7 * expected < (noisy - clean)[200:].std() < 1.3 * expected
    late = np.concatenate([tau[:5], tau[:-5]])  # 5 ms
    change = np.abs(np.diff(tau, axis=0)).max() / 0.001 * 0.005
    assert 0 < np.abs(observer.run(run.t, run.q, run.v, late) - clean).max() < change


def test_joints_of_all_kinds_are_observed(rng):
    robot = sd.Robot(random_model(rng, 5, root="free", armature=True))
    tau = 0.3 * rng.standard_normal(robot.nv)
    run = sd.simulate(robot, robot.random_configuration(rng), duration=0.2, step=0.0005, control=tau)
    told = tau.copy()
    told[::2] = 0.0
    found = MomentumObserver(robot, gain=100.0).run(run.t, run.q, run.v, told)
    settled = (1 - np.exp(-100.0 * 0.2)) * (tau - told)
    assert np.abs(found[-1] - settled).max() < 2e-3
