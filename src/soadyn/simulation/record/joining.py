"""One motion after another: records of the same robot joined into one trajectory."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from soadyn.errors import ArgumentError
from soadyn.simulation.record.attitudes import continued, quaternion_places
from soadyn.simulation.record.selecting import arrays_of

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
