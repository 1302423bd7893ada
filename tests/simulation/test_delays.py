"""Torques that come late, and feedbacks whose robot is not the one that moves: by hand, in every way of stepping."""

from __future__ import annotations

import numpy as np
import pytest

import soadyn as sd
from soadyn.simulation.run import rollout

STEP, STEPS = 0.01, 12
START = np.array([0.1, -0.2])


def hold(arm: sd.Robot) -> sd.control.ComputedTorque:
    return sd.control.ComputedTorque(arm, [0.3, 0.2], bandwidth=7.75, damping_ratio=0.97)


def by_machine_code(monkeypatch: pytest.MonkeyPatch, wanted: bool) -> None:
    monkeypatch.setattr(rollout, "suits", lambda problem: wanted)


@pytest.mark.parametrize("delay", [1, 3])
@pytest.mark.heavy(2)
def test_a_torque_acts_so_many_steps_after_it_was_asked_for(delay, monkeypatch) -> None:
    arm = sd.load("planar_two_link")
    feedback = hold(arm)
    q, v, waiting = START, np.zeros(2), [feedback(0.0, START, np.zeros(2))] * delay
    states, torques = [q], [waiting[0]]
    by_machine_code(monkeypatch, False)
    for k in range(STEPS):
        waiting.append(feedback(k * STEP, q, v))
        one = sd.simulate(arm, q, v, control=waiting.pop(0), duration=STEP, step=STEP)
        q, v = one.q[-1], one.v[-1]
        states.append(q)
        torques.append(waiting[0])
    options = {"duration": STEPS * STEP, "step": STEP, "sampled": True, "delay": delay}
    ways = [(False, feedback), (True, feedback), (True, lambda t, q, v: feedback(t, q, v))]
    for compiled, torque in ways:
        by_machine_code(monkeypatch, compiled)
        run = sd.simulate(arm, START, control=torque, **options)
        np.testing.assert_allclose(run.q, states, atol=1e-14)
        np.testing.assert_allclose(run.tau, torques, atol=1e-11)


def test_rows_of_a_batch_wait_each_for_its_own_torque(monkeypatch, rng) -> None:
    arm = sd.load("planar_two_link")
    options = {"control": hold(arm), "duration": STEPS * STEP, "step": STEP, "sampled": True, "delay": 1}
    by_machine_code(monkeypatch, True)
    q0 = rng.standard_normal((3, 2))
    together = sd.simulate(arm, q0, **options)
    for row, q in enumerate(q0):
        np.testing.assert_allclose(together.q[:, row], sd.simulate(arm, q, **options).q, atol=1e-14)


def test_a_feedback_counts_on_its_own_robot(monkeypatch) -> None:
    """The arm that moves is heavier than the feedback knows, in the model or as a parameter."""
    arm = sd.load("planar_two_link")
    masses = {"link2.mass": np.array([1.0, 1.5])}
    runs = []
    for compiled in (False, True):
        by_machine_code(monkeypatch, compiled)
        options = {"control": hold(arm), "duration": STEPS * STEP, "step": STEP}
        loaded = sd.simulate(arm.with_payload("tool", mass=0.5), START, **options)
        varied = sd.simulate(arm.parametric("link2.mass"), START, parameters=masses, **options)
        plain = sd.simulate(arm, START, **options)
        runs.append((loaded.q, varied.q, plain.q))
    for found, wanted in zip(*runs, strict=True):
        np.testing.assert_allclose(found, wanted, atol=1e-13)
    loaded_q, varied_q, plain_q = runs[1]
    np.testing.assert_allclose(varied_q[:, 0], plain_q, atol=1e-13)
    assert np.abs(varied_q[-1, 1] - plain_q[-1]).max() > 1e-4
    assert np.abs(loaded_q[-1] - plain_q[-1]).max() > 1e-4
    # the robot that moves, by hand: the feedback's torque at the start, the forward dynamics of the heavier arm
    heavy = arm.with_payload("tool", mass=0.5)
    a = heavy.forward_dynamics(START, np.zeros(2), hold(arm)(0.0, START, np.zeros(2)))
    np.testing.assert_allclose(loaded_q[1] - START, 0.5 * a * STEP**2, rtol=0.1)


def test_simulations_with_a_delay_have_no_derivatives() -> None:
    arm = sd.load("planar_two_link")
    run = sd.simulate(arm, START, control=hold(arm), duration=0.05, step=STEP, sampled=True, delay=1)
    with pytest.raises(sd.ArgumentError, match="simulations with a delay of the control have no derivatives"):
        run.jvp(q0=np.ones(2))
