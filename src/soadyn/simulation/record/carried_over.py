"""A motion told in the coordinates of another robot with the same bodies, some of them held together."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from soadyn.mechanics.spatial.rotation import quaternion_of
from soadyn.robot import Robot
from soadyn.simulation.record.selecting import robot_of
from soadyn.simulation.record.trajectory import Trajectory


def in_coordinates_of(first: Trajectory, then: Trajectory) -> Trajectory:
    """The second motion as one of the first's robot, which goes on from where the first one ended.

    Joints that both robots have keep their coordinates. A free joint that is gone follows its link, which the second
    robot has as a frame; any other joint that is gone stays where it was.
    """
    robot, now = robot_of(first), robot_of(then)
    records = then.q.shape[:-1]
    q = np.broadcast_to(first.q[-1], (*records, robot.nq)).copy()
    v, tau = np.zeros((*records, robot.nv)), np.zeros((*records, robot.nv))
    for joint in robot.joint_names:
        at_q, at_v = robot.joint_coordinates(joint), robot.joint_dofs(joint)
        if joint in now.joint_names:
            q[..., at_q] = then.q[..., now.joint_coordinates(joint)]
            v[..., at_v], tau[..., at_v] = (x[..., now.joint_dofs(joint)] for x in (then.v, then.tau))
        elif (found := _free_body(robot, joint)) and found[0][0] in now.frame_names:
            frame, ground = found
            pose = np.linalg.inv(ground) @ now.pose(then.q, frame)
            q[..., at_q] = np.concatenate([quaternion_of(pose[..., :3, :3]), pose[..., :3, 3]], axis=-1)
            v[..., at_v] = now.frame_velocity(then.q, then.v, frame, axes="local")
    return replace(
        then, robot=robot, robot_name=robot.name, q_names=first.q_names, v_names=first.v_names, q=q, v=v, tau=tau,
        passive=None, derivatives=None,
    )  # fmt: skip


def _free_body(robot: Robot, joint: str) -> tuple[tuple[str, np.ndarray], np.ndarray] | None:
    """Of a free joint on the ground: the frame it moves, as a link and a pose on it, and the joint's place there."""
    model = robot.model
    k = model.joint_indices[joint][0]
    if model.joints[k - 1].kind != "free" or model.parents[k - 1]:
        return None
    offset = model.joints[k - 1].offset.inverse().matrix()
    return (model.links[k - 1].name, offset), model.joints[k - 1].placement.matrix()
