"""What an SDF file says becomes the robot that it draws: poses, axes, figures, frames, trees out of graphs."""

from __future__ import annotations

import itertools
import math
import warnings
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

import soadyn as sd
from sdf_models import ARM, FOURBAR, GEARED, INERTIAL, NESTED, joint, link, sdf
from sdf_peer import pose_matrix
from soadyn.errors import ModelWarning


def load(text: str, **options: Any) -> sd.Robot:
    return sd.load(text, **options)


def drawn(robot: sd.Robot, frame: str) -> np.ndarray:
    """The pose of a frame of a robot that is as its file draws it."""
    return robot.pose(robot.neutral(), frame)


def turned(pose: np.ndarray, axis: Any, angle: float) -> np.ndarray:
    """A frame turned about one of its own directions."""
    n = np.array(axis) / np.linalg.norm(axis)
    K = np.array([[0, -n[2], n[1]], [n[2], 0, -n[0]], [-n[1], n[0], 0]])
    X = np.eye(4)
    X[:3, :3] += math.sin(angle) * K + (1 - math.cos(angle)) * K @ K
    return pose @ X


def test_links_stand_where_the_file_puts_them_and_move_about_their_joints() -> None:
    robot = load(ARM)
    assert robot.joint_names == ("shoulder", "elbow")
    base, upper, lower = (pose_matrix(x) for x in ("0 0 0.5 0 0 0.3", "0.2 0 1 0.3 0 0", "0.2 0.4 1.2 0 0.4 0"))
    for name, pose in (("base", base), ("upper", upper), ("lower", lower)):
        assert_allclose(drawn(robot, name), pose, atol=1e-15)
    elbow = lower @ pose_matrix("0 0.1 0 0 0 0.2")
    slid = elbow @ pose_matrix("0.7 0 0 0 0 0")
    moved = turned(upper, (0, 1, 0.5), 0.4) @ np.linalg.inv(upper) @ slid @ np.linalg.inv(elbow) @ lower
    assert_allclose(robot.pose([0.4, 0.7], "lower"), moved, atol=1e-14)


def test_a_joint_has_the_figures_of_its_axis() -> None:
    robot = load(ARM)
    shoulder = robot.model.joints[0]
    assert (shoulder.lower, shoulder.upper, shoulder.effort, shoulder.velocity) == ((-1,), (2,), (3,), (4,))
    assert (shoulder.damping, shoulder.friction, shoulder.rest, shoulder.stiffness) == ((0.1,), (0.2,), (0.3,), (0.4,))
    assert robot.model.joints[1].lower == (-math.inf,)


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("<lower>-1e16</lower><upper>1e+16</upper>", ((-math.inf,), (math.inf,))),
        ("<lower>-inf</lower><upper>inf</upper>", ((-math.inf,), (math.inf,))),
        ("<lower>-1</lower>", ((-1,), (math.inf,))),
        ("", ((-math.inf,), (math.inf,))),
    ],
)
def test_limits_may_be_endless(said: str, meant: Any) -> None:
    text = sdf(
        link("a") + link("b") + joint("j", "revolute", "a", "b", inside=f"<limit>{said}<effort>-1</effort></limit>")
    )
    one = load(text, root="fixed").model.joints[0]
    assert (one.lower, one.upper) == meant
    assert one.effort == (math.inf,)


def test_an_inertia_is_turned_into_the_links_axes() -> None:
    robot = load(sdf(link("a", "1 2 3 0 0 0.7")))
    (a,) = robot.model.links
    R = pose_matrix("0 0 0 0.1 0.2 0.3")[:3, :3]
    J = np.array([[0.2, 0.01, -0.02], [0.01, 0.3, 0.03], [-0.02, 0.03, 0.4]])
    assert (a.mass, a.com) == (2.0, (0.1, -0.2, 0.3))
    assert_allclose(a.inertia, R @ J @ R.T, atol=1e-16)


def test_what_an_inertial_does_not_say_is_the_formats_default() -> None:
    robot = load(sdf('<link name="a"/><link name="b"><inertial/></link>' + joint("j", "ball", "a", "b", axis="")))
    for one in robot.model.links:
        assert one.mass == 1.0
        assert_allclose(one.inertia, np.eye(3))
    assert "link 'a' has no <inertial>; SDF takes it as 1 kg" in robot.notes[0]


