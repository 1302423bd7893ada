"""A robot's motion near a state, to first order: of its equations, or of one step in time.

A small deviation x = [δ; dv] of a state is a direction δ of q, along the tangent space, and a change of v:

    ẋ = A x + B dτ,    δ̇ = dv - ad(v) δ,    dv̇ = ∂θ̈/∂q δ + ∂θ̈/∂v dv + ∂θ̈/∂τ dτ

ad(v) is zero for joints whose rates add like vectors. A step is differentiated through the same stepper that simulates.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from soadyn.model.steppers import STEPPERS, Moment, Rates
from soadyn.robot.arguments.plain_values import positive, word
from soadyn.robot.calling.motions import MotionFunction

Matrices = tuple[np.ndarray, np.ndarray]


def equations(robot: Any, q: np.ndarray, v: np.ndarray, tau: np.ndarray) -> Matrices:
    """A, (..., 2 nv, 2 nv), and B by all joint forces, (..., 2 nv, nv)."""
    dq, dv, dtau = robot.forward_dynamics_derivatives(q, v, tau)
    batch, nv = dq.shape[:-2], dq.shape[-1]
    A, B = np.zeros((*batch, 2 * nv, 2 * nv)), np.zeros((*batch, 2 * nv, nv))
    model = robot.engine.coordinates.model
    for joint, place in zip(model.joints, model.v_slices, strict=True):
        bracket = joint.behaviour.bracket(v[..., place])
        if bracket is not None:
            A[..., place, place] = -bracket
    A[..., :nv, nv:] = np.eye(nv)
    A[..., nv:, :nv], A[..., nv:, nv:], B[..., nv:, :] = dq, dv, dtau
    return A, B


def step(robot: Any, q: np.ndarray, v: np.ndarray, tau: np.ndarray, h: float, method: str) -> Matrices:
    """The same of one step of length h, the joint forces being constant meanwhile: x' = A x + B dτ."""
    h, stepper = positive("step", h), STEPPERS[word("method", method, STEPPERS)]
    nv, motion = robot.engine.coordinates.nv, MotionFunction(robot.engine, "integrate")
    # One row for each entry of x and of dτ: how q, v and τ change with it.
    start_q, start_v, along_tau = np.split(np.eye(3 * nv), 3, axis=-1)

    def rates(t: float, q: Any, v: np.ndarray) -> Rates:
        at = q.x, v[..., 0, :], tau
        by_q, by_v, by_tau = (D.mT for D in robot.forward_dynamics_derivatives(*at))  # (D d)* = d* D*
        change = q.d @ by_q + v[..., 1:, :] @ by_v + along_tau @ by_tau
        return Rates(_above(robot.forward_dynamics(*at), change), np.zeros(1))

    def integrate(q: Any, dv: np.ndarray) -> Any:
        moved, change = motion.jvp((q.x[..., None, :], dv[..., :1, :]), (q.d, dv[..., 1:, :]))
        return _Moved(moved[..., 0, :], change)

    batch = np.broadcast_shapes(q.shape[:-1], v.shape[:-1], tau.shape[:-1])
    start: Any = _Moved(np.broadcast_to(q, (*batch, q.shape[-1])), start_q)
    now = Moment(0.0, start, _above(np.broadcast_to(v, (*batch, nv)), start_v), np.zeros(1))
    after: Any = stepper(integrate, rates, now, h)
    changes = np.concatenate([after.q.d, after.v[..., 1:, :]], axis=-1).mT
    return np.ascontiguousarray(changes[..., : 2 * nv]), np.ascontiguousarray(changes[..., 2 * nv :])


class _Moved(NamedTuple):
    """A configuration and its changes along all directions, a row for each."""

    x: np.ndarray
    d: np.ndarray


def _above(x: np.ndarray, changes: np.ndarray) -> np.ndarray:
    """A vector as the row above its changes along all directions; steppers add and scale them alike."""
    return np.concatenate([x[..., None, :], np.broadcast_to(changes, (*x.shape[:-1], *changes.shape[-2:]))], axis=-2)
