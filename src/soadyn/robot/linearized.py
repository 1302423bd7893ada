"""A robot's motion near a state, to first order: of its equations, or of one step in time.

A small deviation x = [δ; dv] of a state is a direction δ of q, along the tangent space, and a change of v:

    ẋ = A x + B dτ,    δ̇ = dv - ad(v) δ,    dv̇ = ∂θ̈/∂q δ + ∂θ̈/∂v dv + ∂θ̈/∂τ dτ

ad(v) is zero for joints whose rates add like vectors. A step is differentiated through the same stepper that simulates.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, final

import numpy as np

from soadyn.errors import ArgumentError
from soadyn.model.steppers import STEPPERS, Moment, Rates
from soadyn.robot.arguments.plain_values import shown, single
from soadyn.robot.calling.motions import MotionFunction

Matrices = tuple[np.ndarray, np.ndarray]


def checked_step(step: Any) -> float:
    """The length of a step in seconds."""
    h = single(step)
    if not 0 < h < np.inf:
        raise ArgumentError(f"step must be a positive number of seconds or None, got {shown(step)}")
    return h


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
    if not isinstance(method, str) or method not in STEPPERS:
        raise ArgumentError(f"method must be one of {', '.join(map(repr, STEPPERS))}, got {method!r}")
    nv, motion = robot.engine.coordinates.nv, MotionFunction(robot.engine, "integrate")
    # One row for each entry of x and of dτ: how q, v and τ change with it.
    start_q, start_v, along_tau = np.split(np.eye(3 * nv), 3, axis=-1)

    def rates(t: float, q: Any, v: Any) -> Rates:
        by_q, by_v, by_tau = (_columns(D) for D in robot.forward_dynamics_derivatives(q.x, v.x, tau))
        change = q.d @ by_q + v.d @ by_v + along_tau @ by_tau
        return Rates(_Dual(robot.forward_dynamics(q.x, v.x, tau), change), _NOTHING)  # type: ignore[arg-type]

    def integrate(q: Any, dv: Any) -> Any:
        wide = [x[..., None, :] for x in (q.x, dv.x)]
        _, change = motion.jvp(wide, (q.d, dv.d))
        moved, _ = motion.jvp((q.x, dv.x), (None, np.zeros(nv)))
        return _Dual(moved, change)

    batch = np.broadcast_shapes(q.shape[:-1], v.shape[:-1], tau.shape[:-1])
    state = [_Dual(np.broadcast_to(x, (*batch, x.shape[-1])), d) for x, d in ((q, start_q), (v, start_v))]
    now = Moment(0.0, state[0], state[1], _NOTHING)  # type: ignore[arg-type]
    after: Any = STEPPERS[method](integrate, rates, now, h)
    changes = np.concatenate([after.q.d, after.v.d], axis=-1)
    changes = np.broadcast_to(changes, (*batch, 3 * nv, 2 * nv)).swapaxes(-1, -2)
    return np.ascontiguousarray(changes[..., : 2 * nv]), np.ascontiguousarray(changes[..., 2 * nv :])


def _columns(D: np.ndarray) -> np.ndarray:
    """A matrix for rows of directions: (D d)* = d* D*."""
    return D.swapaxes(-1, -2)


@final
@dataclass(frozen=True, slots=True)
class _Dual:
    """A vector (..., n) and its changes along some directions, (..., directions, n); steppers add and scale them."""

    x: np.ndarray
    d: np.ndarray

    def __add__(self, other: _Dual) -> _Dual:
        return _Dual(self.x + other.x, self.d + other.d)

    def __sub__(self, other: _Dual) -> _Dual:
        return _Dual(self.x - other.x, self.d - other.d)

    def __neg__(self) -> _Dual:
        return _Dual(-self.x, -self.d)

    def __mul__(self, number: float) -> _Dual:
        return _Dual(number * self.x, number * self.d)

    __rmul__ = __mul__

    def __truediv__(self, number: float) -> _Dual:
        return self * (1 / number)


_NOTHING = np.zeros(1)
