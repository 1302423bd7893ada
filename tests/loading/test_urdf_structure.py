"""What a URDF becomes: order, folded links, defaults, our additions to the format."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose

from soadyn.loading import load_model
from soadyn.model.model import INFINITY, Model
from urdf_cases import ARM

INERTIAL = '<inertial><mass value="{}"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'


def one_joint(kind: str, inside: str = "", **options: object) -> Model:
    link = f'<link name="body">{INERTIAL.format(1)}</link>'
    joint = f'<joint name="j" type="{kind}"><parent link="base"/><child link="body"/>{inside}</joint>'
    return load_model(f'<robot name="r"><link name="base"/>{link}{joint}</robot>', **options)  # type: ignore[arg-type]


def tree(joints: list[tuple[str, str, str]]) -> Model:
    """A robot of links of 1, 2, 4, ... kg from (kind, parent, child)."""
    names = list(dict.fromkeys(name for _, parent, child in joints for name in (parent, child)))
    links = "".join(f'<link name="{name}">{INERTIAL.format(2**k)}</link>' for k, name in enumerate(sorted(names)))
    elements = "".join(
        f'<joint name="to_{child}" type="{kind}"><parent link="{parent}"/><child link="{child}"/>'
        f'<origin xyz="1 0 0"/></joint>'
        for kind, parent, child in joints
    )
    return load_model(f'<robot name="tree">{elements}{links}</robot>')


def test_links_come_depth_first_in_the_order_of_joint_elements() -> None:
    model = tree(
        [
            ("continuous", "a", "z"),
            ("continuous", "a", "b"),
            ("continuous", "b", "y"),
            ("continuous", "z", "x"),
            ("continuous", "b", "c"),
        ]
    )
    assert model.link_names == ("z", "x", "b", "y", "c")
    assert model.parents == (0, 1, 0, 3, 3)


def test_fixed_links_fold_into_frames_with_their_mass() -> None:
    model = tree(
        [
            ("continuous", "a", "b"),
            ("fixed", "b", "c"),
            ("fixed", "c", "d"),
            ("continuous", "d", "e"),
            ("fixed", "a", "f"),
        ]
    )
    assert model.link_names == ("b", "e")
    assert {frame.name: frame.link for frame in model.frames} == {"a": 0, "f": 0, "c": 1, "d": 1}
    assert model.frame("d").placement.position == (2.0, 0.0, 0.0)
    assert model.joints[1].placement.position == (3.0, 0.0, 0.0)
    assert [link.mass for link in model.links] == [2 + 4 + 8, 16]
    assert_allclose(model.links[0].com, [(4 * 1 + 8 * 2) / 14, 0, 0])


def test_the_inertial_frames_turn_is_applied() -> None:
    text = ARM.replace('rpy="0 0 0"', 'rpy="0 0 1.5707963267948966"').replace('ixx="0.1"', 'ixx="0.15"')
    assert_allclose(load_model(text).links[0].inertia, np.diag([0.1, 0.15, 0.1]), atol=1e-15)
    quaternion = ARM.replace('rpy="0 0 0"', 'quat_xyzw="0 0 1 1"').replace('ixx="0.1"', 'ixx="0.15"')
    assert_allclose(load_model(quaternion).links[0].inertia, np.diag([0.1, 0.15, 0.1]), atol=1e-15)


def test_a_link_without_inertial_has_no_mass() -> None:
    assert load_model(ARM).links[1].mass == 0


def test_the_default_axis_is_urdfs() -> None:
    assert one_joint("continuous").joints[0].axis == (1.0, 0.0, 0.0)


def test_axes_may_have_any_length() -> None:
    assert_allclose(one_joint("continuous", '<axis xyz="0 3 4"/>').joints[0].axis, (0, 0.6, 0.8))


def test_limits_and_dynamics_are_read() -> None:
    inside = (
        '<limit lower="-1" upper="2" velocity="3" effort="4"/>'
        '<dynamics damping="5" friction="6" armature="7" stiffness="8" rest="0.5"/>'
    )
    joint = one_joint("revolute", inside).joints[0]
    figures = (joint.lower, joint.upper, joint.velocity, joint.effort)
    assert figures == ((-1.0,), (2.0,), (3.0,), (4.0,))
    assert (joint.damping, joint.friction, joint.armature, joint.stiffness, joint.rest) == (
        (5.0,),
        (6.0,),
        (7.0,),
        (8.0,),
        (0.5,),
    )


def test_a_limit_of_zero_means_that_nobody_knows_it() -> None:
    joint = one_joint("revolute", '<limit lower="-1" upper="2" velocity="0" effort="0"/>').joints[0]
    assert (joint.velocity, joint.effort) == ((INFINITY,), (INFINITY,))
    joint = one_joint("planar", '<axis xyz="0 0 1"/><limit velocity="0 1 2" effort="3"/>').joints[0]
    assert (joint.velocity, joint.effort) == ((INFINITY, 1.0, 2.0), (3.0, 3.0, 3.0))


def test_without_limit_a_revolute_joint_is_unlimited_and_noted() -> None:
    model = one_joint("revolute")
    assert model.joints[0].upper == (INFINITY,)
    assert model.notes == ("<string>:1: joint 'j' has no <limit>; it is taken as unlimited",)


def test_a_limit_without_bounds_is_zero_as_urdf_says_and_noted() -> None:
    model = one_joint("prismatic", '<limit effort="1" velocity="1"/>')
    assert (model.joints[0].lower, model.joints[0].upper) == ((0.0,), (0.0,))
    assert model.notes == ("<string>:1: joint 'j' has no limit lower and upper; URDF takes it as 0",)


def test_a_continuous_joint_ignores_bounds() -> None:
    joint = one_joint("continuous", '<limit lower="3" upper="-3" effort="1" velocity="2"/>').joints[0]
    assert (joint.lower, joint.upper, joint.effort) == ((-INFINITY,), (INFINITY,), (1.0,))


@pytest.mark.parametrize(
    ("kind", "inside", "kinds"),
    [
        ("floating", '<axis xyz="0 0 0"/>', ("free",)),
        ("planar", '<axis xyz="0 0 1"/>', ("planar",)),
        ("helical", '<axis xyz="0 0 1" pitch="0.01"/>', ("helical",)),
        ("cylindrical", '<limit lower="-1 -2" upper="1 2"/>', ("cylindrical",)),
        ("spherical", '<dynamics damping="1" rest="1 0 0 0"/>', ("spherical",)),
        ("universal", '<axis xyz="1 0 0"/><axis2 xyz="0 0 1"/>', ("revolute", "revolute")),
    ],
)
def test_every_joint_type_is_read(kind: str, inside: str, kinds: tuple[str, ...]) -> None:
    model = one_joint(kind, inside)
    assert tuple(joint.kind for joint in model.joints) == kinds
    assert model.link_names == ("body",)


def test_additions_to_the_format_arrive() -> None:
    assert one_joint("helical", '<axis xyz="0 0 1" pitch="0.01"/>').joints[0].pitch == 0.01
    cylindrical = one_joint("cylindrical", '<limit lower="-1 -2" upper="1 2"/><dynamics armature="3 4"/>').joints[0]
    assert (cylindrical.lower, cylindrical.upper, cylindrical.armature) == ((-1.0, -2.0), (1.0, 2.0), (3.0, 4.0))
    first, second = one_joint("universal", '<axis xyz="1 0 0"/><axis2 xyz="0 0 1"/><dynamics damping="5 6"/>').joints
    assert (first.axis, second.axis) == ((1.0, 0.0, 0.0), (0.0, 0.0, 1.0))
    assert (first.damping, second.damping) == ((5.0,), (6.0,))


def test_a_robot_without_name_takes_its_files(tmp_path: Path) -> None:
    file = tmp_path / "crane.urdf"
    file.write_text(ARM.replace(' name="arm"', ""))
    model = load_model(file)
    assert model.name == "crane"
    assert "crane.urdf:1: <robot> has no name; it is called 'crane' after its file" in model.notes[0]


def test_what_does_not_bear_on_dynamics_is_skipped() -> None:
    extras = '<gazebo><plugin name="x" filename="y"/></gazebo><transmission><joint name="elbow"/></transmission>'
    extras += '<material name="red"/><sensor name="s" type="t"/><ros2_control><joint name="shoulder"/></ros2_control>'
    assert load_model(ARM.replace("</robot>", extras + "</robot>")) == load_model(ARM)


def test_a_free_root_makes_the_root_link_move() -> None:
    model = load_model(ARM, root="free")
    assert model.link_names == ("base", "upper", "lower")
    assert model.joint_names == ("root", "shoulder", "elbow")
    assert model.joints[0].kind == "free"
