"""The rule that says which formulas tell of links only what joints feel, beside a trial with inertias moved."""

from __future__ import annotations

import random

import numpy as np
import pytest

import soadyn as sd
from joint_space_trial import feels_only_joints
from paper_formulas import PAPER_FORMULAS
from random_formulas import atoms_of, grown
from random_robots import ALL_KINDS, random_model
from soadyn.algebra import Expression, H, M, P, T, V, a, b, inv, mass, phi, theta_ddot
from soadyn.algebra.operators import NAMES
from soadyn.errors import SoadynError
from soadyn.robot import Robot

bias = H @ phi @ (M @ phi.T @ a + b)


@pytest.fixture(params=["panda", "every joint"])
def arm(request: pytest.FixtureRequest) -> Robot:
    """A real arm, and a tree on which frames also slide along axes that links slide along."""
    if request.param == "panda":
        return sd.load("panda")
    return Robot(random_model(np.random.default_rng(3), 14, kinds=ALL_KINDS))


def answers(formula: Expression, arm: Robot) -> tuple[bool, bool] | None:
    """What the rule and the trial say of a formula; None if it has no recursions."""
    try:
        program = sd.compile(formula, arm).program
    except SoadynError:
        return None
    return program.joint_space, feels_only_joints(program, arm.engine.constants)


def test_the_rule_is_right_about_the_papers_formulas(arm: Robot) -> None:
    found = [both for x in PAPER_FORMULAS if (both := answers(x.formula, arm)) is not None]
    assert (True, False) not in found
    assert found.count((True, True)) > 40


@pytest.mark.parametrize("seed", range(4))
def test_the_rule_is_right_about_random_formulas(arm: Robot, seed: int) -> None:
    rng = random.Random(seed)
    atoms = atoms_of(tuple(NAMES.values()))
    formulas = [grown(lambda options: rng.choice(list(options)), lambda: rng.randint(1, 9), atoms) for _ in range(25)]
    found = [both for x in formulas if (both := answers(x, arm)) is not None]
    assert (True, False) not in found
    assert (True, True) in found


@pytest.mark.parametrize(
    "formula",
    [
        inv(mass) @ T,
        mass @ theta_ddot,
        inv(mass) @ (T - bias),
        H @ phi @ (M @ phi.T @ (H.T @ theta_ddot + a) + b),
        V.T @ M @ V / 2,
        H @ P @ H.T @ theta_ddot,
    ],
    ids=str,
)
def test_what_only_joints_feel(formula: Expression, arm: Robot) -> None:
    assert answers(formula, arm) == (True, True)


@pytest.mark.parametrize(
    "formula",
    [P @ phi.T @ a, phi @ b, H @ phi @ b, H @ phi @ M @ phi.T @ a, H @ (M @ phi.T @ a + b), V.T @ M @ a],
    ids=str,
)
def test_what_tells_of_the_links(formula: Expression, arm: Robot) -> None:
    assert answers(formula, arm) == (False, False)
