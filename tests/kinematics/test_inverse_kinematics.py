"""Inverse kinematics: what is called a success is where Pinocchio says it should be; what is out of reach is named."""

from __future__ import annotations

import numpy as np
import pytest

import soadyn as sd
from soadyn.kinematics import Direction, Orientation, Pose, Position
from soadyn.kinematics.damped_step import damped_step
from soadyn.mechanics.spatial.rotation import from_quaternion
from soadyn.model.draft import Mimic

ARMS = {"panda": "panda_link8", "ur5": "tool0", "ssrms": "B8"}


@pytest.mark.parametrize("name", ARMS)
@pytest.mark.heavy(2)
def test_reachable_poses_are_met_within_limits_and_pinocchio_agrees(name, rng):
    pinocchio = pytest.importorskip("pinocchio")
    from soadyn.loading import builtin

    arm, frame = sd.load(name), ARMS[name]
    poses = arm.pose(arm.random_configuration(rng, 2000), frame)
    found = arm.inverse_kinematics({frame: poses})
    assert found.success.mean() >= 0.999
    q = found.q[found.success]
    assert ((q >= arm.lower - 1e-12) & (q <= arm.upper + 1e-12)).all()
    model = pinocchio.buildModelFromUrdf(str(builtin.__file__).replace("builtin.py", f"robots/{name}.urdf"))
    data, number = model.createData(), model.getFrameId(frame)
    order = [arm.joint_names.index(joint) for joint in list(model.names)[1:]]
    for row, wanted in zip(q[:200], poses[found.success][:200], strict=True):
        pinocchio.framesForwardKinematics(model, data, row[order])
        e = pinocchio.log6(data.oMf[number].actInv(pinocchio.SE3(wanted))).vector
        assert np.linalg.norm(e[:3]) < 1.1e-8
        assert np.linalg.norm(e[3:]) < 1.1e-8


def test_targets_out_of_reach_are_not_met_and_the_nearest_is_given(rng):
    arm = sd.load("planar_two_link")
    angle = rng.uniform(-np.pi, np.pi, 50)
    far = 3.0 * np.stack([np.cos(angle), np.zeros(50), np.sin(angle)], axis=-1)
    found = arm.inverse_kinematics({"tool": far}, limits=False)
    assert not found.success.any()
    np.testing.assert_allclose(found.error, 1.0, atol=1e-9)  # two metres of arm, three of distance
    assert "0 of 50 met; the farthest misses tool position by 1" in repr(found)
    beside = arm.inverse_kinematics({"tool": [0.5, 0.3, 0.5]})
    assert not beside.success
    assert beside.error == pytest.approx(0.3, abs=1e-6)  # out of its plane


@pytest.mark.parametrize("backend", ["auto", "numpy"])
@pytest.mark.heavy(2)
def test_demands_of_every_kind_on_a_free_flyer_with_two_arms(backend, rng):
    flyer = sd.load("dual_arm_flyer").with_backend(backend)
    q = flyer.random_configuration(rng)
    left, right = flyer.link_names[7], flyer.link_names[-1]
    wanted = flyer.pose(q, left)
    axis = flyer.pose(q, right)[:3, :3] @ [1.0, 0.0, 0.0]
    found = flyer.inverse_kinematics(
        {left: wanted, right: [Position(flyer.pose(q, right)[:3, 3]), Direction(axis, axis=(1.0, 0.0, 0.0))]},
        com=flyer.center_of_mass(q),
    )
    assert found.success
    assert np.abs(flyer.pose(found.q, left) - wanted).max() < 1e-7
    assert np.abs(flyer.pose(found.q, right)[:3, 3] - flyer.pose(q, right)[:3, 3]).max() < 1e-7
    np.testing.assert_allclose(flyer.pose(found.q, right)[:3, 0], axis, atol=1e-7)
    np.testing.assert_allclose(flyer.center_of_mass(found.q), flyer.center_of_mass(q), atol=1e-7)
    assert list(found.errors) == [f"{left} position", f"{left} orientation", f"{right} position",
                                  f"{right} direction", "mass centre"]  # fmt: skip


def test_a_preferred_posture_is_kept_as_far_as_the_target_allows(rng):
    arm = sd.load("panda")
    q = np.clip(arm.random_configuration(rng), 0.8 * arm.lower, 0.8 * arm.upper)
    pose = arm.pose(q, "panda_link8")
    q0 = np.clip(q + 0.3 * rng.standard_normal(7), arm.lower, arm.upper)
    lazy = arm.inverse_kinematics({"panda_link8": pose}, q0)
    leaning = arm.inverse_kinematics({"panda_link8": pose}, q0, posture=q)
    assert lazy.success
    assert leaning.success
    assert np.linalg.norm(leaning.q - q) < np.linalg.norm(lazy.q - q)


def test_weights_share_what_cannot_all_be_had():
    arm = sd.load("planar_two_link")
    both = {"tool": [Position([1.0, 0.0, 0.0], weight=10.0), Position([0.0, 0.0, 1.0])]}
    near = arm.inverse_kinematics(both, limits=False)
    assert not near.success
    point = arm.pose(near.q, "tool")[:3, 3]
    np.testing.assert_allclose(point, [100 / 101, 0.0, 1 / 101], atol=1e-5)  # the weighted mean of squares 100 to 1


