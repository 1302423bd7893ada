"""The free root of a robot: it floats, it is passive unless the caller says otherwise, and planning may hold it."""

from __future__ import annotations

import numpy as np

from soadyn.errors import ArgumentError, unknown_name
from soadyn.robot import Robot
from soadyn.robot.arguments import arguments
from soadyn.robot.arguments.arguments import FrameLike, PassiveLike
from soadyn.robot.labels import rate_names

HOLDS: dict[str, range] = {
    "attitude": range(3),
    "position": range(3, 6),
    "pose": range(6),
    "none": range(0),
}
HoldLike = str | PassiveLike


def passive_set(robot: Robot, passive: PassiveLike | None, own: str) -> np.ndarray:
    """Which components have no motor, booleans (nv,): by default those of free roots. `own` is who asks."""
    chosen = floating(robot) if passive is None else passive
    mask = arguments.one_passive_set(robot.engine.coordinates, chosen, own)
    if mask.all():
        hint = "; passive=[] gives a free root motors" if passive is None else ""
        raise ArgumentError(f"{own}: every joint of robot {robot.name!r} is passive: none is left to move{hint}")
    return mask


def floating(robot: Robot) -> tuple[str, ...]:
    """The names of the joints by which the robot floats; none if it stands on the ground."""
    joints = (robot.model.joints[k - 1] for k in robot.model.children[0])
    return tuple(joint.name for joint in joints if joint.kind == "free")


def free_root(robot: Robot, why: str) -> range:
    """The places in v of the joint by which the robot floats."""
    free = floating(robot)
    if len(free) != 1:
        raise ArgumentError(
            f"{why} is about a base that floats, but robot {robot.name!r} has "
            f"{'no free root' if not free else f'{len(free)} free roots'}"
        )
    return robot.joint_dofs(free[0])


def held_of_root(robot: Robot, hold: str, frame: FrameLike | None) -> list[int]:
    """The places in v of what is held of a free root: of several roots, of the one that carries the frame."""
    free = floating(robot)
    carrying = joints_that_move(robot, frame)[-1:] if frame is not None else []
    if not set(carrying) & set(free) and len(free) != 1:
        known = f"one of {', '.join(map(repr, free))}" if free else "which are passive"
        raise ArgumentError(
            f"hold={hold!r} is about the free root that carries the frame, but robot {robot.name!r} has "
            f"{'no free root' if not free else f'{len(free)} free roots, and none carries it'}; name what is held by "
            f"components of joints, {known}: hold=[({free[0] if free else 'joint'!r}, 0), ...]"
        )
    dofs = robot.joint_dofs(next((name for name in carrying if name in free), free[0]))
    return [dofs[i] for i in HOLDS[hold]]


def held_components(robot: Robot, hold: HoldLike, frame: FrameLike | None) -> np.ndarray:
    """The places in v of what is held: by one of the words in `HOLDS`, or components as `passive` takes them."""
    if not isinstance(hold, str):
        return np.flatnonzero(arguments.passive(robot.engine.coordinates, hold))
    if hold not in HOLDS:
        raise unknown_name("hold", hold, HOLDS)
    return np.array([] if hold == "none" else held_of_root(robot, hold, frame), dtype=int)


def joints_that_move(robot: Robot, frame: FrameLike) -> list[str]:
    """The joints between a frame and the ground, the root's last."""
    model = robot.model
    link, found = arguments.frame(model, frame).link, []
    while link:
        found.append(model.joints[link - 1].name)
        link = model.parents[link - 1]
    return found


def rates_named(robot: Robot, places: np.ndarray) -> list[str]:
    """What components of v are called."""
    names = rate_names(robot)
    return [names[i] for i in places]
