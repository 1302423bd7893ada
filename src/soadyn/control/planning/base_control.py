"""Control of a base that switches on only when it has moved too far (004 section 7).

With the error e of the base (from where it should be, in its own axes), its rate w and a lead time T_l

    T_p = -K dz(e + T_l w),    dz(x) = x - clip(x, -bound, bound),    |T_p| <= most

This is the law of thrusters with a dead band, whose switching line in the phase plane is e + T_l w = bound. Inside the
bounds T_p = 0: reaction mode. Its cost is the impulse ∫|T_p| dt.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np

from soadyn.errors import ArgumentError
from soadyn.robot.arguments.plain_values import single


@final
@dataclass(frozen=True)
class BaseControl:
    """Moments and forces on a free root once it leaves its bounds.

    angle, distance: the bounds, rad and m, for each axis; infinity leaves that motion alone.
    moment_per_angle, force_per_distance: K beyond the bounds, N m/rad and N/m.
    lead: T_l, seconds; most_moment, most_force: what the actuators give at most, N m and N, for each axis.

    >>> import numpy as np, soadyn as sd
    >>> control = sd.control.BaseControl(angle=np.radians(0.5), moment_per_angle=100.0)
    >>> turned = np.array([np.radians(1.5), 0, 0, 0, 0, 0])
    >>> control.force(turned, np.zeros(6))[0].round(3), control.force(turned / 4, np.zeros(6)).any()
    (np.float64(-1.745), np.False_)
    """

    angle: float = np.inf
    distance: float = np.inf
    moment_per_angle: float = 100.0
    force_per_distance: float = 100.0
    lead: float = 4.0
    most_moment: float = np.inf
    most_force: float = np.inf

    def __post_init__(self) -> None:
        for name, value in self.__dict__.items():
            if not single(value) >= 0:
                raise ArgumentError(f"BaseControl: {name} must be zero or more, got {value!r}")

    def force(self, error: np.ndarray, rate: np.ndarray) -> np.ndarray:
        """T_p (..., 6), [moment; force] in the base's axes, for its error and rate (..., 6) there."""
        bound = np.repeat([self.angle, self.distance], 3)
        stiffness = np.repeat([self.moment_per_angle, self.force_per_distance], 3)
        most = np.repeat([self.most_moment, self.most_force], 3)
        s = error + self.lead * rate
        beyond = s - np.clip(s, -bound, bound)
        return np.clip(-stiffness * beyond, -most, most)
