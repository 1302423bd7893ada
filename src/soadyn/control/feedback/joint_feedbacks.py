"""Feedbacks in joint space: a path followed by springs and dampers, or through the inverse dynamics.

Both compile: `simulate` puts them into its machine code.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, final

import numpy as np
from numpy.typing import ArrayLike

from soadyn.control.feedback.motor_forces import driven
from soadyn.errors import ArgumentError, ShapeError
from soadyn.mechanics.spatial.arithmetic import Array
from soadyn.robot import Robot
from soadyn.robot.arguments import arguments
from soadyn.robot.arguments.arguments import PassiveLike
from soadyn.robot.arguments.plain_values import for_each_component
from soadyn.robot.checked import checked_robot
from soadyn.simulation.drive.dynamics import Dynamics
from soadyn.simulation.drive.feedback import Feedback, Reference
from soadyn.simulation.drive.time_series import TimeSeries


class Tracking(Feedback):
    """Gains, and the path to be followed: q, and its rates and accelerations where they are given.

    Passive joints have no motor: their force is zero, and their part of the path is not followed. What `knows_closures`
    is right for robots that have some: on a closed path, tree dynamics leave nothing to the closures.
    """

    knows_closures: ClassVar[bool] = False

    def __init__(
        self,
        robot: Robot,
        q: ArrayLike | TimeSeries,
        v: ArrayLike | TimeSeries | None,
        a: ArrayLike | TimeSeries | None,
        stiffness: ArrayLike,
        damping: ArrayLike,
        passive: PassiveLike = (),
    ) -> None:
        own = type(self).__name__
        checked_for_feedback(robot, own, self.knows_closures)
        references: dict[str, Reference] = {"q": joint_reference(robot, q, "q", own)}
        references |= {name: joint_reference(robot, x, name, own) for name, x in (("v", v), ("a", a)) if x is not None}
        super().__init__(robot, references)
        self.passive = arguments.one_passive_set(robot.engine.coordinates, passive, own)
        self.stiffness = gains_of(robot, stiffness, "stiffness", own)
        self.damping = gains_of(robot, damping, "damping", own)

    def content(self) -> tuple[Any, ...]:
        return (type(self).__name__, self.stiffness, self.damping, self.passive, tuple(self.references))

    def forces(self, dynamics: Dynamics, q: Array, v: Array, a: Array) -> Array:
        """The motors' forces under which the joints that have one accelerate with a; zero for the others."""
        return driven(dynamics, self.passive, q, v, a)[1]

    def pull(self, dynamics: Dynamics, q: Array, v: Array, references: Mapping[str, Array]) -> Array:
        """Towards the path: K x + B (v_d - v), x the joint motion from q to q_d."""
        error = dynamics.difference(q, references["q"])
        return self.stiffness * error + self.damping * (references.get("v", 0.0) - v)


@final
class JointFeedback(Tracking):
    """Springs and dampers from the joints to a configuration or path, gravity cancelled.

        T = K (q_d - q) + B (v_d - v) + g(q)

    q, v: where the joints should be, (..., nq), and how fast, (..., nv): constant, or `sd.TimeSeries`; v omitted
        is rest.
    stiffness, damping: K and B, numbers or one for each component, N m/rad and N m s/rad.
    passive: joints without a motor; nothing pulls them, and nothing carries their weight.

    >>> import soadyn as sd
    >>> arm = sd.load("planar_two_link")
    >>> hold = sd.control.JointFeedback(arm, [0.5, -0.2], stiffness=200.0, damping=40.0)
    >>> sd.simulate(arm, [0.0, 0.0], control=hold, duration=2.0, record_every=1.0).q[-1].round(2)
    array([ 0.5, -0.2])
    """

    knows_closures = True

    def __init__(
        self,
        robot: Robot,
        q: ArrayLike | TimeSeries,
        v: ArrayLike | TimeSeries | None = None,
        *,
        stiffness: ArrayLike,
        damping: ArrayLike,
        passive: PassiveLike = (),
    ) -> None:
        super().__init__(robot, q, v, None, stiffness, damping, passive)

    def torque(self, dynamics: Dynamics, q: Array, v: Array, references: Mapping[str, Array]) -> Array:
        force = self.pull(dynamics, q, v, references) + dynamics.quantity("gravity_force", q=q)
        return (1.0 - self.passive) * force


