"""Decoupled control (000 section 8; 003 section 1 [27]): the error of a path in normalized coordinates, one by one.

m* θ̇ are rates in which the mass matrix is the identity, Mass = m m*. With x the joint motion from where the robot is to
where it should be,

    T = m {m* a_d + 2 ζ ω m* ẋ + ω² m* x} + C + g:        m* ẍ + 2 ζ ω m* ẋ + ω² m* x = 0

With diagonal ζ and ω each normalized error has an equation of its own. With passive joints the motors' mass
matrix S_aa = m_a m_a* takes the place of Mass, x is that of the active joints, and T_p = 0.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import final

from soadyn.control.feedback.joint_feedbacks import PathTracking
from soadyn.control.feedback.normalized import Motors
from soadyn.fork_safe import cached_property
from soadyn.mechanics.spatial.arithmetic import Array
from soadyn.simulation.drive.dynamics import Dynamics


@final
class DecoupledControl(PathTracking):
    """A path followed in normalized coordinates, in which the equations of motion do not couple.

    bandwidth, damping_ratio: ω in rad/s and ζ, numbers or one for each component, of which those with a motor count.
        With single numbers it is `ComputedTorque`, whose arguments the others are.

    >>> import numpy as np, soadyn as sd
    >>> arm, q, v = sd.load("puma560"), np.zeros(6), np.linspace(-1.0, 1.0, 6)
    >>> omega = np.arange(2, 8)
    >>> control = sd.control.DecoupledControl(arm, 0.3 * np.ones(6), bandwidth=omega)
    >>> a = arm.forward_dynamics(q, v, control(0.0, q, v))
    >>> x, x_rate, x_change = (arm.normalized_rates(q, y) for y in (0.3 - q, -v, -a))
    >>> bool(np.allclose(x_change, -2 * omega * x_rate - omega**2 * x))
    True
    """

    @cached_property
    def _motors(self) -> Motors:
        return Motors(self.robot, self.passive)

    def torque(self, dynamics: Dynamics, q: Array, v: Array, references: Mapping[str, Array]) -> Array:
        x, rate = dynamics.difference(q, references["q"]), references.get("v", 0.0) - v
        y, y_rate = (self._motors.rates(dynamics, q, motion) for motion in (x, rate))
        active = ~self.passive
        u = self.K[active] * y + self.B[active] * y_rate
        wanted = references.get("a", 0.0) + self._motors.from_rates(dynamics, q, u)
        return self.forces(dynamics, q, v, wanted)
