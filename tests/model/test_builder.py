"""Robots made in code: what is built is what was said, and each mistake is named at the call."""

from __future__ import annotations

import inspect
import time

import numpy as np
import pytest
from numpy.testing import assert_allclose

import soadyn as sd
from plain_kinematics import frame_poses, link_poses, world_inertia
from soadyn.errors import ArgumentError, ModelError
from soadyn.model.assemble import assemble
from soadyn.model.bodies import Body
from soadyn.model.builder import chain, snake
from soadyn.model.draft import Draft, DraftFrame, DraftLink, Mimic
from soadyn.model.placement import Placement
from soadyn.model.shapes import rod
from soadyn.robot.sources import Builder


def two_links() -> Builder:
    b = Builder("arm")
    b.link("upper", rod((0, 0, 0), (1, 0, 0), 2.0), axis=(0, 1, 0))
    b.link("lower", rod((0, 0, 0), (1, 0, 0), 1.0), parent="upper", axis=(0, 1, 0), origin=(1, 0, 0))
    return b


def test_a_pendulum_hangs_where_it_was_put():
    b = Builder("pendulum", gravity=(0, 0, -1.62))
    b.link("bob", Body(3.0, (0, 0, -2)), axis=(0, 2, 0), origin=(0, 0, 5), joint_name="pivot", armature=0.1, lower=-1.0)
    b.frame("tip", "bob", (0, 0, -2))
    model = b.model()
    pivot = model.joints[0]
    assert model.joint_names == ("pivot",)
    assert model.link_names == ("bob",)
    assert model.gravity == (0, 0, -1.62)
    assert (pivot.axis, pivot.armature, pivot.lower, pivot.upper) == ((0, 1, 0), (0.1,), (-1.0,), (np.inf,))
    assert_allclose(frame_poses(model, np.array([np.pi / 2]))["tip"][:3, 3], [-2, 0, 5], atol=1e-15)


def test_links_come_depth_first_in_the_order_of_the_calls():
    b = Builder("tree")
    for name, parent in (("a", None), ("b", None), ("a1", "a"), ("b1", "b"), ("a2", "a"), ("a1x", "a1")):
        b.link(name, Body(1.0), parent=parent)
    model = b.model()
    assert model.link_names == ("a", "a1", "a1x", "a2", "b", "b1")
    assert model.parents == (0, 1, 2, 1, 0, 5)


def test_fixed_links_join_their_parent():
    b = two_links()
    b.fixed("hand", Body(1.0, (0.5, 0, 0)), parent="lower", origin=(1, 0, 0))
    b.link("finger", Body(0.1), parent="hand", joint="prismatic", axis=(0, 0, 1), origin=(0, 0.1, 0))
    model = b.model()
    assert model.link_names == ("upper", "lower", "finger")
    assert model.links[1].mass == 2.0
    assert model.links[1].com == (1.0, 0, 0)
    assert model.frame("hand").placement.position == (1, 0, 0)
    assert model.joints[2].placement.position == (1, 0.1, 0)


def test_a_link_welded_to_the_ground_can_be_set_free():
    b = Builder("satellite")
    b.fixed("bus", Body(100.0, inertia=np.eye(3) * 10))
    b.link("panel", Body(1.0), parent="bus")
    assert b.model().link_names == ("panel",)
    flying = b.model(root="free")
    assert flying.link_names == ("bus", "panel")
    assert flying.joint_names == ("root", "panel_joint")
    assert flying.nq == 8


def test_every_kind_of_joint_can_be_asked_for():
    b = Builder("all")
    parent = None
    for kind in ("revolute", "continuous", "prismatic", "cylindrical", "planar", "spherical", "universal"):
        parent = b.link(kind, Body(1.0), parent, kind, damping=0.5)
    b.link("screw", Body(1.0), parent, "helical", pitch=0.01, offset=np.eye(4))
    model = b.model()
    assert model.nv == 1 + 1 + 1 + 2 + 3 + 3 + 2 + 1
    assert [len(joint.damping) for joint in model.joints] == [1, 1, 1, 2, 3, 3, 1, 1, 1]


