"""Denavit-Hartenberg robots against products of the textbook matrices."""

from __future__ import annotations

import numpy as np
import pytest
from numpy import cos, sin
from numpy.testing import assert_allclose

import soadyn as sd
from plain_kinematics import frame_poses, link_poses
from soadyn.errors import ArgumentError, ModelError, ModelWarning
from soadyn.model.assemble import assemble
from soadyn.model.bodies import Body
from soadyn.model.dh import from_dh

KINDS = ("revolute", "prismatic", "continuous")


def standard(a, alpha, d, theta):
    return np.array(
        [
            [cos(theta), -sin(theta) * cos(alpha), sin(theta) * sin(alpha), a * cos(theta)],
            [sin(theta), cos(theta) * cos(alpha), -cos(theta) * sin(alpha), a * sin(theta)],
            [0, sin(alpha), cos(alpha), d],
            [0, 0, 0, 1],
        ]
    )


def modified(a, alpha, d, theta):
    return np.array(
        [
            [cos(theta), -sin(theta), 0, a],
            [sin(theta) * cos(alpha), cos(theta) * cos(alpha), -sin(alpha), -d * sin(alpha)],
            [sin(theta) * sin(alpha), cos(theta) * sin(alpha), cos(alpha), d * cos(alpha)],
            [0, 0, 0, 1],
        ]
    )


@pytest.mark.parametrize(("convention", "step"), [("standard", standard), ("modified", modified)])
@pytest.mark.parametrize("seed", range(10))
def test_link_frames_are_the_frames_of_the_table(convention, step, seed):
    rng = np.random.default_rng(seed)
    rows = [(*rng.uniform(-1.5, 1.5, 4), KINDS[rng.integers(3)]) for _ in range(6)]
    model = assemble(from_dh(rows, convention, bodies=[Body(1.0)] * 6))
    for q in (np.zeros(6), rng.uniform(-2, 2, 6)):
        expected = np.eye(4)
        poses = link_poses(model, q)
        for k, ((a, alpha, d, theta, kind), x) in enumerate(zip(rows, q, strict=True), start=1):
            slides = kind == "prismatic"
            expected = expected @ step(a, alpha, d + x * slides, theta + x * (not slides))
            assert_allclose(poses[k], expected, atol=1e-13)


def test_the_puma_reaches_where_the_textbook_says():
    """Standard table of the PUMA 560 (a2 = 0.4318, a3 = 0.0203, d3 = 0.15005, d4 = 0.4318) at q = 0."""
    turn = np.pi / 2
    rows = [(0, turn, 0, 0), (0.4318, 0, 0, 0), (0.0203, -turn, 0.15005, 0)]
    rows += [(0, turn, 0.4318, 0), (0, -turn, 0, 0), (0, 0, 0, 0)]
    model = assemble(from_dh(rows, name="puma", tool=(0, 0, 0.1)))
    poses = frame_poses(model, np.zeros(6))
    assert_allclose(poses["link_6"][:3, 3], [0.4521, -0.15005, 0.4318], atol=1e-15)
    assert_allclose(poses["tool"][:3, 3], [0.4521, -0.15005, 0.5318], atol=1e-15)


def test_base_and_bodies_and_names_and_figures_arrive():
    row = {"a": 0.5, "lower": -1.0, "upper": 2.0, "armature": 0.1, "joint_name": "shoulder", "link_name": "arm"}
    model = assemble(from_dh([row, (0.4, 0, 0, 0, "prismatic")], bodies=[Body(2.0, (1, 0, 0)), None], base=(0, 0, 1)))
    shoulder = model.joints[0]
    assert model.joint_names == ("shoulder", "joint_2")
    assert model.link_names == ("arm", "link_2")
    assert (shoulder.lower, shoulder.upper, shoulder.armature) == ((-1.0,), (2.0,), (0.1,))
    assert shoulder.placement.position == (0, 0, 1)
    assert shoulder.offset.position == (0.5, 0, 0)
    assert [(link.mass, link.com) for link in model.links] == [(2.0, (1, 0, 0)), (0.0, (0, 0, 0))]


