"""Drake's conventions, from what they say about our own poses and velocities; with pydrake installed, against it."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

import soadyn as sd
from soadyn.interop import Drake
from soadyn.mechanics.spatial.rotation import about_z, exponential, from_quaternion
from soadyn.model.placement import Placement

needs_drake = pytest.mark.skipif(find_spec("pydrake") is None, reason="pydrake is not installed (make test-peers)")

CRANE = """
<robot name="crane">
  <link name="base">
    <inertial><mass value="3"/><inertia ixx="1" iyy="1.2" izz="0.9" ixy="0" ixz="0" iyz="0"/></inertial>
  </link>
  <link name="jib">
    <inertial><mass value="2"/><inertia ixx="1" iyy="1" izz="0.5" ixy="0" ixz="0" iyz="0"/></inertial>
  </link>
  <link name="hook">
    <inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
  </link>
  <joint name="slew" type="continuous"><parent link="base"/><child link="jib"/><axis xyz="0 0 1"/></joint>
  <joint name="hoist" type="prismatic"><parent link="jib"/><child link="hook"/><axis xyz="0 0.6 0.8"/>
    <origin xyz="1 0 0.2" rpy="0.1 0.2 0.3"/><limit lower="-1" upper="1" effort="1" velocity="1"/></joint>
