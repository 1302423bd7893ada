"""Regulators and gains along motions as C: the same joint forces."""

from __future__ import annotations

import numpy as np
import pytest

import soadyn as sd
from c_code import Exported, like_the_kernels
from soadyn.simulation.drive.time_series import TimeSeries


def assert_same_as_c(feedback, folder, states, given=None):
    exported = Exported(feedback, folder, *like_the_kernels(), given=given)
    wanted = [x for x in feedback.references if x not in feedback.design] if given is None else given
    values = [feedback.references[name] for name in wanted]
    values = [x.values[0] if isinstance(x, TimeSeries) else x for x in values]
    for q, v in states:
        wanted = feedback(0.0, q, v)
        status, (tau,) = exported(q, v, *values)
        assert status == 0
        assert np.abs(tau - wanted).max() <= 1e-12 * max(1.0, np.abs(wanted).max())


def test_a_regulator_and_gains_along_a_motion_export_to_c(tmp_path, rng):
    arm = sd.load("planar_two_link")
    cost = sd.optimal.Cost(arm, [np.pi / 2, 0.0], state_weight=10.0, effort_weight=0.1, passive=["joint1"])
    still = np.zeros((11, 2))
    states = rng.standard_normal((20, 2, 2))
    assert_same_as_c(sd.optimal.lqr(cost), tmp_path, states)
    assert_same_as_c(sd.optimal.lqr(cost), tmp_path, states, given=["q", "v", "tau", "K"])
    assert_same_as_c(sd.optimal.lqr_along(cost, cost.q + still, still, still[1:], step=0.02), tmp_path, states)


def test_a_regulator_is_a_function_of_the_state_alone(tmp_path):
    arm = sd.load("planar_two_link")
    hold = sd.optimal.lqr(sd.optimal.Cost(arm, [np.pi / 2, 0.0], state_weight=10.0, effort_weight=0.1))
    _, header = sd.export_c(hold, tmp_path / "hold")
    text = header.read_text(encoding="utf-8")
    assert "int planar_two_link_regulator(const double q[2], const double v[2], double tau[2]);" in text
    assert "reference: K" in text
    _, header = sd.export_c(hold, tmp_path / "hold", given=["q"], name="hold")
    assert (
        "int hold(const double q[2], const double v[2], const double wanted_q[2], double tau[2]);" in header.read_text()
    )


@pytest.mark.slow
def test_a_regulator_of_a_free_base_exports_to_c(tmp_path, rng):
    flyer = sd.load("free_flyer")
    cost = sd.optimal.Cost(flyer, flyer.neutral(), state_weight=1.0, effort_weight=1e-3)
    states = zip(flyer.random_configuration(rng, size=20), rng.standard_normal((20, flyer.nv)), strict=True)
    assert_same_as_c(sd.optimal.lqr(cost), tmp_path, states)
