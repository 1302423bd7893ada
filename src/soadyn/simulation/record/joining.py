"""One motion after another: joined into one trajectory, of a robot whose bodies were held together from then on too."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from soadyn.errors import ArgumentError
from soadyn.mechanics.spatial.rotation import quaternion_of
from soadyn.robot import Robot
from soadyn.simulation.record.attitudes import continued, quaternion_places
from soadyn.simulation.record.selecting import arrays_of, robot_of

if TYPE_CHECKING:
    from soadyn.simulation.record.trajectory import Trajectory

NEAR = 1e-9  # how far apart the coordinates of an end and the start that follows may be


def shifted(run: Trajectory, start: float) -> Trajectory:
    """The same motion, begun at another time."""
    if run.t[0] == start:
        return run
    later = start - run.t[0]
    return replace(run, t=run.t - run.t[0] + start, events=tuple((float(t + later), name) for t, name in run.events))


def joined(first: Trajectory, then: Trajectory) -> Trajectory:
    """Both motions as one: the second begins where and when the first one ends.

    Work and impulse go on counting, and quaternions keep the sign that the first motion ends with. Of the two records
    at the joint the later one stays, so a jump of the rates there shows in the drifts.
    """
    if first.q_names != then.q_names:
        raise ArgumentError(
            f"cannot join the motion of {first.robot_name!r} and that of {then.robot_name!r}: they have other "
            "coordinates; sd.Phases([first, then]) keeps motions of robots that change"
        )
    _check_meeting(first, then)
    then = shifted(then, float(first.t[-1]))
    mine, others = arrays_of(first), arrays_of(then)
    if "passive" in mine or "passive" in others:
        # A motion in which nothing was prescribed has no passive set: every joint moved by its torque.
        mine.setdefault("passive", np.zeros(first.v.shape, dtype=bool))
        others.setdefault("passive", np.zeros(then.v.shape, dtype=bool))
    known = first if first.robot is not None else then
    others["q"] = continued(others["q"], quaternion_places(known), mine["q"][-1])
    for name in ("work", "impulse"):
        if name in mine and name in others:
            others[name] = others[name] + mine[name][-1]
    # What only one of the motions has, such as momentum, the whole has not.
    arrays: dict[str, Any] = dict.fromkeys({*mine, *others}) | {
        name: np.concatenate([x[:-1], others[name]]) for name, x in mine.items() if name in others
    }
    acted = {word: first.acted.get(word, ()) + then.acted.get(word, ()) for word in {**first.acted, **then.acted}}
    return replace(
        then,
        t=np.concatenate([first.t[:-1], then.t]),
        method=first.method if first.method == then.method else f"{first.method}, {then.method}",
        acted={word: tuple(dict.fromkeys(joints)) for word, joints in acted.items()},
        events=first.events + then.events,
        notes=tuple(dict.fromkeys(first.notes + then.notes)),
        derivatives=None,
        **arrays,
    )


def _check_meeting(first: Trajectory, then: Trajectory) -> None:
    if first.q.shape[1:] != then.q.shape[1:]:
        raise ArgumentError(
            f"cannot join a batch {first.q.shape[1:-1]} and a batch {then.q.shape[1:-1]} of {first.robot_name!r}"
        )
    robot = first.robot or then.robot
    # Quaternions of opposite sign are the same orientation; only a robot knows where they stand.
    apart = np.abs(first.q[-1] - then.q[0] if robot is None else robot.difference(first.q[-1], then.q[0]))
    if apart.max(initial=0.0) > NEAR * max(1.0, np.abs(first.q[-1]).max(initial=0.0)):
        worst = int(apart.reshape(-1, apart.shape[-1]).max(axis=0).argmax())
        name = (first.q_names if robot is None else first.v_names)[worst]
        raise ArgumentError(
            f"cannot join: the first motion of {first.robot_name!r} ends with {name!r} elsewhere than the second "
            f"begins, {apart[..., worst].max():.3g} apart; begin it with "
            "simulate(robot, end.q, end.v), end = trajectory.end"
        )


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