class PathTracking(Tracking):
    """Accelerations along a path; by default errors decay like those of a critically damped joint."""

    def __init__(
        self,
        robot: Robot,
        q: ArrayLike | TimeSeries,
        v: ArrayLike | TimeSeries | None = None,
        a: ArrayLike | TimeSeries | None = None,
        *,
        stiffness: ArrayLike = 25.0,
        damping: ArrayLike = 10.0,
        passive: PassiveLike = (),
    ) -> None:
        super().__init__(robot, q, v, a, stiffness, damping, passive)


@final
class ComputedTorque(PathTracking):
    """The inverse dynamics of the path's acceleration, corrected by what is missing: the error decays as chosen.

        T = M(q) { a_d + K (q_d - q) + B (v_d - v) } + C(q, v) + g(q)

    q, v, a: the path, constant or `sd.TimeSeries`; v and a omitted are zero.
    stiffness, damping: K in 1/s² and B in 1/s, by default those of a critically damped joint that takes a second.
    passive: joints without a motor, such as a free root; they move as they must (hybrid dynamics, 004 section 5).

    >>> import numpy as np, soadyn as sd
    >>> arm = sd.load("planar_two_link")
    >>> t = np.linspace(0.0, 1.0, 101)
    >>> path = np.stack([np.sin(t), 1 - np.cos(t)], axis=-1), np.stack([np.cos(t), np.sin(t)], axis=-1)
    >>> q, v, a = (sd.TimeSeries(t, x) for x in (*path, -path[0] + [0, 1]))
    >>> follow = sd.control.ComputedTorque(arm, q, v, a)
    >>> run = sd.simulate(arm, path[0][0], path[1][0], control=follow, duration=1.0, record_every=0.1)
    >>> bool(np.abs(run.q - path[0][::10]).max() < 1e-4)
    True
    """

    knows_closures = True

    def torque(self, dynamics: Dynamics, q: Array, v: Array, references: Mapping[str, Array]) -> Array:
        wanted = references.get("a", 0.0) + self.pull(dynamics, q, v, references)
        return self.forces(dynamics, q, v, wanted)


def checked_for_feedback(robot: Any, own: str, closed: bool = False) -> Robot:
    """The robot, if it is one whose feedbacks compile; `own` is who asks."""
    checked_robot(robot, own, closed=closed)
    if robot.engine.coordinates.tied:
        raise ArgumentError(f"{own}: robot {robot.name!r} has tied joints; load it with mimic='independent'")
    return robot


def joint_reference(robot: Robot, x: Any, name: str, own: str) -> Reference:
    """A constant or sampled vector, checked."""
    size = robot.nq if name == "q" else robot.nv
    if isinstance(x, TimeSeries):
        if x.values.shape[-1] != size:
            raise ShapeError(f"{own}: samples of {name} have {x.values.shape[-1]} numbers each; expected {size}")
        return x
    space = robot.engine.coordinates
    vector = arguments.coordinates(space, x) if name == "q" else arguments.joint_vector(space, x, name)
    if vector.dtype.kind == "f" and not np.isfinite(vector).all():
        raise ArgumentError(f"{own}: {name} to be followed holds numbers that are not finite, got {x!r:.80}")
    return vector


def gains_of(robot: Robot, x: ArrayLike, name: str, own: str) -> np.ndarray:
    """One gain for all joint components, or one for each, (nv,); zero or more."""
    gains = for_each_component(name, x, robot.nv, "gains", own)
    if not np.isfinite(gains).all() or (gains < 0).any():
        raise ArgumentError(f"{own}: {name} must be zero or more, got {x!r:.80}")
    return gains
