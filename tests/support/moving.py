"""States that move: the rates of the coordinates, complex steps along a motion, and a plain integrator."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from soadyn.mechanics.spatial.rotation import from_quaternion
from soadyn.model.model import Model

STEP = 1e-100


def coordinate_rates(model: Model, q: np.ndarray, v: np.ndarray) -> np.ndarray:
    """q̇ for one state: the rates themselves, but q̇ = ½ q ⊗ (0, ω) for quaternions and R v for a free position."""
    rates = np.zeros(model.nq, dtype=np.result_type(q, v))
    for joint, q_place, v_place in zip(model.joints, model.q_slices, model.v_slices, strict=True):
        share, rate = q[q_place], v[v_place]
        if joint.kind in ("spherical", "free"):
            (w, *e), omega = share[:4], rate[:3]
            turning = 0.5 * np.concatenate([[-np.dot(e, omega)], w * omega + np.cross(e, omega)])
            moving = from_quaternion(share[:4]) @ rate[3:] if joint.kind == "free" else rate[:0]
            rates[q_place] = np.concatenate([turning, moving])
        else:
            rates[q_place] = rate
    return rates


def rate_of_change(quantity: Callable[..., Any], model: Model, q: np.ndarray, v: np.ndarray, a: Any = None) -> Any:
    """d/dt quantity(q) or, with accelerations, of quantity(q, v), by a complex step: exact to rounding."""
    moved = q + 1j * STEP * coordinate_rates(model, q, v)
    result = quantity(moved) if a is None else quantity(moved, v + 1j * STEP * np.asarray(a))
    return np.imag(result) / STEP


def runge_kutta(robot: Any, q: np.ndarray, v: np.ndarray, tau: Any, step: float, steps: int) -> Any:
    """Yields (q, v) after each step of the classical method on the plain coordinates."""

    def slope(q: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return coordinate_rates(robot.model, q, v), robot.forward_dynamics(q, v, tau)

    for _ in range(steps):
        q1, v1 = slope(q, v)
        q2, v2 = slope(q + step / 2 * q1, v + step / 2 * v1)
        q3, v3 = slope(q + step / 2 * q2, v + step / 2 * v2)
        q4, v4 = slope(q + step * q3, v + step * v3)
        q = q + step / 6 * (q1 + 2 * q2 + 2 * q3 + q4)
        v = v + step / 6 * (v1 + 2 * v2 + 2 * v3 + v4)
        yield q, v
