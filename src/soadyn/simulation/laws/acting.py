"""What acts in the joints of a simulation, from the arguments of `simulate`."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from soadyn.errors import ArgumentError
from soadyn.simulation.drive.subject import Subject
from soadyn.simulation.laws.forces import JointForces, Laws
from soadyn.simulation.laws.limits import PlacedStops, Stops, effort_limits, placed_stops
from soadyn.simulation.run.equations import Acting

EffortLimit = ArrayLike | Literal["robot"] | None


def acting_on(
    subject: Subject,
    q0: np.ndarray,
    step: float,
    joint_forces: bool | Laws | JointForces,
    stops: bool | Stops,
    effort_limit: EffortLimit,
) -> Acting:
    """Laws, stops and bounds of the actuators."""
    if not isinstance(stops, bool | Stops):
        raise ArgumentError(f"simulate: stops are True, False or sd.Stops(...), got {stops!r:.80}")
    return Acting(
        _joint_forces(subject, joint_forces),
        _stops(subject, stops, q0, step),
        effort_limits(subject.robot, effort_limit),
    )


def _joint_forces(subject: Subject, wanted: bool | Laws | JointForces) -> JointForces | None:
    robot = subject.robot
    if isinstance(wanted, JointForces):
        if wanted.robot != robot:
            raise ArgumentError(
                f"simulate: joint_forces were made for robot {wanted.robot.name!r}, which is not this {robot.name!r}"
            )
        return wanted
    if wanted is False:
        return None
    laws = () if isinstance(wanted, bool) else wanted
    return JointForces(robot, laws, own=True, parameters=tuple(subject.values))


def _stops(subject: Subject, wanted: bool | Stops, q0: np.ndarray, step: float) -> tuple[PlacedStops, ...]:
    if wanted is False:
        return ()
    stops = wanted if isinstance(wanted, Stops) else Stops()
    return placed_stops(subject.robot, subject.quantities, stops, q0, step)
