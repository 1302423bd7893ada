"""A URDF with limits of zero, which stand for none, wherever limits are read."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import soadyn as sd
from soadyn.cli.information import facts

JOINT = """
  <joint name="{0}" type="revolute"><parent link="{1}"/><child link="{2}"/><origin xyz="0.5 0 0"/><axis xyz="0 1 0"/>
    <limit lower="-2" upper="2" velocity="{3}" effort="{3}"/></joint>"""
LINK = """
  <link name="{0}"><inertial><origin xyz="0.2 0 0.1"/><mass value="2"/>
    <inertia ixx="0.1" ixy="0" ixz="0" iyy="0.1" iyz="0" izz="0.1"/></inertial></link>"""


def arm(limit: str, folder: Path) -> sd.Robot:
    text = '<robot name="arm"><link name="base"/>' + LINK.format("upper") + LINK.format("lower")
    text += JOINT.format("shoulder", "base", "upper", limit) + JOINT.format("elbow", "upper", "lower", limit)
    (folder / "arm.urdf").write_text(text + "</robot>", encoding="utf-8")
    return sd.load(folder / "arm.urdf")


@pytest.fixture
def unlimited(tmp_path: Path) -> sd.Robot:
    return arm("0", tmp_path)


def test_the_robot_says_that_there_is_none(unlimited: sd.Robot, tmp_path: Path) -> None:
    assert np.isinf([unlimited.velocity_limit, unlimited.effort_limit]).all()
    assert [joint["effort"] for joint in facts(unlimited)["joints"]] == [[np.inf]] * 2
    limited = arm("3", tmp_path)
    assert (np.array([limited.velocity_limit, limited.effort_limit]) == 3.0).all()


def test_motions_that_show_parameters_are_made_as_without_speed_limits(unlimited: sd.Robot) -> None:
    motion = sd.estimation.design_excitation(unlimited, duration=4.0, rng=np.random.default_rng(0), trials=4)
    _, v, _ = motion(np.linspace(0.0, 4.0, 50))
    assert motion.condition < 1e3
    assert 1.0 < np.abs(v).max() < 2.0


def test_motors_are_as_strong_as_they_need_be(unlimited: sd.Robot) -> None:
    run = sd.simulate(unlimited, [0.1, 0.2], control=[40.0, -30.0], duration=0.01, step=0.001)
    assert np.allclose(run.tau, [40.0, -30.0])
    assert not any("effort" in name for name in run.acted)
    cost = sd.optimal.Cost(unlimited, [0.1, 0.2], state_weight=1.0, effort_weight=1e-6)
    assert (np.abs(sd.optimal.lqr(cost)(0.0, [1.1, 0.2], [0.0, 0.0])) > 100.0).any()


def test_paths_are_limited_by_accelerations_alone(unlimited: sd.Robot) -> None:
    path = sd.paths.spline(unlimited, [[0.0, 0.0], [0.5, 0.4], [1.0, 0.0]])
    with pytest.raises(sd.ArgumentError, match="without limits of 'arm'"):
        sd.paths.time_optimal(path)
    assert np.isfinite(sd.paths.time_optimal(path, acceleration_limit=2.0).duration)
