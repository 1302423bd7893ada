"""The numbers of a robot's links are found once and shared by its kernels."""

from __future__ import annotations

import numpy as np

import soadyn as sd
from soadyn.engine.constants.regrouping import grouped
from soadyn.engine.native.rolled.robot_table import link_numbers


def test_kernels_of_one_precision_share_the_numbers() -> None:
    constants = grouped(sd.load("ur5").engine.constants, "slid and regrouped")
    double, single = link_numbers(constants, "float64"), link_numbers(constants, "float32")
    assert link_numbers(constants, "float64") is double
    assert link_numbers(constants, "float32") is single
    assert single.dtype == np.float32
    assert np.array_equal(single, double.astype(np.float32))
