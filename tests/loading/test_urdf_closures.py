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
from sdf_peer import pose_matrix
from soadyn.errors import ModelError
from soadyn.loading import load_model
from soadyn.model.closures import Closure, Coupling

BODY = """<inertial><origin xyz="0.1 0 0"/><mass value="1"/>
  <inertia ixx=".1" iyy=".1" izz=".1" ixy="0" ixz="0" iyz="0"/></inertial>""".replace("\n", "")


def link(name: str) -> str:
    return f'<link name="{name}">{BODY}</link>\n'


def joint(name: str, parent: str, child: str, kind: str = "continuous", xyz: str = "0 0 0", more: str = "") -> str:
    return (
        f'<joint name="{name}" type="{kind}"{more}><parent link="{parent}"/><child link="{child}"/>'
        f'<origin xyz="{xyz}"/><axis xyz="0 0 1"/></joint>\n'
    )


FOURBAR = (
    '<robot name="fourbar"><link name="base"/>\n'
    + link("crank") + link("coupler") + link("rocker")
    + joint("a", "base", "crank", more=' independent="true"') + joint("b", "crank", "coupler", xyz="0.3 0 0")
    + joint("c", "base", "rocker", xyz="0.8 0 0")
    + """<loop name="pin" type="revolute">
  <predecessor link="coupler"><origin xyz="0.9 0 0" rpy="0 0 0.1"/></predecessor>
  <successor link="rocker"><origin xyz="0.7 0 0"/></successor>
  <axis xyz="0 0 1"/>
</loop>
</robot>"""
)  # fmt: skip


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


GEARED = (
    '<robot name="geared"><link name="base"/>\n' + "".join(link(x) for x in ("a", "b", "c", "tip", "rotor"))
    + joint("qa", "base", "a") + joint("qb", "a", "b") + joint("w", "b", "c", "fixed") + joint("qc", "c", "tip")
    + joint("qr", "a", "rotor", more=' independent="false"')
    + '<coupling name="belt"><predecessor link="tip"/><successor link="rotor"/><ratio value="6"/></coupling>\n</robot>'
)  # fmt: skip


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


# What is changed in FOURBAR or GEARED, what it is changed to, what is said.
SPOILT: dict[str, tuple[str, str, str, str]] = {
    "no name": (FOURBAR, '<loop name="pin"', "<loop", r":8: <loop> has no attribute \"name\""),
    "no type": (FOURBAR, ' type="revolute"', "", r":8: <loop name=\"pin\"> has no attribute \"type\""),
    "unknown type": (
        FOURBAR,
        'pin" type="revolute"',
        'pin" type="hinge"',
        r":8: loop 'pin': unknown loop type 'hinge'",
    ),
    "floating": (
        FOURBAR,
        'pin" type="revolute"',
        'pin" type="floating"',
        r":8: loop 'pin': unknown loop type 'floating'",
    ),
    "no successor": (FOURBAR, "successor", "sucessor", r":8: <loop name=\"pin\"> has no <successor> element"),
    "unknown link": (
        FOURBAR,
        'predecessor link="coupler"',
        'predecessor link="copler"',
        r":9: loop 'pin': unknown link 'copler'\. Did you mean 'coupler'",
    ),
    "a link with itself": (
        FOURBAR,
        'successor link="rocker"',
        'successor link="coupler"',
        r":8: closure 'pin' joins 'coupler' to itself; its frames must move apart",
    ),
    "nan": (FOURBAR, 'xyz="0.9 0 0"', 'xyz="nan 0 0"', r":9: <origin> of .*'nan' is not a finite number"),
    "zero axis": (
        FOURBAR,
        '<axis xyz="0 0 1"/>\n</loop>',
        '<axis xyz="0 0 0"/>\n</loop>',
        r":11: loop 'pin' has axis \"0 0 0\"",
    ),
    "huge numbers": (
        FOURBAR,
        'xyz="0.9 0 0"',
        'xyz="1e308 1e308 0"',
        r":8: closure 'pin': its placements are too large; expected less than 1e\+100 m",
    ),
    "twice": (
        FOURBAR,
        "</loop>",
        "</loop>" + FOURBAR[FOURBAR.index("<loop") : FOURBAR.index("</robot>")],
        r":\d+: robot 'fourbar' has a closure 'pin' already",
    ),
    "axes not across": (
        FOURBAR,
        'pin" type="revolute">',
        'pin" type="universal"><axis2 xyz="0 1 1"/>',
        r":8: joint 'pin' closes a loop, and its two axes are not across each other",
    ),
    "no ratio": (GEARED, '<ratio value="6"/>', "", r"<coupling name=\"belt\"> has no <ratio> element"),
    "nan ratio": (GEARED, 'value="6"', 'value="nan"', r"<ratio> of coupling 'belt' has value=\"nan\""),
    "no ratio at all": (
        GEARED,
        'value="6"',
        'value="0"',
        r"<string>:\d+: coupling 'belt': the coefficients of joint 'qc' must be",
    ),
    "nothing between": (
        GEARED,
        'predecessor link="tip"',
        'predecessor link="rotor"',
        r"<string>:\d+: coupling 'belt': nothing moves between links 'rotor' and 'rotor'",
    ),
    "a coupling of a ball": (
        GEARED,
        'name="qr" type="continuous"',
        'name="qr" type="spherical"',
        r"<string>:\d+: coupling 'belt': joint 'qr' has several coordinates",
    ),
    "a circle of couplings": (
        GEARED,
        "</coupling>",
        "</coupling>"
        + "".join(
            f'<coupling name="x{k}"><predecessor link="{p}"/><successor link="{s}"/><ratio value="2"/></coupling>\n'
            for k, (p, s) in enumerate((("b", "rotor"), ("rotor", "b")))
        ),
        r"<string>:\d+: coupling 'x1' of joints 'qr' and 'qb' closes a circle of couplings",
    ),
}


@pytest.mark.parametrize("what", SPOILT)
def test_a_spoilt_loop_is_refused_with_its_line(what: str) -> None:
    text, old, new, words = SPOILT[what]
    assert old in text
    with pytest.raises((ModelError, sd.ArgumentError), match=words) as raised:
        load_model(text.replace(old, new, 1) if what != "no successor" else text.replace(old, new))
    assert re.match(r"<string>:\d+: ", str(raised.value))


def test_a_thousand_loops_are_quick_and_a_million_refused() -> None:
    loop = FOURBAR[FOURBAR.index("<loop") : FOURBAR.index("</robot>")]
    many = "".join(loop.replace('name="pin"', f'name="pin{k}"') for k in range(10_001))
    with pytest.raises(ModelError, match=r"has 10001 closures; more than 10000 are refused"):
        load_model(FOURBAR.replace(loop, many))


def test_what_a_loop_says_beside_is_told() -> None:
    model: Any = load_model(FOURBAR.replace("</loop>", '<limit lower="0"/></loop>'))
    assert '<limit> of <loop name="pin"> is left out: it is not an element of URDF' in model.notes[0]
