"""Names for every single coordinate and rate: the joint's, and the component's where a joint has several."""

from __future__ import annotations

from collections.abc import Iterator

from soadyn.mechanics.joint import JointKind
from soadyn.robot.robot import Robot

# The units of angular and of linear components, for each vector that has an entry for each rate.
PER_RATE = {
    "v": ("rad/s", "m/s"),
    "a": ("rad/s^2", "m/s^2"),
    "tau": ("N m", "N"),
}


def coordinate_names(robot: Robot) -> tuple[str, ...]:
    """A name for each entry of q, such as "elbow" or "root.px"."""
    return _names(robot, 0, {name: len(robot.joint_coordinates(name)) for name in robot.joint_names})


def rate_names(robot: Robot) -> tuple[str, ...]:
    """A name for each entry of v, such as "elbow" or "root.wx"."""
    return _names(robot, 1, {name: len(robot.joint_dofs(name)) for name in robot.joint_names})


def _names(robot: Robot, which: int, sizes: dict[str, int]) -> tuple[str, ...]:
    names: list[str] = []
    for joint, size in sizes.items():
        parts = robot.model.joints[robot.model.joint_indices[joint][0] - 1].behaviour.labels[which]
        if len(parts) != size:  # joints made of several elementary ones, such as universal joints
            parts = tuple(str(i + 1) for i in range(size))
        names += [joint] if size == 1 else [f"{joint}.{part}" for part in parts]
    return tuple(names)


def coordinate_units(robot: Robot) -> tuple[str, ...]:
    """The unit of each entry of q; empty for parts of quaternions."""
    units: list[str] = []
    for part in _parts(robot):
        if part.quaternion() is not None:
            units += [""] * 4 + ["m"] * (part.nq - 4)
        else:
            units += ["rad" if kind == "angular" else "m" for kind in part.components]
    return tuple(units)


def rate_units(robot: Robot, angular: str, linear: str) -> tuple[str, ...]:
    """For each entry of v which of two units it has."""
    return tuple(angular if kind == "angular" else linear for part in _parts(robot) for kind in part.components)


def _parts(robot: Robot) -> Iterator[JointKind]:
    """The kinds of all elementary joints that have coordinates."""
    for name in robot.joint_names:
        if len(robot.joint_dofs(name)):
            yield from (robot.model.joints[k - 1].behaviour for k in robot.model.joint_indices[name])
