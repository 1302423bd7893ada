"""Feedbacks in joint space: a path followed by springs and dampers, or through the inverse dynamics.

Both compile: `simulate` puts them into its machine code.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, final

import numpy as np
from numpy.typing import ArrayLike

from soadyn.control.feedback.free_root import passive_set
from soadyn.control.feedback.gains import second_order
from soadyn.control.feedback.motor_forces import driven
from soadyn.control.feedback.references import joint_references
from soadyn.errors import ArgumentError
from soadyn.mechanics.spatial.arithmetic import Array
from soadyn.robot import Robot
from soadyn.robot.arguments.arguments import PassiveLike
from soadyn.robot.arguments.component_values import per_component
from soadyn.robot.checked import checked_robot
from soadyn.simulation.drive.dynamics import Dynamics
from soadyn.simulation.drive.feedback import Feedback, Reference


class Tracking(Feedback):
    """The path to be followed, gains K and B, and the joints that have no motor: their force is zero."""

    def __init__(
        self,
        robot: Robot,
        references: Mapping[str, Reference],
        gains: tuple[np.ndarray, np.ndarray],
        passive: PassiveLike | None,
    ) -> None:
        super().__init__(robot, references)
        self.passive = passive_set(robot, passive, type(self).__name__)
        self.K, self.B = gains

    def content(self) -> tuple[Any, ...]:
        return (type(self).__name__, self.K, self.B, self.passive, tuple(self.references))

    def forces(self, dynamics: Dynamics, q: Array, v: Array, a: Array) -> Array:
        """The motors' forces under which the joints that have one accelerate with a; zero for the others."""
        return driven(dynamics, self.passive, q, v, a)[1]

    def pull(self, dynamics: Dynamics, q: Array, v: Array, references: Mapping[str, Array]) -> Array:
        """Towards the path: K x + B (v_d - v), x the joint motion from q to q_d."""
        error = dynamics.difference(q, references["q"])
        return self.K * error + self.B * (references.get("v", 0.0) - v)


@final
class JointFeedback(Tracking):
    """Springs and dampers from the joints to a configuration or path, gravity cancelled.

        T = K (q_d - q) + B (v_d - v) + g(q)

    q, v: where the joints should be, (..., nq), and how fast, (..., nv): constant, or `sd.TimeSeries`; v omitted is
        rest. Or q alone: a motion of `sd.paths`, a trajectory, a plan or an optimal motion.
    stiffness, damping: K and B, numbers or one for each component, N m/rad and N m s/rad (N/m, N s/m).
    passive: joints without a motor, by default a free root; nothing pulls them, and nothing carries their weight.

    >>> import soadyn as sd
    >>> arm = sd.load("planar_two_link")
    >>> hold = sd.control.JointFeedback(arm, [0.5, -0.2], stiffness=200.0, damping=40.0)
    >>> sd.simulate(arm, [0.0, 0.0], control=hold, duration=2.0, record_every=1.0).q[-1].round(2)
    array([ 0.5, -0.2])
    """

    def __init__(
        self,
        robot: Robot,
        q: Any,
        v: Any = None,
        *,
        stiffness: ArrayLike,
        damping: ArrayLike,
        passive: PassiveLike | None = None,
    ) -> None:
        own = "JointFeedback"
        references = joint_references(checked_for_feedback(robot, own, closed=True), own, q, v)
        references.pop("a", None)
        gains = per_component("stiffness", stiffness, robot.nv, own), per_component("damping", damping, robot.nv, own)
        super().__init__(robot, references, gains, passive)

    def torque(self, dynamics: Dynamics, q: Array, v: Array, references: Mapping[str, Array]) -> Array:
        force = self.pull(dynamics, q, v, references) + dynamics.quantity("gravity_force", q=q)
        return (1.0 - self.passive) * force


class PathTracking(Tracking):
    """Accelerations along a path, from which errors decay as ë + 2 ζ ω ė + ω² e = 0.

    What `knows_closures` is right for closed robots: on a path that is closed, it leaves nothing to the closures.
    """

    knows_closures: ClassVar[bool] = False

    def __init__(
        self,
        robot: Robot,
        q: Any,
        v: Any = None,
        a: Any = None,
        *,
        bandwidth: ArrayLike = 5.0,
        damping_ratio: ArrayLike = 1.0,
        passive: PassiveLike | None = None,
    ) -> None:
        own = type(self).__name__
        references = joint_references(checked_for_feedback(robot, own, self.knows_closures), own, q, v, a)
        super().__init__(robot, references, second_order(bandwidth, damping_ratio, robot.nv, own), passive)


@final
class ComputedTorque(PathTracking):
    """The inverse dynamics of the path's acceleration, corrected by what is missing: the error decays as chosen.

        T = M(q) { a_d + ω² (q_d - q) + 2 ζ ω (v_d - v) } + C(q, v) + g(q)

    q, v, a: the path, constant or `sd.TimeSeries`; v and a omitted are zero. Or q alone: a motion of `sd.paths`, a
        trajectory, a plan or an optimal motion.
    bandwidth, damping_ratio: ω in rad/s and ζ, numbers or one for each component.
    passive: joints without a motor, by default a free root; they move as they must (hybrid dynamics, 004 section 5).

    >>> import numpy as np, soadyn as sd
    >>> arm = sd.load("planar_two_link")
    >>> motion = sd.paths.quintic(sd.paths.line(arm, [0.0, 0.2], [0.6, 1.0]), duration=0.5)
    >>> follow = sd.control.ComputedTorque(arm, motion)
    >>> run = sd.simulate(arm, motion.q[0], control=follow, duration=0.5, record_every=0.1)
    >>> bool(np.abs(run.q - motion.at(run.t).q).max() < 1e-4)
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
