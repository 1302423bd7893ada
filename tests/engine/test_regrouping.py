"""Inertias that joints do not feel: who may move them, what is left, and that nothing else changes."""

from __future__ import annotations

import tracemalloc
from typing import Any

import numpy as np
import pytest

import soadyn as sd
from combining import combined
from joint_space_trial import feels_only_joints, random_input
from random_robots import ALL_KINDS, random_model
from soadyn.algebra import H, M, P, T, a, b, inv, mass, phi
from soadyn.engine.constants.constants import constants_of
from soadyn.engine.constants.regrouping import constants_for, regrouped
from soadyn.engine.tracing.ports import Port
from soadyn.mechanics.joint import KINDS
from soadyn.mechanics.spatial.inertia import Inertia
from soadyn.mechanics.spatial.transform import Transform
from soadyn.model.model import Model
from soadyn.quantities import QUANTITIES

TRUE_INERTIAS = {
    "potential_energy",
    "momentum",
    "center_of_mass",
    "center_of_mass_jacobian",
    "centroidal_momentum_matrix",
    "articulated_inertias",
    "composite_inertias",
    "link_forces",
}
# They exist where joints can accelerate a frame in every direction.
IN_EVERY_DIRECTION = ("operational_inertia", "operational_bias")


def any_input(port: Port, model: Model, rng: np.random.Generator) -> Any:
    """An input of any quantity; the frame is on the last link."""
    match port.name:
        case "frame":
            return model.n, Transform.identity()
        case "axes":
            return 0, Transform.identity()
        case "on_path":
            return [float(k in set(model.ancestors(model.n))) for k in range(model.n + 1)]
        case "at_frame":
            return [float(k == model.n) for k in range(model.n + 1)]
        case "f" | "about":
            return rng.normal(size=(*port.shape, 1))
        case "about_com":
            return 1.0
    return random_input(port, model, rng)


@pytest.mark.parametrize("name", QUANTITIES)
def test_quantities_say_rightly_whether_only_joints_feel_their_inertias(name: str, rng: np.random.Generator) -> None:
    program = QUANTITIES[name].program
    # Over a revolute joint on the ground mass is dropped; over some other kinds none is, and mass centres stay.
    long = {"kinds": ["revolute"], "shape": "serial"} if name in IN_EVERY_DIRECTION else {"kinds": ALL_KINDS}
    models = (random_model(rng, 10, **long) for _ in range(100))
    model = next(model for model in models if model.joints[0].behaviour.name == "revolute")
    assert program.joint_space == (name not in TRUE_INERTIAS)
    assert feels_only_joints(program, constants_of(model), any_input) == program.joint_space
    for alternative in program.alternatives:
        assert alternative.joint_space
        assert feels_only_joints(alternative, constants_of(model), any_input)


@pytest.mark.parametrize("kind", KINDS)
def test_what_a_joint_does_not_feel_is_in_no_row_of_H_and_does_not_turn_with_it(
    kind: str, rng: np.random.Generator
) -> None:
    joint = KINDS[kind]
    J = rng.normal(size=(3, 3))
    unfelt = joint.unfelt(Inertia.at_mass_centre(2.0, rng.normal(size=3), J @ J.T))
    q, pitch = joint.random(rng, np.full(joint.nv, -np.inf), np.full(joint.nv, np.inf), ()), np.array(0.3)
    assert abs((joint.H(q, pitch) @ unfelt).dense()).max() < 1e-14
    moved = joint.transform(q, pitch).shift(unfelt)
    np.testing.assert_allclose(moved.dense(), unfelt.dense(), atol=1e-13)


def test_links_on_revolute_joints_are_left_without_mass() -> None:
    for link in regrouped(sd.load("ur5").engine.constants).moving:
        assert (link.M.m[0, 0], link.M.mp[2, 0], link.M.J[1, 1]) == (0.0, 0.0, 0.0)


def test_dynamics_of_a_long_chain_hold_one_set_of_constants(llvm: None) -> None:
    few, many = sd.chain(20), sd.chain(500)
    for robot in (few, many):  # the first call brings what all robots share
        x = np.zeros(robot.nv)
        tracemalloc.start()
        robot.forward_dynamics(x, x, x)
        robot.inverse_dynamics(x, x, x)
        held, _ = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    assert held / many.nv < 4000  # bytes a link; 6,800 with the plain constants and a table for each quantity


def test_nothing_is_moved_over_parameters(rng: np.random.Generator) -> None:
    arm = sd.load("planar_two_link")
    name = f"{arm.link_names[-1]}.mass"
    q, v, tau = rng.normal(size=(3, 300, 2))
    found = arm.parametric(name).forward_dynamics(q, v, tau, arm.model.links[-1].mass)
    np.testing.assert_allclose(found, arm.forward_dynamics(q, v, tau), rtol=1e-12)


def test_programs_together_move_nothing_if_one_of_them_may_not() -> None:
    feels, tells = QUANTITIES["mass_matrix"].program, QUANTITIES["potential_energy"].program
    assert combined((feels, QUANTITIES["pose"].program)).joint_space
    assert not combined((feels, tells)).joint_space
    constants = sd.load("ur5").engine.constants
    assert constants_for(tells, constants) is constants


def test_formulas_are_tried_on_their_robot() -> None:
    arm = sd.load("panda")
    bias = H @ phi @ (M @ phi.T @ a + b)
    for formula in (inv(mass) @ T, mass, inv(mass) @ (T - bias), H @ P @ H.T):
        assert sd.compile(formula, arm).program.joint_space
    for formula in (P, M @ phi.T @ a, phi @ b):
        assert not sd.compile(formula, arm).program.joint_space
