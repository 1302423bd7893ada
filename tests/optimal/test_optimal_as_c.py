"""Regulators and gains along motions as C: the same joint forces."""

from __future__ import annotations

import numpy as np
import pytest

import soadyn as sd
from c_code import Exported, like_the_kernels
from soadyn.simulation.samples import Samples


def assert_same_as_c(feedback, folder, states):
    exported = Exported(feedback, folder, *like_the_kernels())
    values = [x.values[0] if isinstance(x, Samples) else x for x in feedback.references.values()]
    for q, v in states:
        wanted = feedback(0.0, q, v)
        status, (tau,) = exported(q, v, *values)
        assert status == 0
        assert np.abs(tau - wanted).max() <= 1e-12 * max(1.0, np.abs(wanted).max())


def test_a_regulator_and_gains_along_a_motion_export_to_c(tmp_path, rng):
    arm = sd.load("planar_two_link")
    cost = sd.optimal.Cost(arm, [np.pi / 2, 0.0], state=10.0, effort=0.1, passive=["joint1"])
    still = np.zeros((11, 2))
    states = rng.standard_normal((20, 2, 2))
    assert_same_as_c(sd.optimal.lqr(cost), tmp_path, states)
    assert_same_as_c(sd.optimal.lqr_along(cost, cost.q + still, still, still[1:], step=0.02), tmp_path, states)


@pytest.mark.slow
def test_a_regulator_of_a_free_base_exports_to_c(tmp_path, rng):
    flyer = sd.load("free_flyer")
    cost = sd.optimal.Cost(flyer, flyer.neutral(), state=1.0, effort=1e-3)
    states = zip(flyer.random_configuration(rng, size=20), rng.standard_normal((20, flyer.nv)), strict=True)
    assert_same_as_c(sd.optimal.lqr(cost), tmp_path, states)
