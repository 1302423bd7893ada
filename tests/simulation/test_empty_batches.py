"""Batches without rows: a simulation of none is one of no motions, in Python and in machine code."""

from __future__ import annotations

import numpy as np
import pytest

import soadyn as sd

BATCHES = [(0,), (3, 0, 2)]
LONG = {"duration": 2.0, "step": 0.01, "record_every": 0.5}
SAMPLES = sd.TimeSeries([0.0, 1.0, 2.0], np.arange(6.0).reshape(3, 2))


def in_machine_code():
    """A robot whose simulations are machine code however short they are."""
    return sd.load("planar_two_link").specialize()


def torques(arm, batch):
    """What a torque can be, by name: of one row that all share, and of rows that are none."""
    return {
        "none": None,
        "shared": [1.0, 2.0],
        "rows": np.zeros((*batch, 2)),
        "samples": SAMPLES,
        "samples of rows": sd.TimeSeries([0.0, 2.0], np.zeros((2, *batch, 2))),
        "feedback": sd.control.ComputedTorque(arm, [0.1, 0.2]),
        "feedback along samples": sd.control.JointFeedback(arm, SAMPLES, stiffness=20.0, damping=3.0),
        "function": lambda t, q, v: -v,
    }


@pytest.mark.parametrize("batch", BATCHES)
@pytest.mark.parametrize("torque", torques(sd.load("planar_two_link"), ()))
def test_no_rows_move_nowhere(batch, torque):
    arm = in_machine_code()
    given = torques(arm, batch)[torque]
    run = sd.simulate(arm, np.zeros((*batch, 2)), None, control=given, **LONG)
    for x in (run.q, run.v, run.tau):
        assert x.shape == (5, *batch, 2)
    assert run.kinetic.shape == (5, *batch)


@pytest.mark.parametrize("batch", BATCHES)
@pytest.mark.parametrize("torque", ["shared", "samples", "samples of rows", "feedback along samples"])
def test_derivatives_of_no_rows(batch, torque):
    arm = in_machine_code()
    run = sd.simulate(arm, np.zeros((*batch, 2)), None, control=torques(arm, batch)[torque], **LONG)
    assert [x.shape for x in run.jvp(q0=[1.0, 2.0], v0=np.zeros((*batch, 2)))] == [(*batch, 2)] * 2
    for weights in (np.zeros((*batch, 2)), np.zeros((5, *batch, 2))):
        found = run.vjp(weights, weights)
        assert found["q0"].shape == found["v0"].shape == (*batch, 2)
    if torque == "shared":
        assert found["control"].shape == (*batch, 2)
    elif torque == "samples":
        assert found["control"].shape == (3, *batch, 2)


@pytest.mark.parametrize("method", ["rk4", "semi-implicit", "symplectic"])
def test_no_rows_of_a_free_base_with_masses_of_their_own(method):
    robot = sd.chain(2, root="free").specialize()
    nq, masses = robot.nq, {"link_2.mass": np.ones(0)}
    varied = robot.parametric("link_2.mass")
    run = sd.simulate(
        varied, np.zeros((0, nq)), parameters=masses, duration=2.0, step=0.01, record_every=0.5, method=method
    )
    assert run.q.shape == (5, 0, nq)