# How the root hangs


def test_a_model_floats_unless_something_holds_it() -> None:
    loose = sdf("<pose>0 0 3 0 0 0</pose>" + link("a", "0 0 1 0 0 0") + link("b") + joint("j", "revolute", "a", "b"))
    assert load(loose).joint_names == ("root", "j")
    assert load(loose, root="fixed").joint_names == ("j",)
    assert_allclose(drawn(load(loose, root="fixed"), "a"), pose_matrix("0 0 4 0 0 0"))
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        static = load(loose.replace("<pose>", "<static>true</static><pose>", 1))
    assert static.joint_names == ("j",)
    assert "1 static model" in str(heard[0].message)
    held = loose.replace("</model>", joint("h", "prismatic", "world", "a") + "</model>")
    assert load(held).joint_names == ("h", "j")


def test_a_robot_that_the_world_holds_floats_on_request() -> None:
    robot = load(ARM, root="free")
    assert robot.joint_names == ("root", "shoulder", "elbow")
    assert robot.notes == ("<string>:8: joint 'stand' is left out: root=\"free\" was asked for",)
    assert load(ARM, root="free", strict=True).nv == 8


@pytest.mark.parametrize("order", list(itertools.permutations(range(3))))
def test_the_root_is_the_link_that_is_no_joints_child(order: tuple[int, ...]) -> None:
    links = [link("a"), link("b", "1 0 0 0 0 0"), link("c", "2 0 0 0 0 0")]
    joints = joint("one", "revolute", "a", "b") + joint("two", "revolute", "b", "c")
    robot = load(sdf("".join(links[k] for k in order) + joints))
    assert robot.link_names == ("a", "b", "c")


def test_a_joint_may_be_met_from_its_child() -> None:
    """A chain whose links are each other's parents in no order has the coordinates that the file gives its joints."""
    straight = [
        ("one", "revolute", "a", "b", "0 1 1"),
        ("two", "screw", "b", "c", "1 0 0"),
        ("three", "prismatic", "c", "d", "0 1 0"),
    ]
    links = "".join(link(name, f"{k} 0.{k} 0 0.{k} 0 0.2") for k, name in enumerate("abcd"))
    held = joint("h", "fixed", "world", "a", axis="")
    last = "<screw_thread_pitch>0.3</screw_thread_pitch><pose relative_to='__model__'>2 1 0 0 0.3 0</pose>"
    forward = load(sdf(links + held + "".join(joint(*x, more=last) for x in straight)))
    turned_round = [(n, k, c, p, " ".join(str(-float(x)) for x in axis.split())) for n, k, p, c, axis in straight]
    backward = load(sdf(links + held + "".join(joint(*x, more=last) for x in turned_round)))
    q, v = np.array([0.3, -0.4, 0.5]), np.array([1.0, 2.0, -3.0])
    assert backward.joint_names == forward.joint_names
    for name in "abcd":
        assert_allclose(backward.pose(q, name), forward.pose(q, name), atol=1e-14)
    assert_allclose(backward.bias_force(q, v), forward.bias_force(q, v), atol=1e-12)


def test_a_universal_joint_met_from_its_child_has_its_axes_the_other_way_round() -> None:
    text = sdf(
        link("a") + link("b", "1 0 0 0 0 0") + joint("h", "fixed", "world", "b", axis="")
        + joint("u", "universal", "a", "b", "1 0 0",
                more="<axis2><xyz>0 1 0</xyz><dynamics><damping>7</damping></dynamics></axis2>")
    )  # fmt: skip
    robot = load(text)
    B = pose_matrix("1 0 0 0 0 0")
    assert_allclose(
        robot.pose([0.2, 0.5], "a"), turned(turned(B, (0, -1, 0), 0.2), (-1, 0, 0), 0.5) @ np.linalg.inv(B), atol=1e-15
    )
    assert [one.damping for one in robot.model.joints] == [(7.0,), (0.0,)]


# Axes


