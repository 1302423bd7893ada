"""Control of a base that switches on only when it has moved too far (004 section 7).

With the error e of the base (from where it should be, in its own axes), its rate w and a lead time T_l

    T_p = -K dz(e + T_l w),    dz(x) = x - clip(x, -bound, bound),    |T_p| <= limit

This is the law of thrusters with a dead band, whose switching line in the phase plane is e + T_l w = bound. Inside the
bounds T_p = 0: reaction mode. Its cost is the impulse ∫|T_p| dt.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np

from soadyn.errors import ArgumentError
from soadyn.mechanics.spatial.arithmetic import Array, clipped
from soadyn.robot.arguments.plain_values import single

FAR = 1e30  # stands for infinity where numbers are subtracted


@final
@dataclass(frozen=True)
class BaseControl:
    """Moments and forces on a free root once it leaves its bounds.

    angle, distance: the bounds, rad and m, for each axis; infinity leaves that motion alone.
    angular_stiffness, linear_stiffness: K beyond the bounds, N m/rad and N/m.
    lead: T_l, seconds; moment_limit, force_limit: what the actuators give at most, N m and N, for each axis.

    >>> import numpy as np, soadyn as sd
    >>> control = sd.control.BaseControl(angle=np.radians(0.5), angular_stiffness=100.0)
    >>> turned = np.array([np.radians(1.5), 0, 0, 0, 0, 0])
    >>> control.force(turned, np.zeros(6))[0].round(3), control.force(turned / 4, np.zeros(6)).any()
    (np.float64(-1.745), np.False_)
    """

    angle: float = np.inf
    distance: float = np.inf
    angular_stiffness: float = 100.0
    linear_stiffness: float = 100.0
    lead: float = 4.0
    moment_limit: float = np.inf
    force_limit: float = np.inf

    def __post_init__(self) -> None:
        for name, value in self.__dict__.items():
            if not single(value) >= 0:
                raise ArgumentError(f"BaseControl: {name} must be zero or more, got {value!r}")

    def force(self, error: Array, rate: Array) -> Array:
        """T_p (..., 6), [moment; force] in the base's axes, for its error and rate (..., 6) there."""
        bound = np.minimum(np.repeat([self.angle, self.distance], 3), FAR)
        stiffness = np.repeat([self.angular_stiffness, self.linear_stiffness], 3)
        limit = np.minimum(np.repeat([self.moment_limit, self.force_limit], 3), FAR)
        s = error + self.lead * rate
        return clipped(-stiffness * (s - clipped(s, bound)), limit)
