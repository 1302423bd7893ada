"""Pinocchio's numbers, converted, are ours: on real robots and on random ones over every joint kind."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import soadyn as sd
from corpus import corpus_urdfs, pin_model, short_name
from random_robots import random_model
from soadyn.interop import Pinocchio
from soadyn.mechanics.spatial.rotation import onto
from soadyn.model.model import Joint, Model
from soadyn.model.placement import Placement

pin = pytest.importorskip("pinocchio")
from pin_joints import pin_joint  # noqa: E402 - needs Pinocchio

CHOSEN = ("panda", "talos_reduced", "tiago_no_hand", "kinova", "solo12", "hyq_no_sensors", "double_pendulum_continuous")
ROBOTS = [path for path in corpus_urdfs() if path.stem in CHOSEN]
# Pinocchio's Python has no way to give this one its axis, so the joint's frame is turned instead.
ALONG_Z = ("continuous", "planar")


def assert_agree(x: Any, y: Any) -> None:
    assert np.abs(x - y).max(initial=0.0) <= 1e-9 * max(np.abs(y).max(initial=0.0), 1.0)


def assert_dynamics_agree(arm: sd.Robot, model: Any, frame: str, rng: np.random.Generator, frame_id: int) -> None:
    """Mass matrix, inverse and forward dynamics and the Jacobians of a frame, from Pinocchio's state to ours."""
    peer, data = Pinocchio(arm, model), model.createData()
    theirs = pin.integrate(model, pin.neutral(model), rng.normal(size=model.nv))
    v_pin, a_pin = rng.normal(size=(2, model.nv))
    q = peer.q_from(theirs)
    v, a = peer.v_from(q, v_pin), peer.a_from(q, peer.v_from(q, v_pin), a_pin)
    assert_agree(peer.q_to(q), theirs)
    pin.crba(model, data, theirs)
    M = np.triu(data.M) + np.triu(data.M, 1).T
    assert_agree(peer.matrix_from(q, M), arm.mass_matrix(q))
    tau = pin.rnea(model, data, theirs, v_pin, a_pin)
    assert_agree(peer.force_from(q, tau), arm.inverse_dynamics(q, v, a))
    back = pin.aba(model, data, theirs, v_pin, tau)
    assert_agree(M @ (peer.a_to(q, v, arm.forward_dynamics(q, v, peer.force_from(q, tau))) - back), np.zeros(model.nv))
    pin.forwardKinematics(model, data, theirs, v_pin, a_pin)
    for axes, reference in (("world", pin.LOCAL_WORLD_ALIGNED), ("local", pin.LOCAL)):
        J = pin.computeFrameJacobian(model, data, theirs, frame_id, reference)
        assert_agree(peer.jacobian_from(q, J), arm.jacobian(q, frame, axes=axes))
        motion = pin.getFrameVelocity(model, data, frame_id, reference).vector
        assert_agree(peer.wrench_from(motion), arm.frame_velocity(q, v, frame, axes=axes))
    classical = pin.getFrameClassicalAcceleration(model, data, frame_id, pin.LOCAL_WORLD_ALIGNED).vector
    assert_agree(peer.wrench_from(classical), arm.frame_acceleration(q, v, a, frame))


@pytest.mark.skipif(not ROBOTS, reason="example-robot-data is not installed")
@pytest.mark.parametrize("root", ["fixed", "free"])
@pytest.mark.parametrize("path", ROBOTS, ids=short_name)
@pytest.mark.heavy(2)
def test_real_robots_agree_through_the_conversion(path: Path, root: Any, rng: np.random.Generator) -> None:
    arm, model = sd.load(path, root=root), pin_model(path, free=root == "free")
    tip = arm.link_names[-1]
    assert_dynamics_agree(arm, model, tip, rng, model.getFrameId(tip, pin.FrameType.BODY))


@pytest.mark.skipif(not ROBOTS, reason="example-robot-data is not installed")
def test_tied_mimic_joints_agree_with_pinocchios(rng: np.random.Generator) -> None:
    (path,) = (path for path in corpus_urdfs() if path.stem == "panda" and "panda_description" in str(path))
    arm, model = sd.load(path, mimic="tie"), pin.buildModelFromUrdf(str(path), mimic=True)
    assert arm.nv == model.nv < sd.load(path).nv
    peer, data = Pinocchio(arm, model), model.createData()
    q = arm.random_configuration(rng)
    pin.crba(model, data, peer.q_to(q), pin.Convention.WORLD)
    assert_agree(peer.matrix_from(q, np.triu(data.M) + np.triu(data.M, 1).T), arm.mass_matrix(q))