@pytest.mark.parametrize(
    ("version", "xyz", "more"),
    [
        ("1.4", "<xyz>0 1 0</xyz>", ""),
        ("1.5", "<xyz>0 1 0</xyz><use_parent_model_frame>1</use_parent_model_frame>", ""),
        ("1.6", "<xyz>0 1 0</xyz><use_parent_model_frame>true</use_parent_model_frame>", ""),
        ("1.7", '<xyz expressed_in="__model__">0 1 0</xyz>', ""),
        ("1.9", '<xyz expressed_in="a">0 1 0</xyz>', ""),
        ("1.9", '<xyz expressed_in="f">1 0 0</xyz>', '<frame name="f"><pose degrees="1">0 0 0 0 0 90</pose></frame>'),
    ],
)
def test_an_axis_may_be_said_in_another_frame(version: str, xyz: str, more: str) -> None:
    """The joint's frame is turned by 0.3 about x: along the model's y its own axis would be another."""
    text = sdf(link("a") + link("b", "1 0 0 0.3 0 0") + more + joint("h", "fixed", "world", "a", axis="")
        + f'<joint name="j" type="revolute"><parent>a</parent><child>b</child><axis>{xyz}</axis></joint>',
        version)  # fmt: skip
    B = pose_matrix("1 0 0 0 0 0")
    assert_allclose(load(text).pose([0.5], "b"), turned(B, (0, 1, 0), 0.5) @ pose_matrix("0 0 0 0.3 0 0"), atol=1e-15)
    own = text.replace('version="1.4"', 'version="1.5"').replace(xyz, "<xyz>0 1 0</xyz>")
    assert_allclose(load(own).pose([0.5], "b"), turned(pose_matrix("1 0 0 0.3 0 0"), (0, 1, 0), 0.5), atol=1e-15)


@pytest.mark.parametrize(
    ("said", "pitch"),
    [
        ("<screw_thread_pitch>0.4</screw_thread_pitch>", 0.4 / (2 * math.pi)),
        ("<thread_pitch>-5</thread_pitch>", 0.2),
        ("<thread_pitch>9</thread_pitch><screw_thread_pitch>-1</screw_thread_pitch>", -1 / (2 * math.pi)),
        ("", 1 / (2 * math.pi)),
    ],
)
def test_a_screws_pitch_is_read_in_both_of_its_units(said: str, pitch: float) -> None:
    text = sdf(link("a") + link("b") + joint("j", "screw", "a", "b", more=said))
    assert load(text, root="fixed").model.joints[0].pitch == pytest.approx(pitch, rel=1e-15)


# Poses


# One turn, as a quaternion x, y, z, w and as a matrix.
QUATERNION = "0.1 0.2 0.3 0.9273618495495703"
TURN = np.array([
    [0.74, -0.5164171097297422, 0.4309447398198282],
    [0.5964171097297423, 0.8, -0.06547236990991407],
    [-0.3109447398198282, 0.3054723699099141, 0.9],
])  # fmt: skip
DEGREES = " ".join(
    str(math.degrees(x))
    for x in (math.atan2(TURN[2, 1], TURN[2, 2]), -math.asin(TURN[2, 0]), math.atan2(TURN[1, 0], TURN[0, 0]))
)


@pytest.mark.parametrize(
    "pose",
    [
        f'<pose rotation_format="quat_xyzw">1 2 3 {QUATERNION}</pose>',
        f'<pose degrees="true">1 2 3 {DEGREES}</pose>',
        '<pose relative_to="f">0 0 0 0 0 0</pose>',
        '<pose frame="f">0 0 0 0 0 0</pose>',
        '<pose relative_to="f"/>',
    ],
)
def test_a_pose_may_be_said_in_other_words(pose: str) -> None:
    frame = f'<frame name="f"><pose rotation_format="quat_xyzw">1 2 3 {QUATERNION}</pose></frame>'
    robot = load(sdf(frame + f'<link name="a">{pose}{INERTIAL}</link>'), root="fixed")
    assert_allclose(drawn(robot, "a")[:3, :3], TURN, atol=1e-15)
    assert_allclose(drawn(robot, "a")[:3, 3], (1, 2, 3), atol=1e-15)


