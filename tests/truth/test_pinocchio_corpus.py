"""Every URDF of example-robot-data that Pinocchio loads: all quantities agree with Pinocchio."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from agreement import Agreement, compare, our_quantities, random_state, row
from corpus import loadable_urdfs, pin_model, short_name

import soadyn as sd

pytest.importorskip("pinocchio")
from pinocchio_peer import PinPeer  # noqa: E402

STATES = 20
# The link at which D is singular: its mass and inertia, with all beyond it, are zero.
FAST = (
    "a1/a1",
    "anymal_b_simple/anymal",
    "baxter/baxter",
    "double_pendulum/double_pendulum_continuous",
    "hector/quadrotor_base",
    "iris/iris_simple",
    "kinova/kinova",
    "panda/panda",
    "romeo/romeo_laas_small",
    "tiago/tiago_no_hand",
    "ur/ur5_robot",
)


def robots() -> list[Any]:
    cases = []
    for path in loadable_urdfs():
        name = short_name(path)
        for root in ("fixed", "free"):
            marks = () if name in FAST else pytest.mark.slow
            cases.append(pytest.param(path, root, id=f"{name}-{root}", marks=marks))
    return cases


def pair(path: Path, root: str) -> tuple[sd.Robot, PinPeer]:
    robot = sd.load(path, root=root)
    return robot, PinPeer(robot.model, pin_model(path, free=root == "free"), list(robot.joint_names))


def compared(path: Path, root: str, rng: np.random.Generator, invertible: bool = True) -> Agreement:
    """All quantities at random states, three frames drawn at random."""
    robot, peer = pair(path, root)
    frames = [str(name) for name in rng.choice(shared_frames(robot, peer), 3)]
    states = random_state(rng, robot, (STATES,))
    ours = our_quantities(robot, states, frames, invertible)
    agreement = Agreement()
    for i in range(STATES):
        state = row(states, i)
        known = {"tau": state["tau"], "mass": robot.total_mass}
        compare(row(ours, i), peer.quantities(state, frames), known, agreement)
    return agreement


def shared_frames(robot: sd.Robot, peer: PinPeer) -> list[str]:
    return [name for name in robot.frame_names if peer.frame(name) < peer.model.nframes]


@pytest.mark.parametrize(("path", "root"), robots())
def test_all_quantities_agree_with_pinocchio(path: Path, root: str, rng: np.random.Generator) -> None:
    compared(path, root, rng).check()
