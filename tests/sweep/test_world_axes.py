"""Programs along the world's axes give the same joint-space results as along the links' axes."""

from __future__ import annotations

import numpy as np
import pytest

from combining import combined
from native_cases import random_state
from random_robots import ALL_KINDS, random_model
from soadyn.engine.constants.constants import constants_of
from soadyn.engine.reference.run import run
from soadyn.programs.sweep.algorithms import without_external
from soadyn.programs.sweep.combine import one_unit
from soadyn.programs.sweep.program import Program
from soadyn.programs.sweep.world_axes import in_world_axes
from soadyn.quantities import QUANTITIES
from soadyn.robot import Robot

NAMES = ("inverse_dynamics_derivatives", "coriolis_matrix", "christoffel_symbols", "mass_matrix_sensitivities")


def single(name: str) -> Program:
    program = QUANTITIES[name].program
    return one_unit(program) if program.units else program


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("name", NAMES)
def test_every_joint_kind_with_wrenches(name: str, seed: int, rng: np.random.Generator) -> None:
    robot = Robot(random_model(np.random.default_rng(seed), 14, kinds=ALL_KINDS))
    state = random_state(rng, robot, (3,))
    inputs = {**state, "vdot": state["a"], "external": 30 * rng.normal(size=(3, len(robot.link_names), 6))}
    program, constants = single(name), constants_of(robot.model)
    found, expected = (
        run(p, constants, {key: inputs[key] for key in p.inputs}, batch=(3,))[0]
        for p in (in_world_axes(program), program)
    )
    for x, y in zip(found, expected, strict=True):
        np.testing.assert_allclose(x, y, rtol=0, atol=1e-13 * max(abs(y).max(), 1.0))


def test_programs_whose_steps_pick_entries_stay_as_they_are() -> None:
    for name in ("forward_dynamics_derivatives", "mass_matrix", "forward_dynamics"):
        program = QUANTITIES[name].program
        assert in_world_axes(program) is program
    for name in NAMES:
        assert in_world_axes(single(name)) is not single(name)
    unloaded = without_external(single("inverse_dynamics_derivatives"))
    assert "external" not in in_world_axes(unloaded).inputs


def test_combined_programs_are_turned_whole_or_not_at_all() -> None:
    jacobians, coriolis, mass = (
        QUANTITIES[name].program for name in ("inverse_dynamics_derivatives", "coriolis_matrix", "mass_matrix")
    )
    both = combined((jacobians, coriolis))
    assert in_world_axes(both) is not both
    with_mass = combined((jacobians, mass))
    assert in_world_axes(with_mass) is with_mass
