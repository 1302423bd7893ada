"""Long chains: kernels stay right, and memory grows no faster than the robot."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import soadyn as sd
from native_cases import called, depth, error, random_state
from soadyn.engine import policy
from soadyn.engine.loops.joint_classes import classes_of
from soadyn.engine.loops.plan import planned
from soadyn.engine.native import passes
from soadyn.engine.native.llvm.processor import processor
from soadyn.engine.native.rolled.robot_table import robot_table
from soadyn.engine.native.rolled.scratch_layout import layout_of
from soadyn.engine.tracing.ports import ports_of
from soadyn.programs.sweep.algorithms import without_external
from soadyn.quantities import QUANTITIES

pytestmark = pytest.mark.usefixtures("llvm")

MAIN = {"forward_dynamics": ("q", "v", "tau"), "inverse_dynamics": ("q", "v", "a"), "potential_energy": ("q",)}


@pytest.mark.parametrize("root", ["fixed", "free"])
@pytest.mark.heavy(2)
def test_a_chain_of_a_hundred_links_agrees_with_the_reference(root: Any, rng: np.random.Generator) -> None:
    robot = sd.chain(100, root=root)
    for size in ((), (9,)):
        state = random_state(rng, robot, size)
        for name, needed in MAIN.items():
            call = name, {key: state[key] for key in needed}
            found = called(robot.with_backend("rolled"), call)
            assert error(robot.with_backend("numpy"), call, found) <= 8 * (4 + depth(robot)) * 2.0**-52, name


@pytest.mark.slow
@pytest.mark.parametrize("n", [1000, 3000])
def test_longer_chains_satisfy_the_equation_of_motion(n: int, rng: np.random.Generator) -> None:
    robot = sd.chain(n)
    state = random_state(rng, robot)
    q, v, tau = state["q"], state["v"], state["tau"]
    a = robot.forward_dynamics(q, v, tau)
    back, bias = robot.inverse_dynamics(q, v, a), robot.inverse_dynamics(q, v, np.zeros(n))
    M = robot.mass_matrix(q)
    scale = np.abs(M).sum(axis=1).max() * np.abs(a).max() + np.abs(tau).max() + np.abs(bias).max()
    assert np.abs(back - tau).max() <= 50 * n * 2.0**-52 * scale


def scratch(robot: sd.Robot, quantity: str, form: type = np.float64) -> tuple[int, int]:
    """Bytes of scratch that a rolled kernel takes in each thread, and its lanes."""
    program = QUANTITIES[quantity].program
    if "external" in QUANTITIES[quantity].arguments:
        program = without_external(program)
    constants = robot.engine.constants
    inputs, outputs = ports_of(program, constants.model)
    sizes = layout_of(planned(program, classes_of(constants))).sizes
    table = robot_table(sizes, constants, (inputs, outputs), "float64")
    form = passes.loops(program, constants, "float64", single=False).form
    lanes = int(re.findall(r"(\d+) lane", form)[0])
    return table.vectors * lanes * 8, lanes


def test_scratch_is_linear_in_the_links_and_bounded() -> None:
    few, many = (scratch(sd.chain(n), "forward_dynamics") for n in (100, 1000))
    assert few[1] == many[1] == processor().lanes(8)
    assert many[0] <= 10.5 * few[0]
    most, lanes = scratch(sd.chain(1500), "mass_matrix")  # the result itself has 18 MB for each lane
    assert lanes == 1 or most <= policy.MOST_SCRATCH


@pytest.mark.parametrize("n", [2, 40, 700])
@pytest.mark.heavy(2)
def test_fewer_lanes_give_the_same_bits(n: int, monkeypatch: pytest.MonkeyPatch, rng: np.random.Generator) -> None:
    """Long robots run one state at a time; nobody can tell from the numbers."""
    robot = sd.chain(n).with_backend("rolled")
    state = random_state(rng, robot, (11,))
    q, v, tau = state["q"], state["v"], state["tau"]
    expected = robot.forward_dynamics(q, v, tau)
    monkeypatch.setattr(policy, "MOST_SCRATCH", 1000)
    narrow = sd.chain(n).with_backend("rolled")
    assert scratch(narrow, "forward_dynamics")[1] == 1
    assert narrow.forward_dynamics(q, v, tau).tobytes() == expected.tobytes()


PEAK = """
import re, sys
import numpy as np, soadyn as sd
n = int(sys.argv[1])
robot = sd.chain(n)
rng = np.random.default_rng(0)
q, v, tau = robot.random_configuration(rng), rng.standard_normal(n), rng.standard_normal(n)
a = robot.forward_dynamics(q, v, tau)
back = robot.inverse_dynamics(q, v, a)
assert np.isfinite(a).all() and np.isfinite(back).all()
print(int(re.search(r"VmHWM:\\s*(\\d+)", open("/proc/self/status").read())[1]) / 1024)
"""


@pytest.mark.slow
def test_ten_thousand_links_take_less_than_500_megabytes(python: Any) -> None:
    if not Path("/proc/self/status").exists():
        pytest.skip("the peak of a process is only known on Linux")
    python(PEAK, 100)  # compiling takes memory too
    peaks = {n: float(python(PEAK, n).stdout) for n in (100, 3000, 10_000)}
    assert peaks[10_000] < 500
    # linear: what the longest adds to the shortest is at most what its length explains
    assert peaks[10_000] - peaks[100] <= 1.3 * (10_000 / 3000) * (peaks[3000] - peaks[100]) + 30
