"""A motion followed by motors with gains that change in time."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from soadyn.mechanics.spatial.arithmetic import Array, clipped
from soadyn.robot import Robot
from soadyn.simulation.drive.dynamics import Dynamics
from soadyn.simulation.drive.feedback import Feedback, Reference
from soadyn.simulation.drive.time_series import TimeSeries


class TrackingFeedback(Feedback):
    """Motors that keep a robot on a motion: give it to `simulate` as `control`, with `sampled=True` and its own step.

        T = T_ref - K [difference(q_ref, q); v - v_ref]    of the active components, within limits; zero elsewhere

    q, v, tau, K: the motion, its joint forces (..., nv) and gains (..., motors x 2 nv): constant, or `sd.TimeSeries`.
    passive: booleans (nv,). effort_limit: the motors' largest forces, (motors,), infinite where there is none.
    `lqr_along` and `ILQRResult.feedback` make it.

    >>> import numpy as np, soadyn as sd
    >>> arm = sd.load("planar_two_link")
    >>> q, K = np.array([0.2, 0.1]), np.hstack([200 * np.eye(2), 40 * np.eye(2)]).ravel()
    >>> hold = sd.optimal.TrackingFeedback(arm, q, np.zeros(2), arm.gravity_force(q), K, passive=np.zeros(2, bool))
    >>> sd.simulate(arm, [0.0, 0.0], control=hold, duration=3.0, record_every=3.0).q[-1].round(3)
    array([0.2, 0.1])
    """

    def __init__(
        self,
        robot: Robot,
        q: Reference,
        v: Reference,
        tau: Reference,
        K: Reference,
        *,
        passive: np.ndarray,
        effort_limit: ArrayLike = np.inf,
    ) -> None:
        super().__init__(robot, {"q": q, "v": v, "tau": tau, "K": K})
        self.active = np.flatnonzero(~np.asarray(passive))
        self.effort_limit = np.broadcast_to(np.asarray(effort_limit, dtype=float), self.active.shape)

    def torque(self, dynamics: Dynamics, q: Array, v: Array, references: Mapping[str, Array]) -> Array:
        x = np.concatenate(np.broadcast_arrays(dynamics.difference(references["q"], q), v - references["v"]), axis=-1)
        gains = references["K"]
        K = gains.reshape(*gains.shape[:-1], len(self.active), -1)
        u = references["tau"][..., self.active] - (K @ x[..., None])[..., 0]
        tau = np.full((*u.shape[:-1], self.robot.nv), 0.0, dtype=u.dtype)
        limited = np.isfinite(self.effort_limit)
        tau[..., self.active[~limited]] = u[..., ~limited]
        tau[..., self.active[limited]] = clipped(u[..., limited], self.effort_limit[limited])
        return tau

    @property
    def design(self) -> tuple[str, ...]:
        return () if isinstance(self.references["K"], TimeSeries) else ("K",)

    def content(self) -> tuple[Any, ...]:
        return ("state feedback", self.active, self.effort_limit)