def test_frames_models_in_models_and_what_hangs_on_them() -> None:
    robot = load(NESTED, root="fixed")
    base = pose_matrix("0 0 1 0 0 0")
    hand = base @ pose_matrix(f"0 0 0.3 {math.pi / 2} 0 0") @ pose_matrix("0 0 0.1 0 0 0.5")
    mount = base @ pose_matrix(f"0 0 0.3 {math.pi / 2} 0 0")
    assert_allclose(drawn(robot, "mount"), mount, atol=1e-15)
    assert_allclose(drawn(robot, "hand::palm"), hand, atol=1e-15)
    tip = hand @ pose_matrix("0.1 0 0 0 0 0") @ pose_matrix("0.2 0 0 0 0 0")
    assert_allclose(drawn(robot, "hand::tip"), tip, atol=1e-15)
    assert_allclose(drawn(robot, "tool"), tip @ pose_matrix("0 0 0.1 0 0 0"), atol=1e-15)
    assert robot.joint_names == ("hand::knuckle", "twist")
    bent = robot.pose([0.4, 0.0], "tool")
    assert_allclose(
        bent, turned(hand @ pose_matrix("0.1 0 0 0 0 0"), (0, 1, 0), 0.4) @ pose_matrix("0.2 0 0.1 0 0 0"), atol=1e-15
    )


def test_a_world_has_its_gravity_and_its_scenery() -> None:
    ground = '<model name="ground"><static>1</static><link name="plane"/></model>'
    robot = ARM[ARM.index("<model") : ARM.index("</sdf>")]
    text = f'<sdf version="1.9"><world name="w"><gravity>0 0 -1.62</gravity>{ground}<include><uri>model://sun</uri></include>{robot}</world></sdf>'
    loaded = load(text)
    assert loaded.joint_names == ("shoulder", "elbow")
    assert_allclose(loaded.gravity, (0, 0, -1.62))
    assert [note.split(" is left out")[0].split(": ")[1] for note in loaded.notes] == [
        '<model name="ground">',
        "<include>",
    ]
    assert_allclose(load(text.replace("<gravity>0 0 -1.62</gravity>", "")).gravity, (0, 0, -9.8))
    assert_allclose(load(ARM).gravity, (0, 0, -9.81))


# Loops


def test_a_loop_is_cut_at_the_second_joint_of_a_link() -> None:
    robot = load(FOURBAR)
    assert robot.joint_names == ("a", "b", "c")
    (cut,) = robot.model.closures
    assert (cut.name, cut.kind) == ("d", "hinge")
    shuffled = FOURBAR.splitlines(keepends=True)
    first = next(k for k, line in enumerate(shuffled) if line.startswith("<joint"))
    shuffled[first : first + 4] = [shuffled[first + k] for k in (3, 1, 0, 2)]
    assert load("".join(shuffled)).model.closures[0].name == "c"


def test_a_loop_is_cut_where_most_freedoms_are() -> None:
    """The ball joint comes first in the file, and is cut all the same; then the universal joint."""
    links = link("a") + link("b", "1 0 0 0 0 0") + link("c", "1 1 0 0 0 0") + link("d", "0 1 0 0 0 0")
    held = joint("h", "fixed", "world", "a", axis="")
    u = joint("u", "universal", "a", "b", "1 0 0", more="<axis2><xyz>0 1 0</xyz></axis2>")
    rest = joint("one", "revolute", "b", "c") + joint("two", "revolute", "c", "d")
    ball = joint("ball", "ball", "d", "a", axis="")
    robot = load(sdf(links + ball + u + rest + held))
    assert robot.joint_names == ("u", "one", "two")
    assert [(x.name, x.kind) for x in robot.model.closures] == [("ball", "ball")]  # type: ignore[union-attr]
    hinge = joint("hinge", "revolute", "d", "a")
    robot = load(sdf(links + u + hinge + rest + held))
    assert robot.joint_names == ("hinge", "two", "one")
    assert [(x.name, x.kind) for x in robot.model.closures] == [("u", "universal")]  # type: ignore[union-attr]


KINDS = {
    "revolute": ("hinge", ""),
    "continuous": ("hinge", ""),
    "prismatic": ("prismatic", ""),
    "ball": ("ball", ""),
    "screw": ("helical", "<screw_thread_pitch>0.3</screw_thread_pitch>"),
    "universal": ("universal", "<axis2><xyz>-0.6 0 0.8</xyz></axis2>"),
    "revolute2": ("universal", "<axis2><xyz>-0.6 0 0.8</xyz></axis2>"),
}


