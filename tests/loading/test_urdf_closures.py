"""Loops and couplings of URDF+, and Isaac Sim's loop joints."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

import soadyn as sd
from loop_cases import FOURBAR, GEARED, SPOILT, joint, link
from sdf_peer import pose_matrix
from soadyn.errors import ModelError
from soadyn.loading import load_model
from soadyn.model.closures import Closure, Coupling


def test_a_loop_holds_both_frames_together() -> None:
    model = load_model(FOURBAR, strict=True)
    (pin,) = model.closures
    assert isinstance(pin, Closure)
    assert (pin.name, pin.kind) == ("pin", "hinge")
    assert [model.links[anchor.link - 1].name for anchor in (pin.x, pin.y)] == ["coupler", "rocker"]
    assert_allclose(pin.x.placement.matrix(), pose_matrix("0.9 0 0 0 0 0.1"), atol=1e-16)
    assert_allclose(pin.y.placement.matrix(), pose_matrix("0.7 0 0 0 0 0"), atol=1e-16)


def test_a_four_bar_closes_where_triangles_say() -> None:
    """Crank up: coupler and rocker are two sides of a triangle, from the crank's end and from the rocker's foot."""
    robot = sd.load(FOURBAR)
    assert robot.mobility == 1
    across = math.hypot(0.8, 0.3)
    up = math.atan2(-0.3, 0.8) + math.acos((0.9**2 + across**2 - 0.7**2) / (2 * 0.9 * across))
    rocker = np.array([0.0, 0.3]) + 0.9 * np.array([math.cos(up), math.sin(up)]) - np.array([0.8, 0.0])
    q = robot.configuration({"a": math.pi / 2, "b": up - math.pi / 2, "c": math.atan2(rocker[1], rocker[0])})
    assert abs(robot.closure_error(q)).max() < 1e-15


@pytest.mark.parametrize(
    ("kind", "called", "more"),
    [
        ("revolute", "hinge", '<axis xyz="0 1 1"/>'),
        ("continuous", "hinge", '<axis xyz="0 1 1"/>'),
        ("prismatic", "prismatic", '<axis xyz="0 1 1"/>'),
        ("cylindrical", "cylindrical", '<axis xyz="0 1 1"/>'),
        ("planar", "planar", '<axis xyz="0 1 1"/>'),
        ("helical", "helical, pitch 0.2", '<axis xyz="0 1 1" pitch="0.2"/>'),
        ("universal", "universal", '<axis xyz="0 1 1"/><axis2 xyz="0 -1 1"/>'),
        ("spherical", "ball", ""),
        ("fixed", "weld", ""),
    ],
)
def test_every_joint_type_closes_loops(kind: str, called: str, more: str) -> None:
    """The same joint in the tree leaves the same frames, and its motion keeps the closure closed."""
    ends = (
        '<predecessor link="x"><origin xyz="1 2 3" rpy="0.1 0.2 0.3"/></predecessor>'
        '<successor link="y"><origin xyz="0 0 0" rpy="0 0 0"/></successor>'
    )
    tree = (
        f'<robot name="r"><link name="base"/>{link("x")}{link("y")}{joint("h", "base", "x")}'
        f'<joint name="j" type="{kind}"><parent link="x"/><child link="y"/>'
        f'<origin xyz="1 2 3" rpy="0.1 0.2 0.3"/>{more}<limit lower="-9" upper="9"/></joint>'
        f'<loop name="l" type="{kind}">{ends}{more}</loop></robot>'
    )
    if kind == "fixed":
        with pytest.raises(ModelError, match=r"<string>:\d+: closure 'l' joins 'x' to itself"):
            load_model(tree)
        tree = tree.replace('name="j" type="fixed"', 'name="j" type="revolute"')
    robot = sd.Robot(replace(load_model(tree), superfluous=()))
    assert robot.model.closures[0].told == called
    rng = np.random.default_rng(1)
    for _ in range(3):
        v = rng.uniform(-1, 1, robot.nv)
        v[1:] *= kind != "fixed"
        assert abs(robot.closure_error(robot.integrate(robot.neutral(), v))).max() < 1e-14


def test_a_coupling_counts_from_where_its_links_part() -> None:
    """ratio (qb + qc) = qr: the joint qa carries both and does not count; nor does a weld."""
    model = load_model(GEARED, strict=True)
    (belt,) = model.closures
    assert isinstance(belt, Coupling)
    factors = {model.joints[k - 1].name: poly for k, poly in belt.terms}
    assert factors == {"qb": (0.0, 6.0), "qc": (0.0, 6.0), "qr": (0.0, -1.0)}


@pytest.mark.parametrize("second", ["link1", "link2"])
def test_a_loop_joint_of_isaac_sim_is_a_closure(second: str) -> None:
    text = FOURBAR[: FOURBAR.index("<loop")] + (
        f'<loop_joint name="pin" type="spherical"><link1 link="coupler" xyz="0.9 0 0" rpy="0 0 0.1"/>'
        f'<{second} link="rocker" xyz="0.7 0 0" rpy="0 0 0"/></loop_joint></robot>'
    )
    (pin,) = load_model(text, strict=True).closures
    assert isinstance(pin, Closure)
    assert pin.kind == "ball"
    assert_allclose(pin.x.placement.matrix(), pose_matrix("0.9 0 0 0 0 0.1"), atol=1e-16)


def test_without_closures_the_tree_is_left() -> None:
    assert load_model(FOURBAR, closures=False) == load_model(FOURBAR[: FOURBAR.index("<loop")] + "</robot>")


@pytest.mark.parametrize("what", SPOILT)
def test_a_spoilt_loop_is_refused_with_its_line(what: str) -> None:
    text, old, new, words = SPOILT[what]
    assert old in text
    with pytest.raises((ModelError, sd.ArgumentError), match=words) as raised:
        load_model(text.replace(old, new, 1))
    assert re.match(r"<string>:\d+: ", str(raised.value))


def test_a_thousand_loops_are_quick_and_a_million_refused() -> None:
    loop = FOURBAR[FOURBAR.index("<loop") : FOURBAR.index("</robot>")]
    many = "".join(loop.replace('name="pin"', f'name="pin{k}"') for k in range(10_001))
    with pytest.raises(ModelError, match=r"has 10001 closures; more than 10000 are refused"):
        load_model(FOURBAR.replace(loop, many))


def test_couplings_that_name_very_many_joints_are_refused() -> None:
    n = 3000
    links = "".join(link(f"l{k}") for k in range(n)) + link("rotor")
    joints = "".join(joint(f"j{k}", f"l{k - 1}" if k else "base", f"l{k}") for k in range(n)) + joint(
        "r", "base", "rotor"
    )
    ends = f'<predecessor link="l{n - 1}"/><successor link="rotor"/><ratio value="2"/>'
    many = "".join(f'<coupling name="c{k}">{ends}</coupling>\n' for k in range(500))
    with pytest.raises(ModelError, match=r"<string>:\d+: the couplings up to here name more than 1000000 joints"):
        load_model(f'<robot name="r"><link name="base"/>{links}{joints}{many}</robot>')


def test_what_a_loop_says_beside_is_told() -> None:
    model: Any = load_model(FOURBAR.replace("</loop>", '<limit lower="0"/></loop>'))
    assert '<limit> of <loop name="pin"> is left out: it is not an element of URDF' in model.notes[0]
