"""Gravity, payloads, parts of robots and robots on robots: nothing moves that should not, no mass is lost."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from plain_kinematics import frame_poses, link_poses, world_inertia
from random_robots import random_body, random_model, random_q
from soadyn.errors import ArgumentError, ModelError, UnknownNameError
from soadyn.model.assemble import assemble
from soadyn.model.bodies import Body
from soadyn.model.builder import chain
from soadyn.model.draft import Mimic
from soadyn.model.surgery import attach, lock, subtree, with_gravity, with_payload
from soadyn.robot.sources import Builder
from surgical import SEEDS, assert_sound, coordinates, fingers, gathered, robot


def test_gravity_is_replaced_and_nothing_else():
    _, model, _ = robot(0)
    moon = with_gravity(model, [0, 0, -1.62])
    assert moon.gravity == (0, 0, -1.62)
    assert with_gravity(moon, model.gravity) == model
    with pytest.raises(ModelError, match=r"gravity of robot 'random robot' \(m/s\^2\) must be three finite numbers"):
        with_gravity(model, 9.81)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_payload_adds_its_mass_where_the_frame_is(seed):
    rng, model, q = robot(seed)
    load = random_body(rng)
    name = str(rng.choice([n for n, frame in model.frame_index.items() if frame.link]))
    loaded = with_payload(model, name, load.mass, load.com, load.inertia)
    alone = Body(load.mass, load.com, load.inertia).moved(frame_poses(model, q)[name])
    added = world_inertia(loaded, q) - world_inertia(model, q)
    c, J = np.array(alone.com), np.array(alone.inertia)
    assert_allclose(added[3, 3], alone.mass)
    assert_allclose(added[:3, 3], alone.mass * c, atol=1e-12)
    assert_allclose(added[:3, :3], np.trace(J) / 2 * np.eye(3) - J + alone.mass * np.outer(c, c), atol=1e-11)
    assert (loaded.joints, loaded.frames, loaded.parents) == (model.joints, model.frames, model.parents)


def test_a_payload_needs_something_that_moves_and_a_mass():
    model = assemble(chain(2))
    with pytest.raises(
        ModelError, match="a payload on 'ground' would change nothing: that frame is fixed in the ground"
    ):
        with_payload(model, "ground", 1.0)
    with pytest.raises(UnknownNameError, match=r"unknown frame 'tipp' of robot 'chain_2'. Did you mean 'tip'"):
        with_payload(model, "tipp", 1.0)
    with pytest.raises(ModelError, match="a body's mass must be a finite number, zero or more"):
        with_payload(model, "tip", -1.0)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_reduced_manipulator_is_the_robot_seen_from_the_inboard_hinge_frame(seed):
    rng, model, q = robot(seed)
    name = str(rng.choice(model.link_names))
    part = subtree(model, name, q)
    assert_sound(part)
    first = model.frame(name).link
    while first > 1 and model.links[model.parents[first - 1] - 1].hidden:
        first = model.parents[first - 1]
    hinge = link_poses(model, q)[model.parents[first - 1]] @ model.joints[first - 1].placement.matrix()
    whole, reduced = frame_poses(model, q), frame_poses(part, gathered(part, coordinates(model, q)))
    for key in reduced:
        if key != "ground":
            assert_allclose(hinge @ reduced[key], whole[key], atol=1e-12)
    assert_allclose(hinge[:3, :3] @ part.gravity, model.gravity, atol=1e-12)
    assert part.joints[0].placement == type(part.joints[0].placement)()
    assert part.links == model.links[first - 1 : model.subtree_end[first] - 1]


@pytest.mark.parametrize("seed", SEEDS)
def test_the_reduced_manipulator_is_the_robot_with_all_inboard_hinges_locked(seed):
    """000 section 2: A_k can be regarded as the original with all the hinges inboard of link k locked."""
    rng, model, q = robot(seed, shape="serial")
    name = str(rng.choice(model.link_names[1:]))
    part = subtree(model, name, q)
    stiff = lock(model, [joint for joint in model.joint_names if joint not in part.joint_names], q)
    assert stiff.joint_names == part.joint_names
    assert stiff.links == part.links
    assert [j.armature for j in stiff.joints] == [j.armature for j in part.joints]


def test_the_whole_of_a_chain_is_its_own_reduced_manipulator():
    model = assemble(chain(4))
    assert subtree(model, "link_1") == model
    assert subtree(model, "link_4").n == 1


def test_ties_inside_the_subtree_stay_and_ties_across_are_refused():
    b = Builder("arm")
    b.link("upper", Body(1.0))
    b.link("hand", Body(1.0), parent="upper")
    b.link("left", Body(1.0), parent="hand", joint="prismatic")
    b.link("right", Body(1.0), parent="hand", joint="prismatic", mimic=Mimic("left_joint"))
    model = b.model(mimic="tie")
    assert [(tie.joint, tie.leader) for tie in subtree(model, "hand").ties] == [(3, 2)]
    assert subtree(model, "left").ties == ()
    with pytest.raises(ModelError, match="'right_joint' follows 'left_joint', which is not in the subtree of 'right'"):
        subtree(model, "right")


def test_subtrees_need_a_moving_link():
    b = Builder("arm")
    b.link("upper", Body(1.0))
    b.fixed("hand", Body(1.0), parent="upper")
    with pytest.raises(ModelError, match="'hand' is a frame of link 'upper', not a moving link itself"):
        subtree(b.model(), "hand")
    with pytest.raises(UnknownNameError, match=r"unknown moving link 'uper' of robot 'arm'. Did you mean 'upper'"):
        subtree(b.model(), "uper")
    with pytest.raises(UnknownNameError, match="unknown moving link 'ground' of robot 'arm'"):
        subtree(b.model(), "ground")


@pytest.mark.parametrize("seed", SEEDS)
def test_an_attached_robot_stands_on_the_frame(seed):
    rng, model, q = robot(seed)
    tool = random_model(rng, 4, root=("free", "fixed")[seed // 2 % 2], armature=True)
    q_tool = random_q(rng, tool)
    name = str(rng.choice(list(model.frame_index)))
    both = attach(model, tool, name, name_prefix="tool_")
    assert_sound(both)
    assert (both.n, both.nv, both.gravity) == (model.n + tool.n, model.nv + tool.nv, model.gravity)
    shares = coordinates(model, q) | {f"tool_{key}": share for key, share in coordinates(tool, q_tool).items()}
    whole, arm, hand = frame_poses(both, gathered(both, shares)), frame_poses(model, q), frame_poses(tool, q_tool)
    for key in arm:
        assert_allclose(whole[key], arm[key], atol=1e-12)
    for key in hand.keys() - {"ground"}:
        assert_allclose(whole[f"tool_{key}"], arm[name] @ hand[key], atol=1e-12)
    assert_allclose(sum(link.mass for link in both.links), sum(link.mass for link in (*model.links, *tool.links)))


@pytest.mark.parametrize("seed", SEEDS)
def test_taking_off_what_was_attached_gives_it_back(seed):
    rng, model, _ = robot(seed)
    tool = random_model(rng, 3, shape="serial", root="free", fixed_links=0.0)
    both = attach(model, tool, model.link_names[-1], name_prefix="tool_")
    again = subtree(both, "tool_base")
    assert again.links == tuple(
        type(link)(f"tool_{link.name}", link.mass, link.com, link.inertia, link.hidden) for link in tool.links
    )
    assert again.parents == tool.parents


def test_a_tool_with_a_heavy_base_keeps_its_mass_when_welded():
    b = Builder("gripper")
    b.fixed("palm", Body(0.7, (0, 0, 0.05)))
    b.link("finger", Body(0.1), parent="palm", joint="prismatic")
    arm = assemble(chain(2))
    light = attach(arm, b.model(), "tip")
    heavy = attach(arm, b.model(root="free"), "tip", weld=True)
    assert_sound(heavy)
    assert light.joint_names == heavy.joint_names == ("joint_1", "joint_2", "finger_joint")
    assert_allclose([sum(link.mass for link in m.links) for m in (light, heavy)], [2.1, 2.8])
    q = np.array([0.1, 0.2, 0.3])
    assert_allclose(frame_poses(light, q)["finger"], frame_poses(heavy, q)["finger"], atol=1e-14)


def test_two_free_robots_share_a_world():
    flyer = assemble(chain(2, base=Body(1.0, inertia=np.eye(3))), root="free")
    pair = attach(flyer, flyer, "ground", name_prefix="second_")
    assert_sound(pair)
    assert pair.joint_names[3] == "second_root"
    assert pair.parents[3] == 0


def test_ties_of_both_robots_survive_an_attachment():
    both = attach(fingers(), fingers(), "left", name_prefix="b_")
    assert_sound(both)
    names = [(both.joints[tie.joint - 1].name, both.joints[tie.leader - 1].name) for tie in both.ties]
    assert names == [("right_joint", "left_joint"), ("b_right_joint", "b_left_joint")]


def test_clashing_names_are_listed():
    a, other = assemble(chain(2)), assemble(chain(1))
    with pytest.raises(
        ModelError,
        match="cannot attach 'chain_1' to 'chain_2': both have a link or frame named 'link_1', 'tip'; give a name_",
    ):
        attach(a, other, "tip")
    once = attach(a, other, "tip", "x_")
    with pytest.raises(ModelError, match="named 'x_link_1', 'x_tip'; give another name_prefix"):
        attach(once, other, "tip", "x_")
    b = Builder("knob")
    b.link("knob", Body(1.0), joint_name="joint_1")
    with pytest.raises(ModelError, match="both have a joint named 'joint_1'"):
        attach(a, b.model(), "tip")
    with pytest.raises(UnknownNameError, match="unknown frame 'flange' of robot 'chain_2'"):
        attach(a, other, "flange")
    with pytest.raises(
        ArgumentError, match="robot 'chain_1' has no free root joint to weld; load it with root=\"free\""
    ):
        attach(a, other, "tip", "x_", weld=True)


def test_frames_of_the_other_ground_stand_on_the_frame_too():
    b = Builder("tool")
    b.frame("stand", None, (0, 0, 1))
    b.link("knife", Body(1.0))
    model, q = assemble(chain(2)), np.array([0.4, -0.3, 0.2])
    both = attach(model, b.model(), "tip")
    poses = frame_poses(both, q)
    assert both.frame("stand").link == 2
    assert_allclose(poses["stand"][:3, 3], poses["tip"][:3, 3] + poses["tip"][:3, 2], atol=1e-15)
