"""Drake's conventions: the rates of ball and floating joints are angular before linear, both along parent axes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, final

import numpy as np

from soadyn.errors import ArgumentError, ModelError, unknown_name
from soadyn.interop.matching import OwnJoint, PeerJoint, checked_model, own_joints
from soadyn.interop.pairing import SCREW, SLIDE, TURN, Pairing, reordered
from soadyn.interop.peer import Peer
from soadyn.mechanics.spatial.arithmetic import Array
from soadyn.mechanics.spatial.rotation import exponential, from_quaternion, product, roll_pitch_yaw_of
from soadyn.robot import Robot


def roll_pitch_yaw(quaternion: Array) -> Array:
    """The angles (..., 3) with R = Rz(yaw) Ry(pitch) Rx(roll), pitch in [-pi/2, pi/2].

    >>> roll_pitch_yaw(np.array([1.0, 0.0, 0.0, 0.0]))
    array([0., 0., 0.])
    """
    return roll_pitch_yaw_of(from_quaternion(quaternion))


def quaternion_of(rpy: Array) -> Array:
    """The unit quaternion of roll, pitch and yaw."""
    roll, pitch, yaw = (exponential(rpy[..., i : i + 1] * np.eye(3)[i]) for i in range(3))
    return product(yaw, product(pitch, roll))


BALL_RPY = Pairing(("spherical",), 3, roll_pitch_yaw, quaternion_of, (0, 1, 2), turned=(0,))
PLANAR = reordered("planar")
FLOATING = reordered("free", turned=(0, 3))
FLOATING_RPY = Pairing(
    ("free",),
    6,
    lambda q: np.concatenate([roll_pitch_yaw(q[..., :4]), q[..., 4:]], axis=-1),
    lambda q: np.concatenate([quaternion_of(q[..., :3]), q[..., 3:]], axis=-1),
    FLOATING.order,
    turned=FLOATING.turned,
)

JOINTS: Mapping[str, tuple[Pairing, ...]] = MappingProxyType(
    {
        "revolute": (TURN,),
        "prismatic": (SLIDE,),
        "screw": (SCREW,),
        "universal": (TURN, TURN),
        "planar": (PLANAR,),
        "ball_rpy": (BALL_RPY,),
        "quaternion_floating": (FLOATING,),
        "rpy_floating": (FLOATING_RPY,),
    }
)


@final
class Drake(Peer):
    """A robot and Drake's model of it: a finalized `MultibodyPlant`, or no more than the order of the joints.

    With `model_instance`, states are those of that instance (`plant.GetPositions(context, model_instance)`).
    Without a plant, the joints come in `joint_order`, by default ours, and have the type Drake would give them.

    >>> import soadyn as sd
    >>> arm = sd.load("planar_two_link")
    >>> Drake(arm, joint_order=arm.joint_names[::-1]).q_to([0.1, 0.2])
    array([0.2, 0.1])
    """

    def __init__(
        self,
        robot: Robot,
        plant: Any = None,
        names: Mapping[str, str] | None = None,
        *,
        model_instance: Any = None,
        joint_order: Sequence[str] | None = None,
    ) -> None:
        if plant is None and model_instance is not None:
            raise ArgumentError("Drake takes a model_instance only with a plant")
        if plant is not None and joint_order is not None:
            raise ArgumentError("Drake takes a plant or a joint_order, not both: the plant has its own order")
        joints = _ordered(robot, joint_order) if plant is None else _of_plant(plant, model_instance)
        super().__init__(robot, "Drake", joints, names, linear_first=False)


def _of_plant(plant: Any, model_instance: Any) -> list[PeerJoint]:
    if not checked_model(plant, "Drake", "MultibodyPlant", "is_finalized").is_finalized():
        raise ArgumentError(
            "the Drake plant is not finalized: call plant.Finalize() first, its joints get their places there"
        )
    indices = plant.GetJointIndices() if model_instance is None else plant.GetJointIndices(model_instance)
    moving = [joint for joint in map(plant.get_joint, indices) if joint.num_velocities()]
    moving.sort(key=lambda joint: joint.velocity_start())
    sizes = [(joint.num_positions(), joint.num_velocities()) for joint in moving]
    return _packed([(joint.name(), joint.type_name()) for joint in moving], sizes)


def _ordered(robot: Robot, joint_order: Sequence[str] | None) -> list[PeerJoint]:
    own = own_joints(robot)
    order = list(own) if joint_order is None else joint_order
    if isinstance(order, str) or not isinstance(order, Sequence) or not all(isinstance(x, str) for x in order):
        raise ArgumentError(f"joint_order is a list of joint names, got {joint_order!r:.80}")
    for name in order:
        if name not in own:
            raise unknown_name(f"joint of robot {robot.name!r} in joint_order", name, own)
    if sorted(order) != sorted(own):
        missing = ", ".join(repr(name) for name in own if name not in order) or "none"
        raise ArgumentError(f"joint_order must list every joint of robot {robot.name!r} once; missing: {missing}")
    typed = [(name, _usual(own[name])) for name in order]
    sizes = [tuple(sum(getattr(p, n) for p in JOINTS[kind]) for n in ("nq", "nv")) for _, kind in typed]
    return _packed(typed, sizes)


def _usual(joint: OwnJoint) -> str:
    """The joint that Drake would give: the first one in the table that is alike."""
    for kind, pairings in JOINTS.items():
        if joint.is_like(pairings):
            return kind
    raise ModelError(f"Drake has no joint like {joint.kind} joint {joint.name!r}; split_joint makes single ones of it")


def _packed(typed: list[tuple[str, str]], sizes: Sequence[Sequence[int]]) -> list[PeerJoint]:
    """The joints one behind the other: those of one model instance need not start at zero."""
    joints, q, v = [], 0, 0
    for (name, kind), (nq, nv) in zip(typed, sizes, strict=True):
        joints.append(PeerJoint(name, kind, q, v, JOINTS.get(kind, ())))
        q, v = q + nq, v + nv
    return joints
