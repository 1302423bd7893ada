"""What acts in the joints of a simulation, from the arguments of `simulate`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal, final

import numpy as np
from numpy.typing import ArrayLike

from soadyn.errors import ArgumentError
from soadyn.mechanics.spatial.arithmetic import Array
from soadyn.simulation.drive.subject import Subject
from soadyn.simulation.laws.forces import JointForces, Laws
from soadyn.simulation.laws.limits import EffortLimits, Stops, effort_limits, placed_stops
from soadyn.simulation.laws.placed_laws import Dry, Elastic

EffortLimit = ArrayLike | Literal["robot"] | None


@final
@dataclass(frozen=True, slots=True, eq=False)
class Acting:
    """What acts in the joints besides what the caller gives: laws, stops, bounds of the actuators."""

    forces: JointForces | None = None
    stops: tuple[Elastic, ...] = ()
    effort: EffortLimits | None = None

    @property
    def sticking(self) -> Dry | None:
        return None if self.forces is None else self.forces.sticking

    def with_values(self, values: Mapping[str, Array]) -> Acting:
        """The same with values of parameters, numbers or recorded scalars."""
        return self if self.forces is None else replace(self, forces=self.forces.with_values(values))

    def potential_energy(self, q: np.ndarray) -> np.ndarray:
        """Of springs and stops, (...)."""
        energy = np.zeros(q.shape[:-1]) if self.forces is None else self.forces.energy(q)
        for stop in self.stops:
            energy = energy + stop.energy(q[..., stop.q])
        return energy

    def slopes(self, q: Array, v: Array) -> tuple[Array, Array]:
        """How fast forces in the joints fall with position and with speed, component by component, (..., nv)."""
        K, B = (0 * v, 0 * v) if self.forces is None else self.forces.slopes(q, v)
        for stop in self.stops:
            K[..., stop.v] += stop.stiffness(q[..., stop.q])
            B[..., stop.v] += stop.damping(stop.pressed(q[..., stop.q]))
        return K, B


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


def _stops(subject: Subject, wanted: bool | Stops, q0: np.ndarray, step: float) -> tuple[Elastic, ...]:
    if wanted is False:
        return ()
    stops = wanted if isinstance(wanted, Stops) else Stops()
    return placed_stops(subject.robot, subject.quantities, stops, q0, step)
