"""Products with Jacobians on trees of all joints, in both directions: against complex steps of the reference."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import soadyn as sd
from random_robots import model_of_every_kind, random_model
from soadyn.engine import policy
from soadyn.engine.tracing.traced import traced
from soadyn.programs.sweep.algorithms import without_external
from soadyn.programs.sweep.program import Derivative, Program, with_derivative
from soadyn.quantities import QUANTITIES

STEP = 1e-30
NAMES = ("inverse_dynamics", "forward_dynamics", "bias_force", "gravity_force")


def with_mode(name: str, mode: Any, program: Program | None = None) -> Program:
    own = program or without_external(QUANTITIES[name].program)
    by = tuple(x for x in ("q", "v", "vdot", "tau", "external") if x in own.inputs)
    return with_derivative(own, Derivative(mode, by))


def vectors(name: str, robot: sd.Robot, rng: np.random.Generator, size: int, external: bool) -> list[np.ndarray]:
    count = len(without_external(QUANTITIES[name].program).inputs)
    at = [robot.random_configuration(rng, size=size), *rng.standard_normal((2, size, robot.nv))][:count]
    if external and "external" in QUANTITIES[name].arguments:
        at.append(rng.standard_normal((size, len(robot.link_names), 6)))
    return at


def check(robot: sd.Robot, name: str, rng: np.random.Generator, external: bool, tolerance: float) -> None:
    at = vectors(name, robot, rng, 3, external)
    along = [rng.standard_normal((3, robot.nv) if i == 0 else x.shape) for i, x in enumerate(at)]
    _, rate = robot.jvp(name, at, along)
    q = robot.integrate(at[0].astype(complex), 1j * STEP * along[0])
    moved = [x + 1j * STEP * d for x, d in zip(at[1:], along[1:], strict=True)]
    expected = getattr(robot.with_backend("numpy"), name)(q, *moved).imag / STEP
    assert np.abs(rate - expected).max() <= tolerance * np.abs(expected).max()
    weights = rng.standard_normal(rate.shape)
    _, cotangents = robot.vjp(name, at, weights)
    backward = sum(np.sum(c * d) for c, d in zip(cotangents, along, strict=True))
    assert abs(backward - np.sum(weights * rate)) <= tolerance * np.abs(weights * rate).max() * 100


@pytest.mark.parametrize("external", [True, pytest.param(False, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.heavy(2)
def test_a_tree_with_every_joint(name: str, external: bool, rng: np.random.Generator) -> None:
    check(sd.Robot(model_of_every_kind()), name, rng, external, 1e-11)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("name", NAMES)
def test_random_trees(name: str, seed: int, rng: np.random.Generator) -> None:
    model = random_model(rng, 2 + seed, root=("fixed", "free")[seed % 2], armature=seed % 3 == 0)
    check(sd.Robot(model), name, rng, seed % 4 == 0, 1e-9)


@pytest.mark.parametrize("name", ["inverse_dynamics", "forward_dynamics"])
def test_long_chains(name: str, rng: np.random.Generator, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where code would be too long the reference serves."""
    monkeypatch.setattr(policy, "LONGEST_WITH_PARAMETERS", 1000)
    robot = sd.chain(30)
    check(robot, name, rng, False, 1e-6 if name == "forward_dynamics" else 1e-9)
    program = with_mode(name, "tangent")
    assert not robot.engine.has_kernel(program, (), "float64")


@pytest.mark.parametrize("mode", ["tangent", "gradient"])
@pytest.mark.parametrize("name", ["inverse_dynamics", "forward_dynamics"])
def test_operations_beside_those_of_the_program(name: str, mode: Any) -> None:
    constants = sd.load("ur5").engine.constants
    own = without_external(QUANTITIES[name].program)
    assert traced(with_mode(name, mode), constants, {}).operations <= 2.8 * traced(own, constants, {}).operations
