"""Locked joints: every frame stays in place, no mass is lost, ties stay true."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from plain_kinematics import frame_poses, link_poses, world_inertia
from random_robots import random_q
from soadyn.errors import ArgumentError, ModelError, ShapeError, UnknownNameError
from soadyn.model.assemble import assemble
from soadyn.model.bodies import Body
from soadyn.model.builder import chain
from soadyn.model.draft import Mimic
from soadyn.model.motion import configuration, moved_by, neutral
from soadyn.model.surgery import lock, split_joint
from soadyn.robot.sources import Builder
from surgical import SEEDS, assert_sound, coordinates, fingers, gathered, robot


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("given", ["configuration", "mapping"])
def test_locking_keeps_every_frame_and_all_mass_in_place(seed, given):
    rng, model, q = robot(seed)
    first = model.joint_names[0]
    names = [name for name in model.joint_names if name != first and rng.random() < 0.5]
    if given == "mapping":
        places = {name: [model.q_slices[k - 1] for k in model.joint_indices[name]] for name in names}
        values = {name: np.concatenate([q[place] for place in places[name]]) for name in names}
        stiff = lock(model, names, values)
    else:
        stiff = lock(model, names, q)
    assert_sound(stiff)
    assert stiff.joint_names == tuple(name for name in model.joint_names if name not in names)
    assert set(stiff.frame_index) == set(model.frame_index)
    rest = gathered(stiff, coordinates(model, q))
    before, after = frame_poses(model, q), frame_poses(stiff, rest)
    for name in before:
        assert_allclose(after[name], before[name], atol=1e-12)
    welded_to_ground = any(frame.link == 0 and frame.name in model.link_names for frame in stiff.frames)
    if not welded_to_ground:
        assert_allclose(world_inertia(stiff, rest), world_inertia(model, q), atol=1e-11)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_locked_robot_moves_as_the_old_one_with_those_joints_still(seed):
    rng, model, q = robot(seed)
    names = [name for name in model.joint_names if rng.random() < 0.4]
    still = {link.name for link, joint in zip(model.links, model.joints, strict=True) if joint.name in names}
    stiff = lock(model, names, q)
    other = coordinates(model, random_q(rng, model))
    other.update({name: share for name, share in coordinates(model, q).items() if name in still})
    before, after = frame_poses(model, gathered(model, other)), frame_poses(stiff, gathered(stiff, other))
    for name in before:
        assert_allclose(after[name], before[name], atol=1e-12)


def test_locking_one_by_one_is_locking_at_once():
    _, model, q = robot(3)
    a, b = model.joint_names[2], model.joint_names[5]
    values = {n: np.concatenate([q[model.q_slices[k - 1]] for k in model.joint_indices[n]]) for n in (a, b)}
    at_once, in_turn = lock(model, [a, b], values), lock(lock(model, a, values), b, values)
    assert at_once.joint_names == in_turn.joint_names
    assert at_once.link_names == in_turn.link_names
    rest = gathered(at_once, coordinates(model, q))
    assert_allclose(world_inertia(at_once, rest), world_inertia(in_turn, rest), atol=1e-12)


def test_locking_all_joints_leaves_frames_on_the_ground():
    _, model, q = robot(4)
    statue = lock(model, model.joint_names, q)
    assert statue.n == 0
    assert statue.nv == 0
    assert set(statue.frame_index) == set(model.frame_index)
    for name, pose in frame_poses(statue, np.zeros(0)).items():
        assert_allclose(pose, frame_poses(model, q)[name], atol=1e-12)


def test_locking_the_outer_half_of_a_universal_joint_keeps_the_link_visible():
    b = Builder("cardan")
    b.link("shaft", Body(1.0, (0, 0, 1)), joint="universal", axis=(1, 0, 0), axis2=(0, 1, 0), offset=(0, 0, 0.5))
    b.frame("tip", "shaft", (0, 0, 2))
    b.link("wheel", Body(1.0), parent="shaft", origin=(0, 0, 1))
    model = split_joint(b.model(), "shaft_joint")
    half = lock(model, "shaft_joint/second", {"shaft_joint/second": 0.3})
    assert_sound(half)
    assert half.link_names == ("shaft", "wheel")
    assert half.joint_names == ("shaft_joint/first", "wheel_joint")
    before, after = frame_poses(model, np.array([0.7, 0.3, 0.1])), frame_poses(half, np.array([0.7, 0.1]))
    assert before.keys() == after.keys()
    for name in before:
        assert_allclose(after[name], before[name], atol=1e-14)


def test_a_follower_is_locked_with_its_leader():
    stiff = lock(fingers(), ["left_joint"], {"left_joint": 0.5})
    assert stiff.joint_names == ("thumb_joint",)
    assert stiff.ties == ()
    assert_allclose(stiff.frame("right").placement.position, [0, 0, -0.9])


def test_ties_follow_their_joints_when_others_are_locked():
    b = Builder("arm")
    b.link("upper", Body(1.0))
    b.link("left", Body(1.0), parent="upper", joint="prismatic")
    b.link("right", Body(1.0), parent="upper", joint="prismatic", mimic=Mimic("left_joint", -2.0))
    stiff = lock(b.model(mimic="tie"), "upper_joint", {"upper_joint": 0.0})
    assert [(tie.joint, tie.leader, tie.multiplier) for tie in stiff.ties] == [(2, 1, -2.0)]


@pytest.mark.parametrize(
    ("error", "names", "q", "words"),
    [
        (
            UnknownNameError,
            ["joint_7"],
            np.zeros(2),
            "unknown joint 'joint_7' of robot 'chain_2'. Did you mean 'joint_",
        ),
        (ShapeError, ["joint_1"], np.zeros(3), r"q of robot 'chain_2' must have shape \(2,\), got \(3,\)"),
        (ShapeError, ["joint_1"], "high", "q of robot 'chain_2' must be 2 numbers, got 'high'"),
        (ShapeError, ["joint_1"], {"joint_1": [1, 2]}, r"joint 'joint_1' has 1 coordinates, got \[1.0, 2.0\]"),
        (ArgumentError, ["joint_1"], {"joint_2": 1}, "no value is given for the joint 'joint_1'; q has 'joint_2'"),
        (ModelError, ["joint_1"], {"joint_1": np.nan}, r"joint 'joint_1' cannot be placed at \[nan\]: not finite"),
        (ModelError, ["joint_1"], [np.inf, 0], "joint 'joint_1' cannot be placed at .*: not finite"),
    ],
)
def test_locking_at_nonsense_is_refused_in_words(error, names, q, words):
    with pytest.raises(error, match=words):
        lock(assemble(chain(2)), names, q)


def test_locking_refuses_vanishing_quaternions_and_lone_followers():
    with pytest.raises(ModelError, match=r"joint 'joint_1' cannot be placed at .*: its quaternion vanishes"):
        lock(assemble(chain(1, kind="spherical")), "joint_1", {"joint_1": np.zeros(4)})
    with pytest.raises(ModelError, match="'right_joint' follows 'left_joint' and cannot be locked alone; lock 'left_"):
        lock(fingers(), "right_joint", {"right_joint": 0.0})


@pytest.mark.parametrize("seed", SEEDS)
def test_a_joint_puts_its_link_where_the_definition_says(seed):
    _, model, q = robot(seed)
    poses = link_poses(model, q)
    for k, (joint, place) in enumerate(zip(model.joints, model.q_slices, strict=True), start=1):
        assert_allclose(poses[model.parents[k - 1]] @ moved_by(joint, q[place]).matrix(), poses[k], atol=1e-12)


def test_the_neutral_configuration_moves_nothing():
    _, model, _ = robot(1)
    assert_allclose(configuration(model, None), neutral(model))
    for joint, place in zip(model.joints, model.q_slices, strict=True):
        still = joint.placement.then(joint.offset)
        assert_allclose(moved_by(joint, neutral(model)[place]).matrix(), still.matrix(), atol=1e-15)
