"""What acts in the joints of a simulation, from the arguments of `simulate`."""

from __future__ import annotations

from typing import Any

import numpy as np

from soadyn.errors import ArgumentError
from soadyn.simulation.equations import Acting
from soadyn.simulation.forces import JointForces, Laws
from soadyn.simulation.inputs import positive
from soadyn.simulation.limits import PlacedStops, Stops, effort_limits, placed_stops
from soadyn.simulation.subject import Subject


def acting_on(
    subject: Subject,
    q0: np.ndarray,
    step: float,
    joint_forces: bool | Laws | JointForces,
    friction_speed: float | None,
    limits: bool | Stops,
) -> Acting:
    """Laws, stops and bounds of the actuators."""
    return Acting(
        _joint_forces(subject, joint_forces, friction_speed),
        _stops(subject, limits, q0, step),
        None if limits is False else effort_limits(subject.robot),
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


def _stops(subject: Subject, limits: Any, q0: np.ndarray, step: float) -> tuple[PlacedStops, ...]:
    if not isinstance(limits, bool | Stops):
        raise ArgumentError(f"simulate: limits are True, False or sd.Stops(...), got {limits!r:.80}")
    if limits is False:
        return ()
    return placed_stops(subject.robot, subject.quantities, Stops() if limits is True else limits, q0, step)
