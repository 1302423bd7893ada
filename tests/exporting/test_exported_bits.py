"""Exported C on processors that cannot fuse: still the bits of the kernels made for them."""

from __future__ import annotations

import platform
from pathlib import Path
from typing import Any

import pytest

from c_code import gcc

pytestmark = pytest.mark.usefixtures("llvm")

SAME = """
import sys
from pathlib import Path
import numpy as np
import soadyn as sd
from c_code import Exported
from soadyn.engine.native.llvm.processor import processor

assert not processor().fused
for name in ("ur5", "ets_vii"):
    robot = sd.load(name).specialize()
    code = Exported(robot.forward_dynamics, Path(sys.argv[1]), "-O1")
    rng = np.random.default_rng(0)
    for _ in range(20):
        state = robot.random_configuration(rng), *rng.standard_normal((2, robot.nv))
        status, (a,) = code(*state)
        assert status == 0
        np.testing.assert_array_equal(a, robot.forward_dynamics(*state))
"""


def test_without_fused_products_the_bits_are_those_of_the_kernel(python: Any, tmp_path: Path) -> None:
    if platform.machine().lower() not in ("x86_64", "amd64"):
        pytest.skip("not an x86-64 processor")
    gcc("--version")
    python(SAME, tmp_path, SOADYN_CPU="x86-64")