def test_mimic_joints_are_tied():
    b = two_links()
    b.link("finger", Body(1.0), parent="lower", mimic=Mimic("lower_joint", -1.0, 0.5))
    (tie,) = b.model(mimic="tie").ties
    assert (tie.joint, tie.leader, tie.multiplier, tie.offset) == (3, 2, -1.0, 0.5)


def test_a_draft_is_not_changed_by_later_calls():
    b = two_links()
    first = b.draft()
    b.link("third", Body(1.0), parent="lower")
    assert len(first.links) == 2
    assert len(b.draft().links) == 3


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda b: b.link("upper"), "robot 'arm' has a link or frame 'upper' already"),
        (lambda b: b.link(""), "a link needs a name, got ''"),
        (lambda b: b.link("hand", parent="loer"), "link 'hand': unknown link 'loer'. Did you mean 'lower'"),
        (lambda b: b.link("hand", parent="hand"), "link 'hand': unknown link 'hand'"),
        (lambda b: b.link("hand", body=3.0), "link 'hand': body must be a Body, got float"),
        (lambda b: b.link("hand", joint="hinge"), "joint 'hand_joint': .*unknown joint kind 'hinge'"),
        (lambda b: b.link("hand", joint_name="upper_joint"), "robot 'arm' has a joint 'upper_joint' already"),
        (lambda b: b.link("hand", axis=(0, 0, 0)), "joint 'hand_joint' has axis .* must be finite and not zero"),
        (lambda b: b.link("hand", axis=(0, 1)), r"joint 'hand_joint': axis must be three finite numbers, got \(0, 1\)"),
        (lambda b: b.link("hand", origin=np.eye(3)), "joint 'hand_joint': origin must be a 4x4 homogeneous matrix"),
        (lambda b: b.link("hand", offset=2 * np.eye(4)), "joint 'hand_joint': offset must be a rigid 4x4 pose"),
        (lambda b: b.link("hand", armature=-1.0), "joint 'hand_joint' has armature -1.0; it must be zero or more"),
        (lambda b: b.link("hand", damping=np.inf), "joint 'hand_joint' has damping inf; it must be finite"),
        (lambda b: b.link("hand", lower=1.0, upper=0.0), "limits lower=1.0, upper=0.0; lower must not exceed upper"),
        (lambda b: b.link("hand", joint="planar", armature=(1, 2)), "has 2 values of armature; expected 3"),
        (lambda b: b.link("hand", joint="universal", axis=(0, 1, 0)), "universal joint needs two directions"),
        (lambda b: b.link("hand", joint="helical", pitch=np.nan), "has pitch nan; expected a finite number"),
        (lambda b: b.frame("tip", "lowr"), "frame 'tip': unknown link 'lowr'. Did you mean 'lower'"),
        (lambda b: b.frame("lower", "upper"), "robot 'arm' has a link or frame 'lower' already"),
        (lambda b: b.frame("tip", "lower", (1, 2)), "placement of frame 'tip' must be a 4x4 homogeneous matrix"),
        (
            lambda b: Builder("x", gravity=9.81),
            r"gravity of robot 'x' \(m/s\^2\) must be three finite numbers, got 9.81",
        ),
    ],
)
def test_a_mistake_is_named_at_the_call(call, words):
    b = two_links()
    with pytest.raises(ModelError, match=words):
        call(b)
    assert b.model().n == 2  # and nothing of it stays behind


def test_an_unknown_figure_is_named():
    with pytest.raises(ArgumentError, match=r"joint 'hand_joint': unknown figure 'dampng'. Did you mean 'damping'"):
        two_links().link("hand", dampng=1.0)


def test_a_frame_of_a_drafted_link_that_is_not_there_is_named():
    draft = Draft("x", [DraftLink("a")], frames=[DraftFrame("tip", "b", Placement(), "x.xml:3")])
    with pytest.raises(ModelError, match=r"x.xml:3: frame 'tip': unknown link 'b'"):
        assemble(draft)


# Chains and snakes