</robot>"""


@pytest.fixture
def zoo() -> sd.Robot:
    """Every joint that Drake knows: a chain of six, and a free body."""
    b = sd.Builder("zoo")
    body = sd.Body(1.5, (0.1, -0.05, 0.2), [[0.3, 0.01, 0.0], [0.01, 0.2, -0.02], [0.0, -0.02, 0.25]])
    place = Placement.of(from_quaternion(exponential(np.array([0.3, -0.5, 0.8]))), [0.1, 0.2, 0.3]).matrix()
    b.link("cart", body, joint="prismatic", axis=(0.6, 0.0, 0.8), joint_name="rail", origin=place)
    b.link("arm", body, "cart", axis=(0.0, 0.8, -0.6), joint_name="elbow", origin=place)
    b.link("nut", body, "arm", joint="helical", pitch=0.1, axis=(1, 0, 0), joint_name="thread", origin=place)
    b.link("fork", body, "nut", joint="universal", axis=(1, 0, 0), axis2=(0, 1, 0), joint_name="cross", origin=place)
    b.link("plate", body, "fork", joint="planar", axis=(0, 0, 1), joint_name="table", origin=place)
    b.link("bob", body, "plate", joint="spherical", joint_name="socket", origin=place, offset=(0.1, 0.0, 0.0))
    b.link("moon", body, joint="free", joint_name="root")
    return sd.build(b)


def state(arm: sd.Robot, rng: np.random.Generator, size: int = 4) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    return arm.random_configuration(rng, size=size), rng.normal(size=(size, arm.nv)), rng.normal(size=(size, arm.nv))


def test_a_floating_base_has_its_pose_velocity_and_acceleration_along_world_axes(
    zoo: sd.Robot, rng: np.random.Generator
) -> None:
    q, v, a = state(zoo, rng)
    order = ["root", *(name for name in zoo.joint_names if name != "root")]
    drake = Drake(zoo, joint_order=order)
    q_drake, pose = drake.q_to(q), zoo.pose(q, "moon")
    assert_allclose(from_quaternion(q_drake[:, :4]), pose[:, :3, :3], atol=1e-12)
    assert_allclose(q_drake[:, 4:7], pose[:, :3, 3], atol=1e-12)
    assert_allclose(drake.v_to(q, v)[:, :6], zoo.frame_velocity(q, v, "moon"), atol=1e-12)
    assert_allclose(drake.a_to(q, v, a)[:, :6], zoo.frame_acceleration(q, v, a, "moon"), atol=1e-12)


def test_a_ball_joint_turns_by_roll_pitch_yaw_with_its_rates_along_parent_axes(rng: np.random.Generator) -> None:
    b = sd.Builder("pendulum")
    b.link("bob", sd.Body(1.0, (0, 0, -1)), joint="spherical")
    arm = sd.build(b)
    q, v, a = state(arm, rng)
    drake = Drake(arm)
    roll, pitch, yaw = np.moveaxis(drake.q_to(q), -1, 0)
    about_x, about_y = (
        from_quaternion(exponential(t[:, None] * e)) for t, e in ((roll, np.eye(3)[0]), (pitch, np.eye(3)[1]))
    )
    assert_allclose(about_z(yaw) @ about_y @ about_x, arm.pose(q, "bob")[:, :3, :3], atol=1e-12)
    assert_allclose(drake.v_to(q, v), arm.frame_velocity(q, v, "bob")[:, :3], atol=1e-12)
    assert_allclose(drake.a_to(q, v, a), arm.frame_acceleration(q, v, a, "bob")[:, :3], atol=1e-12)


def test_other_joints_are_written_alike(zoo: sd.Robot, rng: np.random.Generator) -> None:
    arm = zoo.lock(["socket", "root"], zoo.neutral())
    q, v, a = state(arm, rng)
    drake = Drake(arm)
    assert_allclose(drake.q_to(q), q)
    assert_allclose(drake.v_to(q, v), v)
    assert_allclose(drake.a_to(q, v, a), a)


def test_jacobians_and_wrenches_have_their_angular_rows_first(zoo: sd.Robot, rng: np.random.Generator) -> None:
    q, v, _ = state(zoo, rng)
    drake = Drake(zoo)
    velocity = drake.jacobian_to(q, zoo.jacobian(q, "bob")) @ drake.v_to(q, v)[..., None]
    assert_allclose(velocity[..., 0], zoo.frame_velocity(q, v, "bob"), atol=1e-12)
    assert_allclose(drake.wrench_to(np.arange(6.0)), np.arange(6.0))


class Joint:
    """What is asked of a joint of a plant."""

    def __init__(self, name: str, kind: str, q: int, v: int, nq: int, nv: int, instance: int = 0) -> None:
        self.answers = {"name": name, "type_name": kind, "position_start": q, "velocity_start": v}
        self.answers.update(num_positions=nq, num_velocities=nv)
        self.instance = instance

    def __getattr__(self, question: str) -> Any:
        return lambda: self.answers[question]


class Plant:
    """What is asked of a plant."""

    def __init__(self, *joints: Joint, finalized: bool = True) -> None:
        self.joints, self.is_finalized = joints, lambda: finalized

    def GetJointIndices(self, instance: int | None = None) -> list[int]:
        return [k for k, joint in enumerate(self.joints) if instance in (None, joint.instance)]

    def get_joint(self, k: int) -> Joint:
        return self.joints[k]


def two_links(root: Any = "fixed") -> sd.Robot:
    return sd.load("planar_two_link", root=root)


def test_the_places_are_the_plants() -> None:
    arm = two_links("free")
    first, second = arm.joint_names[1:]
    plant = Plant(
        Joint(first, "revolute", 7, 6, 1, 1),
        Joint("camera", "weld", 9, 8, 0, 0),
        Joint(second, "revolute", 8, 7, 1, 1),
        Joint("base", "quaternion_floating", 0, 0, 7, 6),
    )
    drake = Drake(arm, plant)
    assert drake.joint_names["root"] == "base"
    assert_allclose(drake.q_to([0.5, 0.5, 0.5, 0.5, 1, 2, 3, 8, 9]), [0.5, 0.5, 0.5, 0.5, 1, 2, 3, 8, 9])


def test_one_model_instance_of_several_can_be_chosen() -> None:
    arm = two_links()
    names = arm.joint_names
    joints = [Joint(name, "revolute", 9 - k, 9 - k, 1, 1, instance=k // 2) for k, name in enumerate([*names, *names])]
    with pytest.raises(
        sd.ModelError, match=f"Drake has several joints called .*{names[0]}.*; joints are matched by name"
    ):
        Drake(arm, Plant(*joints))
    assert_allclose(Drake(arm, Plant(*joints), model_instance=1).q_to([0.1, 0.2]), [0.2, 0.1])


def test_a_plant_must_be_finalized() -> None:
    with pytest.raises(sd.ArgumentError, match=r"the Drake plant is not finalized: call plant\.Finalize\(\) first"):
        Drake(two_links(), Plant(finalized=False))


def test_a_joint_unknown_to_us_is_refused() -> None:
    arm = two_links()
    joints = [Joint(name, "curvilinear", k, k, 1, 1) for k, name in enumerate(arm.joint_names)]
    with pytest.raises(sd.ModelError, match="is revolute, but in Drake a curvilinear, which has no counterpart here"):
        Drake(arm, Plant(*joints))


def test_a_plant_and_an_order_exclude_each_other() -> None:
    with pytest.raises(sd.ArgumentError, match="Drake takes a plant or a joint_order, not both"):
        Drake(two_links(), Plant(), joint_order=[])
    with pytest.raises(sd.ArgumentError, match="Drake takes a model_instance only with a plant"):
        Drake(two_links(), model_instance=1)


def test_an_order_names_every_joint_once() -> None:
    arm = two_links()
    first, second = arm.joint_names
    with pytest.raises(sd.ArgumentError, match=f"every joint of robot .* once; missing: '{second}'"):
        Drake(arm, joint_order=[first])
    with pytest.raises(sd.ArgumentError, match=r"every joint of robot .* once; missing: none"):
        Drake(arm, joint_order=[first, second, second])
    with pytest.raises(sd.UnknownNameError, match=f"in joint_order '{first}x'. Did you mean '{first}'"):
        Drake(arm, joint_order=[f"{first}x", second])


def test_a_cylindrical_joint_has_no_place_in_drake() -> None:
    b = sd.Builder("lathe")
    b.link("tool", sd.Body(1.0), joint="cylindrical", joint_name="spindle")
    words = "Drake has no joint like cylindrical joint 'spindle'; split_joint makes single ones of it"
    with pytest.raises(sd.ModelError, match=words):
        Drake(sd.build(b))
    assert Drake(sd.build(b).split_joint("spindle")).nv == 2


def drake_copy(arm: sd.Robot, floating: str) -> Any:
    """The zoo as a plant; the moon floats by itself with a quaternion, or by roll, pitch and yaw."""
    from pydrake.multibody import tree
    from pydrake.multibody.plant import MultibodyPlant

    plant, model = MultibodyPlant(0.0), arm.model
    bodies = [plant.world_body()]
    placement: Any = None
    for link, joint, parent in zip(model.links, model.joints, model.parents, strict=True):
        if link.hidden:  # the first half of the universal joint
            bodies.append(bodies[parent])
            placement = joint.placement
            continue
        inertia = tree.RotationalInertia(*np.diag(link.inertia), *np.array(link.inertia)[[0, 0, 1], [1, 2, 2]])
        mass = tree.SpatialInertia.MakeFromCentralInertia(link.mass, np.array(link.com), inertia)
        bodies.append(plant.AddRigidBody(link.name, mass))
        if joint.kind == "free" and floating == "quaternion":
            continue
        inboard = add_frame(plant, f"{link.name}_in", bodies[parent], (placement or joint.placement).matrix())
        outboard = add_frame(plant, f"{link.name}_out", bodies[-1], np.linalg.inv(joint.offset.matrix()))
        ends, axis, placement = (joint.name, inboard, outboard), np.array(joint.axis), None
        made = {
            "rail": lambda e=ends, x=axis: tree.PrismaticJoint(*e, x),
            "elbow": lambda e=ends, x=axis: tree.RevoluteJoint(*e, x),
            "thread": lambda e=ends, x=axis, p=joint.pitch: tree.ScrewJoint(*e, x, 2 * np.pi * p, 0.0),
            "cross": lambda e=ends: tree.UniversalJoint(*e),
            "table": lambda e=ends: tree.PlanarJoint(*e),
            "socket": lambda e=ends: tree.BallRpyJoint(*e),
            "root": lambda e=ends: tree.RpyFloatingJoint(*e),
        }
        plant.AddJoint(made[joint.name]())
    plant.Finalize()
    return plant


def add_frame(plant: Any, name: str, body: Any, pose: np.ndarray) -> Any:
    from pydrake.math import RigidTransform
    from pydrake.multibody.tree import FixedOffsetFrame

    return plant.AddFrame(FixedOffsetFrame(name, body.body_frame(), RigidTransform(pose)))


def assert_plant_agrees(arm: sd.Robot, plant: Any, frame: str, rng: np.random.Generator) -> None:
    from pydrake.multibody.tree import JacobianWrtVariable, MultibodyForces

    drake, context, world = Drake(arm, plant), plant.CreateDefaultContext(), plant.world_frame()
    (q,), (v,), (a,) = state(arm, rng, size=1)
    plant.SetPositions(context, drake.q_to(q))
    plant.SetVelocities(context, drake.v_to(q, v))
    body = plant.GetBodyByName(frame)
    assert_allclose(plant.EvalBodyPoseInWorld(context, body).GetAsMatrix4(), arm.pose(q, frame), atol=1e-12)
    assert_allclose(drake.matrix_from(q, plant.CalcMassMatrix(context)), arm.mass_matrix(q), atol=1e-10)
    forces = MultibodyForces(plant)
    plant.CalcForceElementsContribution(context, forces)
    tau = plant.CalcInverseDynamics(context, drake.a_to(q, v, a), forces)
    assert_allclose(drake.force_from(q, tau), arm.inverse_dynamics(q, v, a), rtol=1e-9, atol=1e-9)
    at = (body.body_frame(), np.zeros(3), world, world)
    J = plant.CalcJacobianSpatialVelocity(context, JacobianWrtVariable.kV, *at)
    assert_allclose(drake.jacobian_from(q, J), arm.jacobian(q, frame), atol=1e-12)
    velocity = plant.EvalBodySpatialVelocityInWorld(context, body).get_coeffs()
    assert_allclose(drake.wrench_from(velocity), arm.frame_velocity(q, v, frame), atol=1e-12)


@pytest.mark.peers
@needs_drake
@pytest.mark.parametrize("floating", ["quaternion", "rpy"])
@pytest.mark.parametrize("frame", ["bob", "moon"])
def test_every_joint_agrees_with_drake(zoo: sd.Robot, floating: str, frame: str, rng: np.random.Generator) -> None:
    assert_plant_agrees(zoo, drake_copy(zoo, floating), frame, rng)


@pytest.mark.peers
@needs_drake
@pytest.mark.parametrize("root", ["fixed", "free"])
def test_a_parsed_robot_agrees_with_drake(root: Any, rng: np.random.Generator) -> None:
    from pydrake.multibody.parsing import Parser
    from pydrake.multibody.plant import MultibodyPlant

    plant = MultibodyPlant(0.0)
    Parser(plant).AddModelsFromString(CRANE, "urdf")
    if root == "fixed":
        plant.WeldFrames(plant.world_frame(), plant.GetFrameByName("base"))
    plant.Finalize()
    assert_plant_agrees(sd.load(CRANE, root=root), plant, "hook", rng)