@pytest.mark.parametrize("kind", KINDS)
def test_a_cut_joint_allows_what_the_joint_did(kind: str) -> None:
    """Two free links and the joint between them twice: the tree's, and, written once more, its closure."""
    called, more = KINDS[kind]
    more += "<pose>0.1 0.2 0.3 0.4 0.5 0.6</pose>"
    text = sdf(
        link("a")
        + link("b", "0.3 -0.2 0.5 0.6 0 0.2")
        + joint("j", kind, "a", "b", "0.8 0 0.6", more)
        + joint("again", kind, "a", "b", "0.8 0 0.6", more)
    )
    robot = load(text)
    (cut,) = robot.model.closures
    assert (cut.name, cut.kind) == ("again", called)  # type: ignore[union-attr]
    rng = np.random.default_rng(3)
    for _ in range(4):
        q = robot.integrate(robot.neutral(), rng.uniform(-1, 1, robot.nv))
        assert abs(robot.closure_error(q)).max() < 1e-14


@pytest.mark.parametrize("kind", ["fixed", "revolute"])
def test_a_joint_between_welded_links_is_told_and_left_out(kind: str) -> None:
    text = sdf(link("a") + link("b") + joint("j", "fixed", "a", "b", axis="") + joint("again", kind, "b", "a"))
    robot = load(text)
    assert not robot.model.closures
    assert robot.notes == (
        "<string>:7: joint 'again' is left out: its links are welded together, and nothing moves it",
    )


def test_what_a_cut_joint_did_beside_holding_is_told() -> None:
    text = FOURBAR.replace(
        "<child>rocker</child><axis><xyz>0 0 1</xyz></axis><pose>",
        "<child>rocker</child><axis><xyz>0 0 1</xyz><limit><lower>-1</lower></limit>"
        "<dynamics><damping>2</damping></dynamics></axis><pose>",
    )
    with pytest.warns(
        ModelWarning, match=r"1 set of figures of a joint that closes a loop \(damping, limits of joint 'd'"
    ):
        load(text)


def test_gearboxes_are_couplings_in_both_senses_of_their_axes() -> None:
    """theta_2 = -5 theta_1, where the output hinge turns the other way: its coordinate is 5 times the input's."""
    robot = load(GEARED)
    assert robot.joint_names == ("input", "output")
    assert robot.closure_error([0.1, 0.5]) == pytest.approx([0.0], abs=1e-16)
    assert abs(robot.closure_error([0.1, -0.5])[0]) == pytest.approx(1.0)
    turned_round = GEARED.replace(
        "<parent>base</parent><child>rotor</child>", "<parent>rotor</parent><child>base</child>"
    )
    assert load(turned_round).joint_names == ("input", "output")
    assert load(turned_round).closure_error([-0.1, 0.5]) == pytest.approx([0.0], abs=1e-16)


def test_a_gearbox_without_two_hinges_is_told() -> None:
    with pytest.warns(ModelWarning, match=r'1 gearbox without two hinges \(<joint name="gear">'):
        assert load(GEARED.replace("<axis2><xyz>0 0 1", "<axis2><xyz>0 1 1")).closures == load(ARM).closures


def test_without_closures_the_tree_is_left_and_told() -> None:
    robot = load(FOURBAR, closures=False, strict=True)
    assert not robot.model.closures
    assert robot.notes == ("<string>:11: closure 'd' is left out: closures=False was asked for; it is open",)


# Mimics


def test_a_mimic_counts_from_its_reference() -> None:
    inside = '<mimic joint="j"><multiplier>2</multiplier><offset>0.5</offset><reference>0.1</reference></mimic>'
    text = sdf(link("a") + link("b") + link("c") + joint("j", "revolute", "a", "b")
        + joint("k", "revolute", "a", "c", inside=inside), "1.11")  # fmt: skip
    robot = load(text, root="fixed", mimic="tie")
    (tie,) = robot.model.ties
    assert (tie.multiplier, tie.offset) == (2.0, pytest.approx(0.3))
    with pytest.warns(ModelWarning, match="mimic joints k are treated as independent"):
        load(text)