def test_a_straight_chain_is_one_long_rod():
    model = assemble(chain(4, length=0.5, mass=2.0))
    assert (model.n, model.nv, model.parents) == (4, 4, (0, 1, 2, 3))
    assert_allclose(frame_poses(model, np.zeros(4))["tip"][:3, 3], [2, 0, 0])
    inertia = world_inertia(model, np.zeros(4))
    assert_allclose(inertia[3], [8.0, 0, 0, 8.0])
    assert_allclose(inertia[0, 0] - 8.0, 8.0 * 2**2 / 12)  # second moment along the rod about its middle
    assert [joint.axis for joint in model.joints] == [(0, 1, 0), (0, 0, 1)] * 2


def test_a_chain_repeats_kinds_and_axes_in_turn():
    model = assemble(chain(5, kind=("revolute", "prismatic"), axes=[(0, 0, 1)]))
    assert [joint.kind for joint in model.joints] == ["revolute", "prismatic"] * 2 + ["revolute"]
    assert assemble(chain(3, kind="universal")).nv == 6
    assert assemble(chain(3, kind="spherical")).nq == 12


def test_a_chain_on_a_base_can_fly():
    model = assemble(chain(3, base=Body(10.0, inertia=np.eye(3)), gravity=(0, 0, 0)), root="free")
    assert model.link_names == ("base", "link_1", "link_2", "link_3")
    assert model.nv == 9


def test_chains_are_the_same_every_time():
    assert assemble(chain(7)) == assemble(chain(7))
    assert hash(assemble(chain(7))) == hash(assemble(chain(7)))


def test_ten_thousand_links_take_about_a_second():
    start = time.process_time()
    model = assemble(chain(10_000))
    elapsed = time.process_time() - start
    assert model.n == 10_000
    assert model.parents[-1] == 9_999
    assert elapsed < 8  # 0.8 s on two quiet cores; quadratic work would take minutes


def test_a_snake_pitches_and_yaws():
    model = assemble(snake(8), root="free")
    assert model.link_names == tuple(f"link_{k}" for k in range(8))
    assert model.nv == 6 + 7
    assert [joint.axis for joint in model.joints[1:3]] == [(0, 1, 0), (0, 0, 1)]
    q = np.concatenate([model.joints[0].behaviour.neutral(), np.zeros(7)])
    assert_allclose(frame_poses(model, q)["tip"][:3, 3], [8 * 0.15, 0, 0])
    assert_allclose(sum(link.mass for link in model.links), 4.0)
    assert assemble(snake(3)).nv == 2
    q[8] = np.pi / 2  # the second joint yaws: everything beyond it points along y
    assert_allclose(link_poses(model, q)[-1][:3, 0], [0, 1, 0], atol=1e-15)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: chain(0), "a chain needs a whole number of links, one or more, got 0"),
        (lambda: chain(2.5), "a chain needs a whole number of links, one or more, got 2.5"),
        (lambda: chain(2, kind=()), "a chain needs at least one joint kind and one axis"),
        (lambda: snake(1), "a snake needs a whole number of links, two or more, got 1"),
    ],
)
def test_chains_of_no_length_are_refused(make, words):
    with pytest.raises(ArgumentError, match=words):
        make()


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: chain(2, length=0), "a chain's link length must be a finite number, more than zero"),
        (lambda: chain(2, mass=-1), "a cylinder's mass must be a finite number, zero or more"),
        (lambda: assemble(chain(2, kind="hinge")), "joint 'joint_1': .*unknown joint kind 'hinge'"),
        (lambda: snake(3, link_length=-1), "a snake's link length must be a finite number, more than zero"),
        (
            lambda: assemble(chain(2), root="free"),
            'hangs on the ground by joints .*; root="free" needs a loose root link',
        ),
    ],
)
def test_chains_that_make_no_sense_are_refused(make, words):
    with pytest.raises(ModelError, match=words):
        make()


def test_a_builder_makes_robots():
    b = two_links()
    robot = b.robot()
    assert isinstance(robot, sd.Robot)
    assert robot.model == b.model()
    assert inspect.signature(b.robot).return_annotation == "Robot"
    satellite = Builder("satellite")
    satellite.fixed("bus", Body(100.0, inertia=np.eye(3)))
    assert satellite.robot(root="free").nv == 6