@pytest.mark.parametrize("root", ["fixed", "free"])
@pytest.mark.parametrize("trial", [0, *(pytest.param(i, marks=pytest.mark.slow) for i in range(1, 6))])
@pytest.mark.heavy(2)
def test_random_robots_agree_through_the_conversion(trial: int, root: Any, rng: np.random.Generator) -> None:
    model = random_model(rng, 9, root=root)
    copy, frame = pin_copy(model)
    assert_dynamics_agree(sd.Robot(model), copy, "tool", rng, frame)


@pytest.mark.parametrize("kind", ["planar", "spherical", "cylindrical", "universal", "continuous", "helical"])
@pytest.mark.heavy(2)
def test_every_kind_agrees_in_a_chain(kind: str, rng: np.random.Generator) -> None:
    model = random_model(rng, 3, kinds=[kind], shape="serial")
    copy, frame = pin_copy(model)
    assert_dynamics_agree(sd.Robot(model), copy, "tool", rng, frame)


def pin_copy(model: Model) -> tuple[Any, int]:
    """Pinocchio's model of ours, and the number of the frame "tool"; cylindrical joints are composite there."""
    copy = pin.Model()
    copy.gravity.linear = np.array(model.gravity)
    hosts: list[tuple[int, Any]] = [(0, pin.SE3.Identity())]  # each link's joint in Pinocchio, and its place there
    pending: tuple[Joint, int] | None = None
    for link, joint, parent in zip(model.links, model.joints, model.parents, strict=True):
        turn = pin.SE3(onto(joint.axis), np.zeros(3)) if joint.kind in ALONG_Z else pin.SE3.Identity()
        if link.hidden:  # the first half of a universal joint
            pending = joint, parent
            hosts.append(hosts[parent])
            continue
        if pending is not None:
            first, parent = pending
            kind = pin.JointModelUniversal(np.array(first.axis), np.array(joint.axis))
            placement, pending = first.placement, None
        else:
            kind, placement = pin_joint(joint), joint.placement
        host, seat = hosts[parent]
        k = copy.addJoint(host, kind, seat * se3(placement) * turn, joint.name)
        seat = turn.inverse() * se3(joint.offset)
        copy.appendBodyToJoint(k, pin.Inertia(link.mass, np.array(link.com), np.array(link.inertia)), seat)
        hosts.append((k, seat))
    tool = model.frame("tool")
    host, seat = hosts[tool.link]
    return copy, copy.addFrame(pin.Frame("tool", host, seat * se3(tool.placement), pin.FrameType.OP_FRAME))


def se3(placement: Placement) -> Any:
    return pin.SE3(placement.matrix())


def test_a_continuous_joint_is_a_point_on_the_circle_there() -> None:
    b = sd.Builder("wheel")
    b.link("rim", sd.Body(1.0), joint="continuous", joint_name="axle")
    model = pin.Model()
    model.addJoint(0, pin.JointModelRUBZ(), pin.SE3.Identity(), "axle")
    peer = Pinocchio(sd.build(b), model)
    assert peer.q_to([0.3]).tolist() == [np.cos(0.3), np.sin(0.3)]
    assert np.allclose(peer.q_from(peer.q_to([[7.0], [-2.0]])), [[7.0 - 2 * np.pi], [-2.0]])


def one_joint(kind: str) -> sd.Robot:
    b = sd.Builder("lamp")
    b.link("shade", sd.Body(1.0), joint=kind, joint_name="neck")
    return sd.build(b)


def model_with(kind: Any) -> Any:
    model = pin.Model()
    model.addJoint(0, kind, pin.SE3.Identity(), "neck")
    return model


@pytest.mark.parametrize(
    ("ours", "theirs", "words"),
    [
        (
            "spherical",
            "SphericalZYX",
            "joint 'neck' is spherical, but in Pinocchio a JointModelSphericalZYX, which has no",
        ),
        ("planar", "Translation", "joint 'neck' is planar, but in Pinocchio a JointModelTranslation, which has no"),
        ("revolute", "PX", "joint 'neck' is revolute, but in Pinocchio a JointModelPX, which is prismatic here"),
        ("cylindrical", "RX", "joint 'neck' is cylindrical, but in Pinocchio a JointModelRX, which is revolute or"),
        ("universal", "Planar", "joint 'neck' is universal, but in Pinocchio a JointModelPlanar, which is planar here"),
    ],
)
def test_joints_without_a_counterpart_are_refused(ours: str, theirs: str, words: str) -> None:
    with pytest.raises(sd.ModelError, match=words):
        Pinocchio(one_joint(ours), model_with(getattr(pin, f"JointModel{theirs}")()))


def test_a_composite_joint_is_told_part_by_part() -> None:
    both = pin.JointModelComposite(pin.JointModelPZ())
    both.addJoint(pin.JointModelRZ())
    words = "joint 'neck' is cylindrical, but in Pinocchio a JointModelComposite, which is prismatic then revolute or"
    with pytest.raises(sd.ModelError, match=words):
        Pinocchio(one_joint("cylindrical"), model_with(both))
