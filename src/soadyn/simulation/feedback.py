"""Feedbacks: torques that depend on the state and on references, on numbers or on recorded scalars."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from soadyn.errors import ArgumentError
from soadyn.evaluation import arguments
from soadyn.robot import Robot
from soadyn.simulation.dynamics import Dynamics, RobotDynamics
from soadyn.simulation.samples import Samples, along_time
from soadyn.spatial.arithmetic import Array

Reference = np.ndarray | Samples


class Feedback:
    """A torque as a function of (t, q, v) that machine code can compute: `simulate` compiles it into the step.

    The robot is the one that the feedback counts on; the one that moves may have other masses and lengths, but not
    other joints. A subclass says what the torque is at a state, in `torque`, without a branch on numbers. `references`
    are vectors that it also reads: constant, or `Samples` in time.

    >>> import soadyn as sd
    >>> class Damping(Feedback):
    ...     def torque(self, dynamics, q, v, references):
    ...         return -2.0 * v
    ...     def content(self):
    ...         return ("damping", 2.0)
    >>> Damping(sd.load("planar_two_link"), {})(0.0, [0.0, 0.0], [1.0, 2.0])
    array([-2., -4.])
    """

    def __init__(self, robot: Robot, references: Mapping[str, Reference]) -> None:
        self.robot = robot
        self.references = dict(references)

    def torque(self, dynamics: Dynamics, q: Array, v: Array, references: Mapping[str, Array]) -> Array:
        """The joint forces (..., nv) at a state, of numbers of any kind."""
        raise NotImplementedError

    def content(self) -> tuple[Any, ...]:
        """All that `torque` depends on besides the references."""
        raise NotImplementedError

    def size(self, reference: str) -> int:
        """How many numbers a reference has."""
        x = self.references[reference]
        return int((x.values if isinstance(x, Samples) else x).shape[-1])

    def __call__(self, t: float, q: ArrayLike, v: ArrayLike) -> np.ndarray:
        """The joint forces at a time and state, (..., nv), as the feedback's own robot has them."""
        space = self.robot.engine.coordinates
        values = {name: x(t) if isinstance(x, Samples) else x for name, x in self.references.items()}
        q, v = arguments.coordinates(space, q), arguments.joint_vector(space, v, "v")
        return np.asarray(self.torque(RobotDynamics(self.robot), q, v, values))

    def over_time(self, t: np.ndarray, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        """The joint forces (T, ..., nv) at times (T,) and states (T, ..., n)."""
        values = {
            name: along_time(x(t), v.ndim) if isinstance(x, Samples) else x for name, x in self.references.items()
        }
        return np.asarray(self.torque(RobotDynamics(self.robot), q, v, values))


def check_fits(torque: Any, robot: Robot) -> None:
    """Refuse a feedback for a robot with other joints than the one that moves."""
    if not isinstance(torque, Feedback):
        return
    own, moving = ([(joint.name, joint.kind) for joint in x.model.joints] for x in (torque.robot, robot))
    if own != moving:
        raise ArgumentError(
            f"simulate: the {type(torque).__name__} is for robot {torque.robot.name!r} with joints "
            f"{[name for name, _ in own]!r:.120}; robot {robot.name!r} has {[name for name, _ in moving]!r:.120}"
        )