def test_positions_and_orientations_alone(rng):
    arm = sd.load("ur5")
    pose = arm.pose(arm.random_configuration(rng), "tool0")
    place = arm.inverse_kinematics({"tool0": pose[:3, 3]})
    turn = arm.inverse_kinematics({"tool0": Orientation(pose[:3, :3])})
    both = arm.inverse_kinematics({"tool0": Pose(pose, turn_weight=0.5)})
    assert place.success
    assert turn.success
    assert both.success
    np.testing.assert_allclose(arm.pose(place.q, "tool0")[:3, 3], pose[:3, 3], atol=1e-7)
    np.testing.assert_allclose(arm.pose(turn.q, "tool0")[:3, :3], pose[:3, :3], atol=1e-7)


def test_frames_with_an_offset_are_frames(rng):
    offset = np.eye(4)
    offset[:3, 3] = [0.1, 0.0, 0.2]
    arm = sd.load("panda")
    frame = ("panda_link8", tuple(map(tuple, offset)))
    pose = arm.pose(arm.random_configuration(rng), frame)
    found = arm.inverse_kinematics({frame: pose})
    assert found.success
    np.testing.assert_allclose(arm.pose(found.q, frame), pose, atol=1e-7)


@pytest.mark.parametrize("backend", ["auto", "numpy"])
def test_tied_joints_move_with_their_leaders(backend, rng):
    b = sd.Builder("tied")
    b.link("first", sd.Body(1.0), axis=(0, 0, 1), lower=-2.0, upper=2.0)
    b.link("second", sd.Body(1.0), parent="first", origin=(1, 0, 0), axis=(0, 1, 0), joint_name="lead")
    tie = Mimic("lead", -0.5, 0.1)
    b.link("third", sd.Body(1.0), parent="second", origin=(1, 0, 0), axis=(0, 1, 0), mimic=tie)
    b.frame("tip", "third", (0.5, 0, 0))
    arm = b.robot(mimic="tie").with_backend(backend)
    assert arm.nv == 2
    place = arm.pose(arm.random_configuration(rng), "tip")[:3, 3]
    found = arm.inverse_kinematics({"tip": place})
    assert found.success
    np.testing.assert_allclose(arm.pose(found.q, "tip")[:3, 3], place, atol=1e-7)


def test_the_step_is_the_mean_of_the_joint_increments_given_the_frames_error(rng):
    """Inverse kinematics by estimation (003 [4]): conditioning a joint Gaussian, by dense matrices."""
    J, e, lean = rng.standard_normal((6, 9)), 0.1 * rng.standard_normal((6, 1)), 0.1 * rng.standard_normal((9, 1))
    noise = 0.5 * (e.T @ e).item() + 1e-10
    joint = np.block([[np.eye(9), J.T], [J, J @ J.T + noise * np.eye(6)]])
    information = np.linalg.inv(joint)
    mean = lean - np.linalg.solve(information[:9, :9], information[:9, 9:] @ (e - J @ lean))
    np.testing.assert_allclose(damped_step(J, e, lean), mean, atol=1e-9)


def test_the_same_call_gives_the_same_answer_and_batches_keep_their_shape(rng):
    arm = sd.load("ur5")
    poses = arm.pose(arm.random_configuration(rng, (3, 4)), "tool0")
    first, again = arm.inverse_kinematics({"tool0": poses}), arm.inverse_kinematics({"tool0": poses})
    np.testing.assert_array_equal(first.q, again.q)
    assert first.q.shape == (3, 4, 6)
    assert first.success.shape == first.error.shape == first.nstarts.shape == (3, 4)
    assert arm.inverse_kinematics({"tool0": poses}, first.q, restarts=0).success.all()


def test_a_free_body_alone_goes_anywhere(rng):
    body = sd.chain(1, root="free")
    quaternion = rng.standard_normal(4)
    wanted = np.eye(4)
    wanted[:3, :3], wanted[:3, 3] = from_quaternion(quaternion / np.linalg.norm(quaternion)), rng.standard_normal(3)
    found = body.inverse_kinematics({body.link_names[0]: wanted})
    assert found.success
    np.testing.assert_allclose(body.pose(found.q, body.link_names[0]), wanted, atol=1e-7)


def test_no_targets_at_all_give_no_configurations():
    found = sd.load("ur5").inverse_kinematics({"tool0": np.zeros((0, 3))})
    assert found.q.shape == (0, 6)
    assert found.success.shape == (0,)


@pytest.mark.parametrize("target", [[[1.0], [1.0, 2.0]], [1.0, [2.0], 3.0], "x", None, [None] * 3])
def test_targets_that_are_no_arrays_of_numbers_are_refused(target):
    with pytest.raises(sd.ShapeError, match=r"target of 'tool' .*; expected numbers|target of 'tool' has shape"):
        sd.load("planar_two_link").inverse_kinematics({"tool": target})
