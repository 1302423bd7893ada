"""Base parameters: as many as the regressor has rank, and all that the joint forces depend on."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import soadyn as sd
from agreement import error
from random_robots import random_model


def robot_named(name: str) -> sd.Robot:
    if name == "tree":
        return sd.Robot(random_model(np.random.default_rng(3), 7, armature=True), backend="numpy")
    return sd.load(name).with_backend("numpy")


def random_states(rng: np.random.Generator, robot: sd.Robot, size: int) -> tuple[Any, ...]:
    return robot.random_configuration(rng, size), *rng.standard_normal((2, size, robot.nv))


@pytest.mark.parametrize("name", ["planar_two_link", "puma560", "ur5", "ets_vii", "tree"])
@pytest.mark.heavy(2)
def test_there_are_as_many_as_the_regressor_has_rank(name: str, rng: np.random.Generator) -> None:
    robot = robot_named(name)
    base = robot.base_parameters()
    W = robot.inertia_regressor(*random_states(rng, robot, 200)).reshape(-1, 10 * len(robot.link_names))
    singular_values = np.linalg.svd(W, compute_uv=False)
    assert len(base) == (singular_values > 1e-10 * singular_values[0]).sum()
    if name in ("puma560", "ur5"):
        assert len(base) == 36  # as the literature counts for both


@pytest.mark.parametrize("name", ["planar_two_link", "puma560", "ur5", "ets_vii", "tree"])
def test_joint_forces_follow_from_them(name: str, rng: np.random.Generator) -> None:
    robot = robot_named(name)
    base = robot.base_parameters()
    q, v, a = random_states(rng, robot, 10)
    found = (base.regressor(q, v, a) @ base.values) + robot.armature * a
    assert error(found, robot.inverse_dynamics(q, v, a)) <= 1e-12
    assert np.allclose(base.matrix @ robot.inertial_parameters(), base.values)


def test_the_groups_of_puma_are_those_of_the_literature() -> None:
    """A revolute joint about z gives Jyy, mz and m to the link inboard: -Jyy beside Jxx, what is left by Steiner."""
    base = sd.load("puma560").base_parameters()
    groups = dict(zip(base.names, base.groups, strict=True))
    assert groups["Jxx(link6)"] == "Jxx(link6) - Jyy(link6)"
    assert groups["my(link5)"] == "my(link5) - mz(link6)"
    assert groups["Jzz(link5)"] == "Jzz(link5) + Jyy(link6)"
    assert groups["mx(link2)"].startswith("mx(link2) + 0.4318 m(link3)")
    assert str(base).splitlines() == list(base.groups)


def test_another_robot_with_the_same_base_parameters_moves_alike(rng: np.random.Generator) -> None:
    """Mass on the axis of the last joint of a planar arm changes groups only as they say."""
    arm = sd.load("planar_two_link")
    heavier = arm.with_payload("link1", 2.0)  # at the axis of joint1, where nothing feels it
    assert np.allclose(heavier.base_parameters().values, arm.base_parameters().values)
    q, v, a = random_states(rng, arm, 5)
    assert error(heavier.inverse_dynamics(q, v, a), arm.inverse_dynamics(q, v, a)) <= 1e-12


@pytest.mark.parametrize("name", ["planar_two_link", "puma560", "ur5"])
@pytest.mark.heavy(2)
def test_groups_with_lengths_as_symbols_are_those_with_numbers(name: str, rng: np.random.Generator) -> None:
    pytest.importorskip("sympy")
    arm = sd.load(name)
    base = arm.base_parameters()
    letters = ("m", "mx", "my", "mz", "Jxx", "Jxy", "Jyy", "Jxz", "Jyz", "Jzz")
    names = [f"{letter}({link})" for link in arm.link_names for letter in letters]
    figures = dict(zip(names, rng.standard_normal(len(names)), strict=True))
    for joint in arm.model.joints:
        figures |= {f"l_{joint.name}_{axis}": joint.placement.position[i] for i, axis in enumerate("xyz")}
    groups = base.symbolic()
    assert tuple(groups) == base.names
    found = [float(x.subs({symbol: figures[str(symbol)] for symbol in x.free_symbols})) for x in groups.values()]
    assert error(found, base.matrix @ [figures[x] for x in names]) <= 1e-12


def test_the_groups_of_puma_are_printed_as_the_literature_does() -> None:
    pytest.importorskip("sympy")
    groups = {name: str(x) for name, x in sd.load("puma560").base_parameters().symbolic().items()}
    assert groups["Jxx(link6)"] == "Jxx(link6) - Jyy(link6)"
    assert groups["Jzz(link5)"] == "Jyy(link6) + Jzz(link5)"
    assert groups["mx(link2)"].startswith("l_joint3_x*m(link3) + l_joint3_x*m(link4)")


def test_symbolic_groups_of_other_joints_are_refused() -> None:
    pytest.importorskip("sympy")
    with pytest.raises(sd.ArgumentError, match="joint 'root' is none: the groups with numbers are in `groups`"):
        sd.load("ets_vii").base_parameters().symbolic()
