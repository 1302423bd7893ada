"""Joints taken apart: the same motion with more links."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from plain_kinematics import frame_poses, link_poses, screw, world_inertia
from random_robots import random_placement
from soadyn.errors import ModelError, UnknownNameError
from soadyn.model.assemble import assemble
from soadyn.model.bodies import Body
from soadyn.model.builder import chain
from soadyn.model.draft import Mimic
from soadyn.model.surgery import split_joint
from soadyn.robot.sources import Builder
from surgical import SEEDS, assert_sound, robot


@pytest.mark.parametrize("seed", SEEDS)
def test_splitting_joints_with_plain_coordinates_changes_no_coordinate(seed):
    _, model, q = robot(seed, kinds=("cylindrical", "planar", "universal", "revolute"))
    split = model
    for name in model.joint_names:
        kinds = [model.joints[k - 1].kind for k in model.joint_indices[name]]
        if len(kinds) > 1 or kinds[0] in ("cylindrical", "planar"):
            split = split_joint(split, name)
    assert_sound(split)
    assert split.nv == model.nv
    assert split.link_names == model.link_names
    assert split.n > model.n
    assert sum((j.armature for j in split.joints), ()) == sum((j.armature for j in model.joints), ())
    assert all(j.behaviour.nv == 1 or j.kind == "free" for j in split.joints)
    before, after = frame_poses(model, q), frame_poses(split, q)
    for name in before:
        assert_allclose(after[name], before[name], atol=1e-12)
    assert_allclose(world_inertia(split, q), world_inertia(model, q), atol=1e-11)


@pytest.mark.parametrize("seed", SEEDS)
def test_splitting_a_ball_gives_three_angles(seed):
    rng = np.random.default_rng(seed)
    b = Builder("ball")
    b.link("a", Body(1.0), origin=random_placement(rng))
    b.link("b", Body(1.0), "a", "spherical", origin=random_placement(rng), offset=random_placement(rng))
    b.link("c", Body(1.0), "b", origin=random_placement(rng))
    split = split_joint(b.model(), "b_joint")
    assert_sound(split)
    assert split.joint_names == ("a_joint", "b_joint/rx", "b_joint/ry", "b_joint/rz", "c_joint")
    angles = rng.uniform(-3, 3, 3)
    turned = [screw(axis, angle) for axis, angle in zip(np.eye(3), angles, strict=True)]
    ball = b.model().joints[1]
    expected = ball.placement.matrix() @ turned[0] @ turned[1] @ turned[2] @ ball.offset.matrix()
    assert_allclose(
        link_poses(split, np.array([0, *angles, 0]))[4], split.joints[0].placement.matrix() @ expected, atol=1e-14
    )


def test_splitting_a_free_joint_gives_a_position_and_three_angles():
    model = assemble(chain(1, base=Body(1.0, inertia=np.eye(3))), root="free")
    split = split_joint(model, "root")
    assert_sound(split)
    assert split.joint_names == ("root/x", "root/y", "root/z", "root/rx", "root/ry", "root/rz", "joint_1")
    assert split.link_names == model.link_names
    assert split.nq == 7
    pose = frame_poses(split, np.array([1.0, 2.0, 3.0, 0.1, 0.2, 0.3, 0]))["base"]
    assert_allclose(pose[:3, 3], [1, 2, 3])
    expected = screw((1, 0, 0), 0.1) @ screw((0, 1, 0), 0.2) @ screw((0, 0, 1), 0.3)
    assert_allclose(pose[:3, :3], expected[:3, :3], atol=1e-15)


def test_figures_and_ties_and_frames_go_with_a_split_joint():
    b = Builder("arm")
    b.link(
        "slide",
        Body(1.0),
        joint="cylindrical",
        armature=(1.0, 2.0),
        damping=(3.0, 4.0),
        lower=(-1.0, -2.0),
        rest=(0.1, 0.2),
    )
    b.frame("tip", "slide", (1, 0, 0))
    b.link("left", Body(1.0), parent="slide", joint="prismatic")
    b.link("right", Body(1.0), parent="slide", joint="prismatic", mimic=Mimic("left_joint"))
    split = split_joint(b.model(mimic="tie"), "slide_joint")
    angle, slide = split.joints[:2]
    assert (angle.armature, angle.damping, angle.lower, angle.rest) == ((1.0,), (3.0,), (-1.0,), (0.1,))
    assert (slide.armature, slide.damping, slide.lower, slide.rest) == ((2.0,), (4.0,), (-2.0,), (0.2,))
    assert [(tie.joint, tie.leader) for tie in split.ties] == [(4, 3)]
    assert split.frame("tip").link == 2
    assert split.links[0].hidden
    assert not split.links[1].hidden


def test_what_cannot_be_split_is_named():
    with pytest.raises(
        ModelError, match="joint 'joint_1' is revolute: it has one degree of freedom and cannot be split"
    ):
        split_joint(assemble(chain(1)), "joint_1")
    with pytest.raises(UnknownNameError, match="unknown joint 'joint' of robot 'chain_1'"):
        split_joint(assemble(chain(1)), "joint")
    b = Builder("ball")
    b.link("ball", Body(1.0), joint="spherical", armature=0.1)
    with pytest.raises(
        ModelError, match=r"'ball_joint' is spherical and has armature .* acts along the link's axes and not"
    ):
        split_joint(b.model(), "ball_joint")
    b = Builder("taken")
    b.link("a", Body(1.0), joint="cylindrical")
    b.link("a_joint/angle", Body(1.0))
    with pytest.raises(ModelError, match="robot 'taken' has a joint, link or frame named 'a_joint/angle' already"):
        split_joint(b.model(), "a_joint")
