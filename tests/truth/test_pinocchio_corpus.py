"""Every URDF of example-robot-data that Pinocchio loads: all quantities agree with Pinocchio."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import soadyn as sd
from agreement import Agreement, compare, norm, our_quantities, random_state, row
from corpus import loadable_urdfs, pin_model, short_name

pytest.importorskip("pinocchio")
from pinocchio_peer import PinPeer

STATES = 20
# Robots with a singular mass matrix, and the massless link at the tip that is the reason.
SINGULAR = {"romeo/romeo": "RThumb3Link", "romeo/romeo_laas_small": "r_gripper"}
NEED_INVERSE = ("mass_matrix_inverse", "mass_matrix_factors", "forward_dynamics", "hybrid_dynamics")


def robots(singular: bool = False) -> list[Any]:
    cases = []
    for path in loadable_urdfs():
        name = short_name(path)
        if not singular or name in SINGULAR:
            cases += [pytest.param(path, root, id=f"{name}-{root}") for root in ("fixed", "free")]
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
@pytest.mark.heavy(2)
def test_all_quantities_agree_with_pinocchio(path: Path, root: str, rng: np.random.Generator) -> None:
    compared(path, root, rng, invertible=short_name(path) not in SINGULAR).check()


@pytest.mark.parametrize(("path", "root"), robots(singular=True))
@pytest.mark.parametrize("quantity", NEED_INVERSE)
@pytest.mark.heavy(2)
def test_a_singular_mass_matrix_gives_nan_rows_and_one_warning_that_names_the_link(
    path: Path, root: str, quantity: str, rng: np.random.Generator
) -> None:
    robot, peer = pair(path, root)
    link = SINGULAR[short_name(path)]
    states = random_state(rng, robot, (3,))
    joint = robot.model.joints[robot.model.frame(link).link - 1].name
    mass = peer.quantities(row(states, 0), [])["mass_matrix"]
    assert not mass[list(robot.joint_dofs(joint))].any()
    arguments = {
        "mass_matrix_inverse": (),
        "mass_matrix_factors": (),
        "forward_dynamics": (states["v"], states["tau"]),
        "hybrid_dynamics": (states["v"], None, states["tau"], list(robot.joint_names)),
    }[quantity]
    with pytest.warns(RuntimeWarning) as caught:
        results = getattr(robot, quantity)(states["q"], *arguments)
    assert len(caught) == 1
    message = str(caught[0].message)
    assert message.startswith(f"{quantity}: 3 of 3 rows came out NaN: D is singular at link {link!r}")
    assert repr(joint) in message
    assert all(np.isnan(x).all() for x in (results if isinstance(results, tuple) else (results,)))
    with (
        sd.errstate("raise"),
        pytest.raises(sd.SingularError, match=rf"{quantity}: row 0: D is singular at link '{link}'"),
    ):
        getattr(robot, quantity)(states["q"], *arguments)


@pytest.mark.parametrize(("path", "root"), robots(singular=True))
@pytest.mark.heavy(2)
def test_a_massless_tip_can_still_be_driven_in_hybrid_dynamics(path: Path, root: str, rng: np.random.Generator) -> None:
    robot, peer = pair(path, root)
    state = random_state(rng, robot)
    mass = peer.quantities(state, [])["mass_matrix"]
    passive = abs(mass).sum(axis=-1) > 0
    a, tau = robot.hybrid_dynamics(state["q"], state["v"], state["a"], state["tau"], passive)
    theirs = mass @ a + peer.quantities(state, [])["bias_force"]
    assert abs(theirs - tau).max() <= 1e-10 * (norm(mass) * norm(a) + norm(tau))
