"""Gains along a motion: the linear-quadratic regulator whose model and gains change from step to step."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from soadyn.errors import ShapeError
from soadyn.model.steppers import Method
from soadyn.optimal.cost import Cost, checked_cost
from soadyn.optimal.regulators import checked_step, lqr, motor_limits
from soadyn.optimal.riccati import LARGEST, QuadraticModel, corrections
from soadyn.optimal.state_feedback import TrackingFeedback
from soadyn.optimal.step_derivatives import Steps
from soadyn.robot.arguments.plain_values import real
from soadyn.simulation.drive.time_series import TimeSeries


def lqr_along(
    cost: Cost,
    q: ArrayLike,
    v: ArrayLike,
    tau: ArrayLike,
    *,
    step: float,
    method: Method = "rk4",
    joint_forces: bool = True,
    effort_limit: ArrayLike | None = None,
) -> TrackingFeedback:
    """Motors that keep a robot on a motion: gains that change in time, of least cost near the motion.

    q, v: states at the beginning of each step and at the end, (steps + 1, ..., nq) and (steps + 1, ..., nv).
    tau: joint forces of each step, (steps, ..., nv). step: seconds.
    The weights are those of the cost, which here count from the motion, not from the goal; without `final` the last
    state counts as if the regulator at the goal took over.

    >>> import numpy as np, soadyn as sd
    >>> arm = sd.load("planar_two_link")
    >>> h = 0.01
    >>> motion = sd.simulate(arm, [0.0, 0.5], control=[20.0, 3.0], duration=1.0, step=h, sampled=True)
    >>> weights = {"state_weight": [1e3, 1e3, 1.0, 1.0], "effort_weight": 1e-4, "final_weight": 100.0}
    >>> cost = sd.optimal.Cost(arm, motion.q[-1], **weights)
    >>> follow = sd.optimal.lqr_along(cost, motion.q, motion.v, motion.tau[:-1], step=h)
    >>> run = sd.simulate(arm, [0.1, 0.4], control=follow, duration=1.0, step=h, sampled=True)
    >>> bool(np.abs(run.q[-1] - motion.q[-1]).max() < 1e-2)
    True
    """
    h = checked_step(step, "lqr_along")
    q, v, tau = _motion(checked_cost(cost, "lqr_along"), q, v, tau)
    limit = motor_limits(cost, effort_limit)
    steps = Steps(cost.robot, q[0].reshape(-1, cost.robot.nq)[0], h, cost.passive, limit, method, joint_forces)
    flat = [x.reshape(-1, x.shape[-1]) for x in (q[:-1], v[:-1], tau)]
    batch = tau.shape[:-1]
    A, B = (x.reshape(*batch, *x.shape[1:]) for x in steps.matrices(*flat))
    S = cost.final if cost.final is not None else lqr(cost, step=h, method=method, joint_forces=joint_forces).S
    n, m = A.shape[-1], B.shape[-1]
    Q = np.broadcast_to(h * cost.Q, (len(q), *batch[1:], n, n)).copy()
    Q[-1] = S
    free = np.full((*batch, m), LARGEST)
    near = QuadraticModel(A, B, np.zeros((len(q), *batch[1:], n)), np.zeros((*batch, m)), Q, h * cost.R, -free, free)
    return tracking(cost, q, v, tau, corrections(near).K, h, limit)


def tracking(cost: Cost, q: Any, v: Any, tau: Any, K: np.ndarray, h: float, limit: np.ndarray) -> TrackingFeedback:
    """The feedback along a motion whose forces and gains are held through steps; after the end the last ones stay."""
    times = h * np.arange(len(tau))
    gains = K.reshape(*K.shape[:-2], -1)
    held = (TimeSeries(times, x, hold=True) for x in (q[: len(tau)], v[: len(tau)], tau, gains))
    return TrackingFeedback(cost.robot, *held, passive=cost.passive, effort_limit=limit)


def _motion(cost: Cost, *given: Any) -> list[np.ndarray]:
    robot = cost.robot
    sizes = (robot.nq, robot.nv, robot.nv)
    found = [real(name, x, size, meaning=f"{size} numbers at each time", of="lqr_along")
             for name, x, size in zip(("q", "v", "tau"), given, sizes, strict=True)]  # fmt: skip
    q, v, tau = found
    if q.ndim < 2 or not (len(q) == len(v) == len(tau) + 1) or not q.shape[1:-1] == v.shape[1:-1] == tau.shape[1:-1]:
        raise ShapeError(
            f"lqr_along: q {q.shape} and v {v.shape} are states at the beginning of each step and at the end, tau "
            f"{tau.shape} the forces of each step: (steps + 1, ..., n) twice and (steps, ..., nv)"
        )
    return found
