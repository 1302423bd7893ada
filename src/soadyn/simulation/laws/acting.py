"""What acts in the joints of a simulation, from the arguments of `simulate`."""

from __future__ import annotations

from typing import Literal

import numpy as np

from soadyn.errors import ArgumentError
from soadyn.robot.arguments.plain_values import positive
from soadyn.simulation.drive.subject import Subject
from soadyn.simulation.laws.forces import JointForces, Laws
from soadyn.simulation.laws.limits import PlacedStops, Stops, effort_limits, placed_stops
from soadyn.simulation.run.equations import Acting

Limits = bool | Stops | Literal["position", "effort"]


def acting_on(
    subject: Subject,
    q0: np.ndarray,
    step: float,
    joint_forces: bool | Laws | JointForces,
    friction_speed: float | None,
    limits: Limits,
) -> Acting:
    """Laws, stops and bounds of the actuators."""
    if not isinstance(limits, bool | Stops | str) or (isinstance(limits, str) and limits not in ("position", "effort")):
        raise ArgumentError(
            f'simulate: limits are True, False, "position", "effort" or sd.Stops(...), got {limits!r:.80}'
        )
    return Acting(
        _joint_forces(subject, joint_forces, friction_speed),
        _stops(subject, limits, q0, step),
        None if limits is False or limits == "position" else effort_limits(subject.robot),
    )


def _joint_forces(
    subject: Subject, wanted: bool | Laws | JointForces, friction_speed: float | None
) -> JointForces | None:
    robot = subject.robot
    if friction_speed is not None:
        friction_speed = positive("friction_speed", friction_speed, "simulate")
    if isinstance(wanted, JointForces):
        if wanted.robot != robot:
            raise ArgumentError(
                f"simulate: joint_forces were made for robot {wanted.robot.name!r}, which is not this {robot.name!r}"
            )
        return wanted
    if wanted is False:
        return None
    laws = () if isinstance(wanted, bool) else wanted
    return JointForces(robot, laws, own=True, friction_speed=friction_speed, parameters=tuple(subject.values))


def _stops(subject: Subject, limits: Limits, q0: np.ndarray, step: float) -> tuple[PlacedStops, ...]:
    if limits is False or limits == "effort":
        return ()
    stops = limits if isinstance(limits, Stops) else Stops()
    return placed_stops(subject.robot, subject.quantities, stops, q0, step)
