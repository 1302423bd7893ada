"""A motion along a path: s in time, and with it the robot's states, accelerations and joint forces."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import final

import numpy as np
from numpy.typing import ArrayLike

from soadyn.errors import ArgumentError
from soadyn.fork_safe import cached_property
from soadyn.mechanics.spatial.reading import NotNumbersError, real_array
from soadyn.model.knots import interval_of
from soadyn.paths.joint_paths import Path
from soadyn.robot import Robot, State


@final
@dataclass(frozen=True, eq=False, repr=False)
class Motion:
    """A path followed in time, made by `quintic`, `trapezoidal`, `jerk_limited` or `time_optimal`.

    t            times of the grid, (n,), from 0
    s            places on the path there, (n,)
    speed        ds/dt there, (n,)
    push, jolt   d²s/dt² from each grid point on, (n - 1,), and how it changes in time until the next, (n - 1,)
    worst        of `time_optimal`: the largest share of a limit that the motion takes, at grid points or between them

    >>> import soadyn as sd
    >>> arm = sd.load("planar_two_link")
    >>> motion = sd.paths.quintic(sd.paths.line(arm, [0.0, 0.0], [1.0, 2.0]), duration=2.0)
    >>> motion.at(1.0).q.tolist(), motion.duration
    ([0.5, 1.0], 2.0)
    """

    path: Path
    t: np.ndarray
    s: np.ndarray
    speed: np.ndarray
    push: np.ndarray
    jolt: np.ndarray
    worst: float | None = field(default=None, kw_only=True)

    @property
    def robot(self) -> Robot:
        return self.path.robot

    @property
    def duration(self) -> float:
        """Seconds from start to end."""
        return float(self.t[-1])

    def __repr__(self) -> str:
        return f"<Motion of {self.robot.name!r}: {self.duration:.4g} s, {len(self.t)} grid points>"

    def along(self, t: ArrayLike) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """s and its first two derivatives at times (...)."""
        try:
            times = real_array(t)
        except NotNumbersError:
            raise ArgumentError(f"times are numbers in seconds, got {t!r:.80}") from None
        slack = 1e-9 * self.duration
        if not ((times >= -slack) & (times <= self.duration + slack)).all():
            raise ArgumentError(f"the motion lasts from 0 to {self.duration:g} s, got {times!r:.80}")
        k = interval_of(self.t, times)
        x = times - self.t[k]
        u, j = self.push[k], self.jolt[k]
        return (
            self.s[k] + x * (self.speed[k] + x * (u / 2 + x * j / 6)),
            self.speed[k] + x * (u + x * j / 2),
            u + x * j,
        )

    def at(self, t: ArrayLike) -> State:
        """The state at times (...): q, v, a and the joint forces tau that the motion takes."""
        q, v, a = self._states(*self.along(t))
        return self.robot.at(q, v, a=a, tau=self.robot.inverse_dynamics(q, v, a))

    def _states(self, s: np.ndarray, speed: np.ndarray, push: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        q, first, second = self.path.at(s)
        return q, first * speed[..., None], first * push[..., None] + second * (speed * speed)[..., None]

    @cached_property
    def _grid(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        # The last grid point has no interval of its own; it ends the one before.
        last = self.push[-1:] + self.jolt[-1:] * (self.t[-1] - self.t[-2])
        return self._states(self.s, self.speed, np.concatenate([self.push, last]))

    @property
    def q(self) -> np.ndarray:
        """Configurations at the grid points, (n, nq)."""
        return self._grid[0]

    @property
    def v(self) -> np.ndarray:
        """Joint rates at the grid points, (n, nv)."""
        return self._grid[1]

    @property
    def a(self) -> np.ndarray:
        """Joint accelerations from the grid points on, (n, nv)."""
        return self._grid[2]

    @cached_property
    def tau(self) -> np.ndarray:
        """Joint forces at the grid points, (n, nv)."""
        return np.asarray(self.robot.inverse_dynamics(*self._grid))
