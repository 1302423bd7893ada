"""A robot brought to rest through its normalized rates (000 Control 8.1).

    ε = -c ν,    that is T = -m c m* v:        d/dt ½ ν* ν = -ν* c ν

With passive joints T_p = 0 and T_a = -m_a c m_a* v_a, where m_a m_a* = S_aa is the mass matrix that the motors feel.
The paper leaves gravity out; here the feedback cancels it, which motors can do only where every joint has one.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, final

import numpy as np
from numpy.typing import ArrayLike

from soadyn.control.feedback.free_root import passive_set
from soadyn.control.feedback.joint_feedbacks import checked_for_feedback
from soadyn.control.feedback.normalized import Motors, times
from soadyn.errors import ArgumentError
from soadyn.mechanics.spatial.arithmetic import NO_LENGTH, Array, maximum, sign
from soadyn.robot import Robot
from soadyn.robot.arguments import arguments
from soadyn.robot.arguments.arguments import PassiveLike
from soadyn.robot.arguments.component_values import per_component, weight_matrix
from soadyn.simulation.drive.dynamics import Dynamics, RobotDynamics
from soadyn.simulation.drive.feedback import Feedback


class NormalizedDamping(Feedback):
    """The force -m c m* v of the motors, gravity cancelled, within bounds; a subclass adds what pulls."""

    robot: Any

    def __init__(
        self,
        robot: Robot,
        gain: ArrayLike,
        passive: PassiveLike | None = None,
        effort_limit: ArrayLike | None = None,
    ) -> None:
        own = type(self).__name__
        checked_for_feedback(robot, own)
        self.passive = passive_set(robot, passive, own)
        if self.passive.any() and robot.gravity.any():
            raise ArgumentError(
                f"{own}: gravity acts on the passive joints of robot {robot.name!r} and no motor can cancel it there; "
                "take robot.with_gravity([0, 0, 0])"
            )
        super().__init__(robot, {})
        self.active = ~self.passive
        self.motors = Motors(robot, self.passive)
        self.gain = weight_matrix("gain", gain, int(self.active.sum()), own)
        self.effort_limit = None
        if effort_limit is not None:
            self.effort_limit = per_component("effort_limit", effort_limit, robot.nv, own, most=np.inf)

    def force(self, dynamics: Dynamics, q: Array, v: Array, references: Mapping[str, Array]) -> Array:
        """All but the weight, before it is bounded, (..., nv)."""
        raise NotImplementedError

    def torque(self, dynamics: Dynamics, q: Array, v: Array, references: Mapping[str, Array]) -> Array:
        return self._bounded(dynamics, q, v, references)[0]

    def content(self) -> tuple[Any, ...]:
        return (type(self).__name__, self.passive, self.gain, self.effort_limit)

    def damping(self, q: ArrayLike, v: ArrayLike) -> np.ndarray:
        """-m c m* v, (..., nv)."""
        return np.asarray(self._damping(RobotDynamics(self.robot), *self._state(q, v)))

    def dissipated(self, q: ArrayLike, v: ArrayLike) -> np.ndarray:
        """ν* c ν, (...): by so much the Lyapunov function falls in a second where no bound acts."""
        return -np.asarray((self.damping(q, v) * np.asarray(v)).sum(axis=-1))

    def limited(self, q: ArrayLike, v: ArrayLike) -> np.ndarray:
        """Does a bound act there? Booleans (...)."""
        scale = self._bounded(RobotDynamics(self.robot), *self._state(q, v), self.constants)[1]
        return np.broadcast_to(scale < 1, np.broadcast_shapes(np.shape(q)[:-1], np.shape(v)[:-1]))

    @property
    def constants(self) -> dict[str, np.ndarray]:
        """The references, none of which changes in time."""
        return {name: x for name, x in self.references.items() if isinstance(x, np.ndarray)}

    def _state(self, q: ArrayLike, v: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
        space = self.robot.engine.coordinates
        return arguments.coordinates(space, q), arguments.joint_vector(space, v, "v")

    def _damping(self, dynamics: Dynamics, q: Array, v: Array) -> Array:
        return -self.motors.forces(dynamics, q, times(self.gain, self.motors.rates(dynamics, q, v)))

    def _bounded(self, dynamics: Dynamics, q: Array, v: Array, references: Mapping[str, Array]) -> tuple[Array, Array]:
        """weight + s force with the largest s <= 1 that keeps the bounds, and s; the weight is never cut."""
        force = self.force(dynamics, q, v, references)
        weight = dynamics.quantity("gravity_force", q=q) if self.robot.gravity.any() else np.zeros(self.robot.nv)
        if self.effort_limit is None:
            return weight + force, np.ones(())
        room = maximum(self.effort_limit - sign(force) * weight, 0.0)
        size = maximum(sign(force) * force, room)
        shares = (room + NO_LENGTH) / (size + NO_LENGTH)
        scale = shares[..., 0]
        for i in range(1, self.robot.nv):
            scale = -maximum(-scale, -shares[..., i])
        return weight + np.asarray(scale)[..., None] * force, scale


@final
class RateFeedback(NormalizedDamping):
    """Joint forces (t, q, v) -> (..., nv) that bring a robot to rest; give it to `simulate` as `control`.

    gain: c, a positive number or matrix, 1/s. passive: joints without a motor, by default a free root.
    effort_limit: the largest joint forces, N m or N. Beyond them T is scaled as a whole, so that energy still falls.

    >>> import soadyn as sd
    >>> arm = sd.load("planar_two_link")
    >>> run = sd.simulate(arm, [0.3, 0.4], [1.0, -2.0], control=sd.control.RateFeedback(arm, 2.0), duration=1.0)
    >>> energy = arm.kinetic_energy(run.q, run.v)
    >>> bool((energy[1:] < energy[:-1]).all()), bool(energy[-1] < 0.02 * energy[0])
    (True, True)
    """

    def force(self, dynamics: Dynamics, q: Array, v: Array, references: Mapping[str, Array]) -> Array:
        return self._damping(dynamics, q, v)

    def lyapunov(self, q: ArrayLike, v: ArrayLike) -> np.ndarray:
        """½ ν* ν, (...): the kinetic energy."""
        return np.asarray(self.robot.kinetic_energy(q, v))
