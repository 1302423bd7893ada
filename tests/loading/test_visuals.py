"""Shapes of links: read from URDF, carried along by surgery, never a reason to refuse a robot."""

from __future__ import annotations

from pathlib import Path

import pytest

import soadyn as sd

URDF = """<robot name="arm">
  <material name="red"><color rgba="1 0 0 1"/></material>
  <link name="base"><visual><geometry><box size="1 2 3"/></geometry></visual></link>
  <link name="upper">
    <inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
    <visual><origin xyz="0 0 1"/><geometry><cylinder radius="0.1" length="2"/></geometry><material name="red"/></visual>
    <visual><geometry><mesh filename="parts/upper.stl" scale="2 2 2"/></geometry></visual>
  </link>
  <link name="tip"><visual><geometry><sphere radius="0.2"/></geometry></visual></link>
  <joint name="shoulder" type="revolute"><parent link="base"/><child link="upper"/><axis xyz="0 1 0"/>
    <limit lower="-1" upper="1" effort="1" velocity="1"/></joint>
  <joint name="end" type="fixed"><parent link="upper"/><child link="tip"/><origin xyz="0 0 2"/></joint>
</robot>
"""


@pytest.fixture
def arm(tmp_path: Path) -> sd.Robot:
    (tmp_path / "arm.urdf").write_text(URDF)
    return sd.load(tmp_path / "arm.urdf")


def test_shapes_are_read_with_place_size_and_colour(arm: sd.Robot) -> None:
    box, cylinder, mesh, sphere = arm.model.visuals
    assert (box.frame, box.kind, box.size, box.colour) == ("base", "box", (1.0, 2.0, 3.0), None)
    assert (cylinder.kind, cylinder.size) == ("cylinder", (0.1, 0.1, 2.0))
    assert cylinder.placement.position == (0.0, 0.0, 1.0)
    assert cylinder.colour == (1.0, 0.0, 0.0, 1.0)
    assert mesh.mesh is not None
    assert (mesh.mesh.uri, mesh.size) == ("parts/upper.stl", (2.0, 2.0, 2.0))
    assert (sphere.frame, sphere.size) == ("tip", (0.2, 0.2, 0.2))


def test_a_mesh_in_xml_text_has_no_folder_to_be_looked_for_in() -> None:
    assert [visual.mesh for visual in sd.load(URDF).model.visuals] == [None] * 4


@pytest.mark.parametrize(
    ("good", "bad", "words"),
    [
        ('<box size="1 2 3"/>', '<box size="1 2"/>', "size"),
        ('<sphere radius="0.2"/>', '<sphere radius="nan"/>', "radius"),
        ('<sphere radius="0.2"/>', '<teapot radius="1"/>', "<teapot>"),
        ('<sphere radius="0.2"/>', "", "0 shapes"),
    ],
)
def test_a_bad_shape_is_noted_and_left_out(good: str, bad: str, words: str) -> None:
    robot = sd.load(URDF.replace(good, bad))
    assert len(robot.model.visuals) == 3
    (note,) = robot.notes
    assert words in note
    assert note.endswith("(not shown)")


def test_shapes_do_not_make_robots_differ(arm: sd.Robot) -> None:
    start, end = URDF.index("    <visual><origin"), URDF.index('  </link>\n  <link name="tip"')
    bare = sd.load(URDF[:start] + URDF[end:])
    assert bare == arm
    assert hash(bare) == hash(arm)


def test_shapes_follow_their_links_through_surgery(arm: sd.Robot) -> None:
    assert [visual.frame for visual in arm.subtree("upper").model.visuals] == ["upper", "upper", "tip"]
    both = arm.attach(arm, "tip", name_prefix="two_")
    assert [visual.frame for visual in both.model.visuals[4:]] == ["two_base", "two_upper", "two_upper", "two_tip"]
    for robot in (both, arm.lock(["shoulder"], [0.3]), arm.with_payload("tip", 1.0)):
        assert all(visual.frame in robot.frame_names for visual in robot.model.visuals)