def test_a_fixed_row_is_folded_into_the_link_before():
    rows = [(0.5, 0.3, 0.1, 0.2), (0.4, 0.2, 0.3, 0.1, "fixed")]
    model = assemble(from_dh(rows))
    assert model.n == 1
    expected = standard(0.5, 0.3, 0.1, 0.2 + 0.7) @ standard(0.4, 0.2, 0.3, 0.1)
    assert_allclose(frame_poses(model, np.array([0.7]))["link_2"], expected, atol=1e-15)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"rows": []}, "a DH table needs at least one row"),
        ({"rows": [(1, 2, 3)]}, r"DH row 1 must be \(a, alpha, d, theta\), .* got \(1, 2, 3\)"),
        ({"rows": ["abcd"]}, "DH row 1 must be"),
        ({"rows": [7]}, "DH row 1 must be .* got 7"),
        ({"rows": [(0, 0, 0, 0), (0, 0, np.nan, 0)]}, r"DH row 2: d must be a finite number \(m or rad\), got nan"),
        ({"rows": [(0, "x", 0, 0)]}, "DH row 1: alpha must be a finite number .* got 'x'"),
        ({"rows": [(0, 0, 0, 0, "prism")]}, "DH row 1: unknown joint kind 'prism'. Did you mean 'prismatic'"),
        ({"rows": [(0, 0, 0, 0, "planar")]}, "DH row 1: unknown joint kind 'planar'"),
        ({"rows": [{"alfa": 1}]}, "DH row 1: unknown entry 'alfa'. Did you mean 'alpha'"),
        ({"rows": [(0, 0, 0, 0)], "bodies": []}, "a DH table of 1 rows needs as many bodies, got 0"),
        ({"rows": [{"armature": -1.0}]}, "joint 'joint_1' has armature -1.0; it must be zero or more"),
    ],
)
def test_bad_tables_are_refused_in_words(arguments, words):
    with pytest.raises(ModelError, match=words):
        from_dh(**arguments)


def test_an_unknown_convention_is_refused():
    with pytest.raises(ArgumentError, match='convention is "standard" or "modified", got \'craig\''):
        from_dh([(0, 0, 0, 0)], convention="craig")


def test_a_table_in_degrees_is_the_same_robot():
    rows = [(0.5, 90, 0.1, -180), (0.4, -45, 0, 30)]
    radians = [(a, np.deg2rad(alpha), d, np.deg2rad(theta)) for a, alpha, d, theta in rows]
    assert assemble(from_dh(rows, degrees=True)) == assemble(from_dh(radians))


@pytest.mark.parametrize(
    ("row", "key"), [((0, 90, 0, 0), "alpha"), ((0, 0, 0, -180.0), "theta"), ((1, 7, 2, 3), "alpha")]
)
def test_angles_that_look_like_degrees_are_warned_of(row, key):
    with pytest.warns(ModelWarning, match=f"DH row 2: {key} is .* rad, more than a full turn; .* give degrees=True"):
        from_dh([(0.5, 0, 0, 0), row, row])


def test_nobody_warns_of_a_full_turn_of_long_links_or_of_degrees(recwarn):
    from_dh([(100.0, 2 * np.pi, -50.0, -2 * np.pi)])
    from_dh([(0.5, 90, 0.1, 180)], degrees=True)
    assert not recwarn.list


def test_a_robot_of_a_table_can_float():
    rows = [(0.5, 0, 0, 0), (0.4, 0, 0, 0)]
    bodies = [Body(1.0, inertia=np.eye(3)), Body(1.0)]
    base = Body(10.0, inertia=np.eye(3))
    floating = sd.from_dh(rows, bodies=bodies, root="free", base_body=base)
    fixed = sd.from_dh(rows, bodies=bodies, base=(0, 0, 1), base_body=base)
    assert floating.joint_names == ("root", "joint_1", "joint_2")
    assert floating.link_names == ("base", "link_1", "link_2")
    assert fixed.model.frame("base").placement.position == (0, 0, 1)
    assert_allclose(floating.mass_matrix(floating.neutral())[6:, 6:], fixed.mass_matrix(np.zeros(2)), atol=1e-14)
    with pytest.raises(ArgumentError, match=r'from_dh\(root="free"\) needs the body of the root link; give base_body='):
        sd.from_dh(rows, root="free")
