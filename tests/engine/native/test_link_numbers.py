"""The numbers of a robot's links are found once and shared by its kernels."""

from __future__ import annotations

import numpy as np

import soadyn as sd
from soadyn.engine.native.rolled.link_numbers import link_numbers


def test_kernels_of_one_precision_share_the_numbers() -> None:
    links = link_numbers(sd.load("ur5").engine.constants, "slid and regrouped")
    single = links.in_precision("float32")
    assert links.in_precision("float64") is links.constants
    assert links.in_precision("float32") is single
    assert single.dtype == np.float32
