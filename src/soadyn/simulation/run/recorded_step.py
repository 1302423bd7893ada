"""A function of samples with a memory, recorded: what a controller calls once for each sample."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol, final, runtime_checkable

from soadyn.engine.tracing.trace import Traced
from soadyn.errors import ArgumentError
from soadyn.mechanics.spatial.arithmetic import Array
from soadyn.robot import Robot
from soadyn.simulation.laws.forces import JointForces


@final
@dataclass(frozen=True, eq=False)
class RecordedStep:
    """The operations of one sample, and what is said of them.

    trace    from the sample and the memory before to the results and the memory after
    kind     what it is called
    purpose  what it computes, in sentences
    folded   what stands in it as numbers, besides the robot
    meaning  of arguments and results, by name, with their units
    """

    robot: Robot
    trace: Traced
    kind: str
    purpose: str
    folded: tuple[str, ...] = ()
    meaning: Mapping[str, str] = field(default_factory=dict)


@runtime_checkable
class Stepwise(Protocol):
    """What can be recorded as a step with a memory, such as `sd.estimation.MomentumObserver`."""

    def recorded_step(self) -> RecordedStep:
        """One sample on recorded scalars."""


def recorded_forces(joint_forces: Any, robot: Robot, q: Array, v: Array, of: str) -> Array:
    """What acts in the joints by itself, on recorded scalars; of functions in Python nothing can be recorded."""
    if joint_forces is None:
        return 0.0
    if not isinstance(joint_forces, JointForces) or joint_forces.robot.nv != robot.nv:
        raise ArgumentError(
            f"{of}: joint_forces asks Python, of which code without Python knows nothing; sd.JointForces "
            "of the same joints can be written out"
        )
    return joint_forces.elastic_force(q) + joint_forces.lossy_force(q, v, joint_forces.dry)


def forces_folded(joint_forces: Any) -> tuple[str, ...]:
    """What is said of joint forces that are folded in."""
    return () if joint_forces is None else (f"joint forces: {', '.join(map(str, joint_forces.laws))}",)
