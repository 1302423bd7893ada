"""Programs along the world's axes give the same joint-space results as along the links' axes."""

from __future__ import annotations

import numpy as np
import pytest

from combining import combined
from native_cases import random_state
from random_robots import ALL_KINDS, random_model
from soadyn.engine.constants.constants import constants_of
from soadyn.engine.reference.run import run
from soadyn.programs.sweep import world_axes
from soadyn.programs.sweep.algorithms import without_external
from soadyn.programs.sweep.combine import one_unit
from soadyn.programs.sweep.program import Pairs, Program, step_of
from soadyn.programs.sweep.world_axes import in_world_axes
from soadyn.quantities import QUANTITIES
from soadyn.robot import Robot

NAMES = ("inverse_dynamics_derivatives", "coriolis_matrix", "christoffel_symbols", "mass_matrix_sensitivities")


# Steps of programs in which columns climb: those that are the same along any axes or have a twin along the world's, and
# those that are not, which keep their programs along the links' axes. A new step goes into one of the two.
AXES_FREE = {
    "acceleration", "composite_drift", "composite_force", "composite_inertia", "coriolis_columns", "external_force",
    "force_changes", "hinge", "link_velocity", "map_rates", "mass_rate_columns", "motion_changes", "own_acceleration",
}  # fmt: skip
PICKING = {
    "articulated_drift", "articulated_inertia", "change_sources", "innovation", "own_force", "response_columns",
    "responses", "smoothed_motion",
}  # fmt: skip


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


def test_no_step_loses_its_mark_unseen() -> None:
    found: dict[bool, set[str]] = {True: set(), False: set()}
    for quantity in QUANTITIES.values():
        for program in (quantity.program, *quantity.program.alternatives):
            if any(isinstance(stage, Pairs) for stage in program.stages):
                for stage in program.stages:
                    found[world_axes._allows(stage)].add(step_of(stage).__name__)
    assert found == {True: AXES_FREE, False: PICKING}


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
